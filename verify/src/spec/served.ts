/** The spec of a deployment: its operations, and where they are in its text. */
import { lineOf, parseText } from './document.ts'
import { createFind, type Find } from './find.ts'
import { type Spec, toSpec } from './operations.ts'

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
