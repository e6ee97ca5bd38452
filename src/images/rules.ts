/** Validation rules for the arguments of operations. A rule accepts a value or throws an error that names the argument. */
import { isRecord } from '../domain/is-record.ts'
import { TandemError } from '../domain/rights/errors.ts'

/** Throws `invalid-query` if the value violates the rule. `path` is the position of the value. */
export type Rule = (value: unknown, path: string) => void

/** The query parameter that contains the steps. */
const parameter = 'transforms'

export function wrong(path: string, expected: string, value: unknown): TandemError {
  return new TandemError({
    kind: 'invalid-query',
    name: parameter,
    reason: `Expected ${expected} for "${path}" but received ${show(value)}`,
  })
}

function show(value: unknown): string {
  if (value === undefined) return 'nothing'
  const text = JSON.stringify(value)
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}

const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value)

/** A number within a range. */
export const number =
  (min = -1e6, max = 1e6): Rule =>
  (value, path) => {
    if (!isNumber(value) || value < min || value > max) throw wrong(path, `a number from ${min} to ${max}`, value)
  }

/** An integer within a range. */
export const integer =
  (min: number, max: number): Rule =>
  (value, path) => {
    const fits = Number.isInteger(value) && (value as number) >= min && (value as number) <= max
    if (!fits) throw wrong(path, `an integer from ${min} to ${max}`, value)
  }

export const flag: Rule = (value, path) => {
  if (typeof value !== 'boolean') throw wrong(path, 'true or false', value)
}

export const word =
  (...words: readonly (string | number)[]): Rule =>
  (value, path) => {
    if (!words.includes(value as string)) throw wrong(path, `one of ${words.join(', ')}`, value)
  }

const colourText = /^(#([\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})|(rgb|hsl)a?\([\d\s.,%/-]{5,60}\)|[a-z]{3,24})$/i

/** A colour as text (`#f00`, `rgb(255, 0, 0)`, `red`) or as an object `{r, g, b, alpha}`. */
export const colour: Rule = (value, path) => {
  if (typeof value === 'string' && colourText.test(value)) return
  if (!isRecord(value)) throw wrong(path, 'a colour', value)
  members({ r: number(0, 255), g: number(0, 255), b: number(0, 255), alpha: number(0, 1) }, ['r', 'g', 'b'])(
    value,
    path,
  )
}

/** An object with the given members. Members that are not `required` are optional; other members are rejected. */
export const members =
  (rules: { readonly [name: string]: Rule }, required: readonly string[] = []): Rule =>
  (value, path) => {
    if (!isRecord(value)) throw wrong(path, 'an object', value)
    for (const name of required) if (value[name] === undefined) throw wrong(`${path}.${name}`, 'a value', undefined)
    for (const [name, each] of Object.entries(value)) {
      const rule = Object.hasOwn(rules, name) ? rules[name] : undefined
      if (rule === undefined) throw wrong(path, `only ${Object.keys(rules).join(', ')}`, { [name]: each })
      rule(each, `${path}.${name}`)
    }
  }

/** A list with a limited number of values. */
export const list =
  (rule: Rule, min: number, max: number): Rule =>
  (value, path) => {
    const fits = Array.isArray(value) && value.length >= min && value.length <= max
    if (!fits) throw wrong(path, `a list of ${min === max ? min : `${min} to ${max}`} values`, value)
    for (const [at, each] of (value as readonly unknown[]).entries()) rule(each, `${path}[${at}]`)
  }

/** Applies the first rule that matches the type of the value. */
export const either =
  (rules: { readonly [Kind in 'number' | 'string' | 'boolean' | 'list' | 'object']?: Rule }): Rule =>
  (value, path) => {
    const kind = Array.isArray(value) ? 'list' : typeof value
    const rule = value === null ? undefined : (rules as { readonly [kind: string]: Rule | undefined })[kind]
    if (rule === undefined) {
      const kinds = Object.keys(rules).map((each) => (each === 'object' ? 'an object' : `a ${each}`))
      throw wrong(path, kinds.join(' or '), value)
    }
    rule(value, path)
  }

export const both =
  (...rules: readonly Rule[]): Rule =>
  (value, path) => {
    for (const rule of rules) rule(value, path)
  }
