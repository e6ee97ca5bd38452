/** TypeScript and JavaScript blocks of a page: compiled strictly together, and run as programs. */
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'

const examples = fileURLToPath(new URL('../../examples/', import.meta.url))

export type Programs = {
  readonly folder: string
  /** Writes a module for the programs of the page. */
  readonly add: (file: string, text: string) => void
  /** What the compiler says about the modules so far. */
  readonly compile: () => Promise<readonly string[]>
  /** Runs a module that was added; resolves to what it prints. Rejects if it fails. */
  readonly run: (file: string) => Promise<string>
  readonly close: () => void
}

const options: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.ESNext,
  jsx: ts.JsxEmit.ReactJSX,
  verbatimModuleSyntax: true,
  rewriteRelativeImportExtensions: true,
}

const compiler = join(dirname(createRequire(import.meta.url).resolve('typescript7/package.json')), 'bin/tsc')

const compilerOptions = {
  strict: true,
  noEmit: true,
  exactOptionalPropertyTypes: true,
  target: 'es2024',
  module: 'nodenext',
  jsx: 'react-jsx',
  lib: ['esnext', 'dom', 'dom.iterable'],
  types: ['node'],
  skipLibCheck: true,
  allowImportingTsExtensions: true,
  customConditions: ['tandem-src'],
}

/** Within the repository, so that its packages are found. */
export function openPrograms(): Programs {
  const folder = mkdtempSync(join(examples, 'guide-'))
  const sources = new Set<string>()
  const compiled = (file: string): string => join(folder, file.replace(/\.tsx?$/, '.js'))
  return {
    folder,
    add(file, text) {
      sources.add(file)
      mkdirSync(dirname(compiled(file)), { recursive: true })
      const { outputText } = ts.transpileModule(text, { compilerOptions: options, fileName: file })
      writeFileSync(join(folder, file), text)
      writeFileSync(compiled(file), file.endsWith('.js') ? text : outputText)
    },
    compile: () =>
      new Promise((resolve) => {
        if (![...sources].some((file) => /\.tsx?$/.test(file))) return resolve([])
        writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions }))
        execFile(process.execPath, [compiler, '--singleThreaded', '-p', folder], (error, out) =>
          resolve(error === null ? [] : out.trim().split('\n')),
        )
      }),
    run: (file) =>
      new Promise((resolve, reject) => {
        // Nothing of the surrounding settings. The cache spares programs half of what it takes to load the packages.
        const { PATH, NODE_COMPILE_CACHE } = process.env
        const given = { cwd: folder, timeout: 60_000, env: { PATH, NODE_COMPILE_CACHE } }
        execFile(process.execPath, ['--conditions=tandem-src', compiled(file)], given, (error, out, told) => {
          if (error === null) resolve(out)
          else reject(new Error(`${error.message}\n${out}\n${told}`))
        })
      }),
    close: () => rmSync(folder, { recursive: true, force: true }),
  }
}
