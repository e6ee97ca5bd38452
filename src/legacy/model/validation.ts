/** `validation` of a field: a pattern with delimiters, stored by core as a condition on the written value. */
import { matcherOf } from '../../domain/conditions/patterns.ts'
import { refuseModel } from './refuse.ts'

/** The pattern for `$email`. */
const email = '^[^@\\s]+@[^@\\s]+\\.[^@\\s]+$'

type Test = { readonly _regex: string } | { readonly _null: true }

/** No value needs no pattern, as in version 8. */
type Condition = { readonly _or: readonly { readonly [field: string]: Test }[] }

const closing: { readonly [open: string]: string } = { '(': ')', '[': ']', '{': '}', '<': '>' }

/**
 * Converts a pattern to a condition; null for none.
 * @example toCondition('code', '/^[a-z]+$/i') // { _or: [{ code: { _null: true } }, { code: { _regex: '(?i)^[a-z]+$' } }] }
 */
export function toCondition(field: string, pattern: string | null): Condition | null {
  if (pattern === null || pattern === '') return null
  const source = pattern === '$email' ? email : readDelimited(pattern)
  if (source !== null && matcherOf(source) !== null) {
    return { _or: [{ [field]: { _null: true } }, { [field]: { _regex: source } }] }
  }
  return refuseModel('contradictory', 'validation', `Field "${field}": "${pattern}" is an invalid regular expression`)
}

function readDelimited(pattern: string): string | null {
  const open = pattern[0] ?? ''
  if (/[a-z0-9\\\s]/i.test(open)) return null
  const end = pattern.lastIndexOf(closing[open] ?? open)
  const flags = pattern.slice(end + 1)
  if (end < 1 || !/^[imsuD]*$/.test(flags)) return null
  const existing = [...new Set(flags)].filter((flag) => 'ims'.includes(flag)).join('')
  const source = pattern.slice(1, end).replaceAll(`\\${open}`, open)
  return existing === '' ? source : `(?${existing})${source}`
}

/** Converts a condition back to its pattern; null if it is more than a pattern. */
export function toPattern(field: string, condition: unknown): string | null {
  if (typeof condition !== 'object' || condition === null) return null
  const [[name, test] = [], ...others] = Object.entries(withoutNull(field, condition)) as readonly (readonly [
    string,
    unknown,
  ])[]
  if (name !== field || others.length > 0 || typeof test !== 'object' || test === null) return null
  const source = (test as { readonly _regex?: unknown })._regex
  if (typeof source !== 'string' || Object.keys(test).length > 1) return null
  if (source === email) return '$email'
  const [, flags = '', rest = source] = /^\(\?([ims]+)\)(.*)$/s.exec(source) ?? []
  return `/${rest.replaceAll('/', '\\/')}/${flags}`
}

/** The other alternative, where the first is no value. */
function withoutNull(field: string, condition: object): object {
  const { _or: alternatives, ...others } = condition as { readonly _or?: unknown }
  if (!Array.isArray(alternatives) || alternatives.length !== 2 || Object.keys(others).length > 0) return condition
  const [first, second] = alternatives as readonly unknown[]
  const isNull = JSON.stringify(first) === JSON.stringify({ [field]: { _null: true } })
  return isNull && typeof second === 'object' && second !== null ? second : condition
}
