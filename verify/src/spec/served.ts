/** The spec of a deployment: its operations, and where they are in its text. */
import { lineOf, parseText } from './document.ts'
import { type Operation, type Spec, toSpec } from './operations.ts'

export type ServedSpec = Spec & {
  readonly find: Find
  /** Line of a JSON pointer in the text that was read; null if the text is one line. */
  readonly lineOf: (pointer: string) => number | null
}

/** Reads JSON or YAML. Throws for other text. */
export function readSpec(text: string): ServedSpec {
  const spec = toSpec(parseText(text))
  return { ...spec, find: createFind(spec.operations), lineOf: (pointer) => lineOf(text, pointer) }
}

type FoundOperation = {
  readonly operation: Operation
  /** Values of the parameters of the path. */
  readonly values: { readonly [name: string]: string }
}

/** `path` begins below the base address. Paths without parameters win over templates; SEARCH and HEAD are reads. */
type Find = (method: string, path: string) => FoundOperation | null

function createFind(operations: readonly Operation[]): Find {
  const routes = operations
    .toSorted((a, b) => placeholders(a.path) - placeholders(b.path))
    .map((operation) => ({ operation, names: namesIn(operation.path), pattern: patternOf(operation.path) }))
  return (method, path) => {
    const wanted = method === 'SEARCH' || method === 'HEAD' ? 'GET' : method
    for (const { operation, names, pattern } of routes) {
      if (operation.method !== wanted) continue
      const texts = pattern.exec(path)?.slice(1)
      if (texts === undefined) continue
      return { operation, values: Object.fromEntries(texts.map((text, at) => [names[at] ?? '', decoded(text)])) }
    }
    return null
  }
}

const placeholders = (path: string): number => path.split('{').length

const namesIn = (path: string): readonly string[] => [...path.matchAll(/\{([^}]+)\}/g)].map(([, name = '']) => name)

const patternOf = (path: string): RegExp =>
  new RegExp(`^${path.replace(/[.+*?^$()|[\]\\]/g, String.raw`\$&`).replace(/\{[^}]+\}/g, '([^/]+)')}/?$`)

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
