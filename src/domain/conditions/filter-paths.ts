/** Conditions on values inside of JSON columns: `_json`, and `json(settings, a.b)`. */
import type { Filter, Operand } from '../query/filter.ts'
import { type JsonPath, jsonPathForm, readJsonPath } from '../query/json-path.ts'
import { compare, type FieldAt, type ParseState, parseEntries, parseOperators } from './filter-level.ts'
import { refuse } from './filter-values.ts'
import { describe } from './literals.ts'

/** Parses the object below `_json`: conditions by the paths of values. */
export function parsePaths(value: unknown, { field, level }: FieldAt, state: ParseState): Filter {
  if (field.type !== 'json' || field.concealed) {
    return refuse(level.path, `Operator "_json" does not apply to a field of type ${field.type}`)
  }
  return parseEntries(value, level, {
    whole: (each, at) => parsePaths(each, { field, level: at }, state),
    entry: (key, raw, inner) => parseAtPath(key, raw, { field, level: inner }, state),
  })
}

export function parseAtPath(text: string, value: unknown, { field, level }: FieldAt, state: ParseState): Filter {
  const jsonPath = readJsonPath(text)
  if (jsonPath === null) return refuse(level.path, `Expected ${jsonPathForm} but received ${describe(text)}`)
  return parseOperators(value, level, (operator, raw, at) =>
    compareInside(operator, raw, { field, level: at, jsonPath }, state),
  )
}

/** Numbers are compared with numbers, whatever else the rows hold; all other values by their texts. */
function compareInside(
  operator: string,
  raw: unknown,
  { field, level, jsonPath }: FieldAt & { readonly jsonPath: JsonPath },
  state: ParseState,
): Filter {
  const values = Array.isArray(raw) ? (raw as readonly unknown[]) : [raw]
  const isNumber = values.length > 0 && values.every((each) => typeof each === 'number')
  const form = isNumber ? ({ type: 'decimal', as: 'number' } as const) : ({ type: 'unknown', as: 'text' } as const)
  const isFlag = /^_n?(null|empty)$/.test(operator)
  const input = isFlag || isNumber ? raw : Array.isArray(raw) ? values.map(wordOf) : wordOf(raw)
  const operand: Operand = { kind: 'function', function: 'json', field: field.name, jsonPath, as: form.as }
  const { type } = form
  return compare(operator, input, { operand, type, column: null, concealed: false, path: level.path }, state)
}

const wordOf = (raw: unknown): unknown => (typeof raw === 'boolean' || typeof raw === 'number' ? String(raw) : raw)
