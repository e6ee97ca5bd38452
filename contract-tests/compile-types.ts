/** Compiles TypeScript for tests, from memory, and counts what that takes. */
import { join } from 'node:path'
import ts from 'typescript'

const usual: ts.CompilerOptions = {
  strict: true,
  noEmit: true,
  exactOptionalPropertyTypes: true,
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  lib: ['lib.es2022.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
  types: [],
  skipLibCheck: true,
  allowImportingTsExtensions: true,
  customConditions: ['tandem-src'],
}

export type Compiled = { readonly failures: readonly string[]; readonly instantiations: number }

/** `more` overrides options. Checks the files, which import the SDK and each other; not the SDK itself, which its users have as declarations. */
export function compileTypes(files: { readonly [name: string]: string }, more: ts.CompilerOptions = {}): Compiled {
  const options = { ...usual, ...more }
  const texts = new Map(Object.entries(files).map(([name, text]) => [join(import.meta.dirname, name), text]))
  const host = ts.createCompilerHost(options)
  const disk = { ...host }
  host.fileExists = (path) => texts.has(path) || disk.fileExists(path)
  host.readFile = (path) => texts.get(path) ?? disk.readFile(path)
  host.getSourceFile = (path, version, ...rest) => {
    const text = texts.get(path)
    return text === undefined ? disk.getSourceFile(path, version, ...rest) : ts.createSourceFile(path, text, version)
  }
  const program = ts.createProgram([...texts.keys()], options, host)
  const failures = [...texts.keys()].flatMap((path) => {
    const source = program.getSourceFile(path)
    return [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)].map(
      ({ messageText, start }) => {
        const line = source?.getLineAndCharacterOfPosition(start ?? 0).line ?? 0
        return `${path.slice(path.lastIndexOf('/') + 1)}:${line + 1}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`
      },
    )
  })
  return { failures, instantiations: program.getInstantiationCount() }
}
