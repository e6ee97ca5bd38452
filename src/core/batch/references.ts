/** References of an operation to values in the answers of earlier ones: `{"$ref": "0.data.id"}`. */
import { isJsonObject } from '../../domain/conditions/exact-numbers.ts'
import { invalidPayload } from '../../domain/rights/errors.ts'

/** The position of an operation, and the path to a value in its answer. */
export type Reference = { readonly operation: number; readonly path: readonly string[] }

const sign = '$ref'

/**
 * Reads the text of a reference; null if it is none.
 * @example readReference('0.data.id') // { operation: 0, path: ['data', 'id'] }
 */
function readReference(text: unknown): Reference | null {
  if (typeof text !== 'string' || !/^(?:0|[1-9]\d{0,8})(?:\.(?:[^.\\]|\\.)+)+$/s.test(text)) return null
  const [operation = '', ...path] = text.match(/(?:[^.\\]|\\.)+/gs) ?? []
  return { operation: Number(operation), path: path.map((each) => each.replaceAll(/\\(.)/gs, '$1')) }
}

/** Throws `invalid-payload` for a reference in the value that no earlier operation can answer. `at`: the place of the value. */
export function assertReferences(value: unknown, position: number, at: string): void {
  visit(value, at, (text, path) => {
    const reference = readReference(text)
    if (reference === null) {
      const expected = 'Expected the position of an operation and a path in its answer, such as "0.data.id",'
      throw invalidPayload(path, `${expected} for "${path}"`)
    }
    if (reference.operation >= position) {
      throw invalidPayload(
        path,
        `Expected the position of an earlier operation for "${path}" but received ${reference.operation}`,
      )
    }
  })
}

export function hasReferences(value: unknown): boolean {
  let has = false
  visit(value, '', () => {
    has = true
  })
  return has
}

/** The value with what its references stand for. */
export function filled(value: unknown, find: (reference: Reference) => unknown): unknown {
  if (!isList(value) && !isJsonObject(value)) return value
  if (isList(value)) return value.map((each) => filled(each, find))
  const text = referenceOf(value)
  if (text === undefined)
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, filled(each, find)]))
  const reference = readReference(text)
  if (reference === null) throw new Error('References are checked before the start')
  return find(reference)
}

/** Calls `found` with the text of each reference in the value. */
function visit(value: unknown, at: string, onText: (text: unknown, path: string) => void): void {
  if (isList(value)) for (const [index, each] of value.entries()) visit(each, `${at}.${index}`, onText)
  if (!isJsonObject(value)) return
  const text = referenceOf(value)
  if (text !== undefined) return onText(text, at)
  for (const [key, each] of Object.entries(value)) visit(each, `${at}.${key}`, onText)
}

type JsonObject = { readonly [key: string]: unknown }

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value)

/** Undefined for other objects. */
const referenceOf = (value: JsonObject): unknown => {
  const keys = Object.keys(value)
  return keys.length === 1 && keys[0] === sign ? value[sign] : undefined
}
