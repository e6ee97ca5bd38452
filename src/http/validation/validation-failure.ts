/** Translates a validator error into one that names the parameter, what was expected and what came. */
import { type Failure, TandemError } from '../../domain/rights/errors.ts'
import type { ReplyParts } from './reply-check.ts'

/** The parts of a request that the spec describes. Validation replaces values by their coerced form. */
export type RequestParts = {
  readonly path: { readonly [name: string]: string }
  readonly query: { readonly [name: string]: unknown }
  readonly body: unknown
  /** One of the route's media types as written in the spec; null without a body. */
  readonly media: string | null
  readonly headers: { readonly [name: string]: unknown }
  readonly cookies: { readonly [name: string]: string }
}

type Finding = { readonly path: string; readonly message: string; readonly errorCode?: string }

/** Translates errors of the validator; passes on all others. */
export const toRequestFailure = (error: unknown, parts: RequestParts, search: boolean): unknown => {
  const { status, errors } = error as { status?: number; errors?: readonly Finding[] }
  if (status !== 400 || errors === undefined || errors.length === 0) return error
  const best = pickFinding(errors)
  return new TandemError(toFailure(best, errors, parts, search), { cause: error })
}

/** The most specific finding. */
const pickFinding = (errors: readonly Finding[]): Finding =>
  errors.toSorted((a, b) => vagueness(a, errors) - vagueness(b, errors))[0] as Finding

/** A wrong type is vague where the value has the type of another alternative, whose own findings say more. */
function vagueness({ path, errorCode }: Finding, errors: readonly Finding[]): number {
  const rule = ruleOf(errorCode)
  if (vagueRules.includes(rule)) return 2
  const isOfOtherForm = (each: Finding): boolean =>
    each.path.startsWith(`${path}/`) ||
    (each.path === path && !['type', ...vagueRules].includes(ruleOf(each.errorCode)))
  return rule === 'type' && errors.some(isOfOtherForm) ? 1 : 0
}

const vagueRules = ['oneOf', 'anyOf', 'if']

const ruleOf = (errorCode = ''): string => errorCode.split('.', 1)[0] as string

const toFailure = (finding: Finding, errors: readonly Finding[], parts: RequestParts, search: boolean): Failure => {
  const [location = '', ...names] = finding.path.split('/').slice(1).map(unescape)
  if (location === 'body' && !(search && names[0] === 'query')) {
    const name = names.join('.')
    const value = valueAt(parts.body, names)
    const reason = describe(finding, errors, {
      name: name === '' ? 'the body' : `"${name}"`,
      value: ruleOf(finding.errorCode) === 'maxProperties' ? namesIn(value) : kindOf(value),
    })
    return names.length === 0 ? { kind: 'invalid-payload', reason } : { kind: 'invalid-payload', name, reason }
  }
  const values: { readonly [place: string]: unknown } = { body: parts.body, params: parts.path, headers: parts.headers }
  const from = values[location] ?? parts.query
  const name = (location === 'body' ? names.slice(1) : names).join('.') || 'query'
  return {
    kind: 'invalid-query',
    name,
    reason: describe(finding, errors, { name: `"${name}"`, value: show(valueAt(from, names)) }),
  }
}

type Subject = { readonly name: string; readonly value: string }

const describe = (finding: Finding, errors: readonly Finding[], subject: Subject): string => {
  const rule = ruleOf(finding.errorCode)
  if (rule === 'required') return `Expected ${subject.name} but received nothing`
  if (rule === 'additionalProperties' || rule === 'unevaluatedProperties') return `${subject.name} is not known here`
  return `Expected ${expectation(finding, errors)} for ${subject.name} but received ${subject.value}`
}

const articles: { readonly [type: string]: string } = {
  integer: 'an integer',
  object: 'an object',
  array: 'a list',
  string: 'a text',
}

/** Formats and patterns of the spec in words. */
const forms: readonly (readonly [words: RegExp, form: string])[] = [
  [/^must match (?:format "email"|pattern ".*@)/, 'an e-mail address'],
  [/^must match format "uuid"/, 'a uuid'],
  [/^must match format "date-time"/, 'a date and time (ISO 8601)'],
  [/^must match format "(?:uri|url)"/, 'an absolute address'],
  [/^must match pattern "\^-\?(?:\\d|\[0-9\])\{1,\d+\}\$"/, 'a whole number'],
  [/^must match pattern "\^(?:\\d|\[0-9\])\{1,\d+\}\$"/, 'a whole number without sign'],
]

const expectation = (finding: Finding, errors: readonly Finding[]): string => {
  const form = forms.find(([words]) => words.test(finding.message))
  if (form !== undefined) return form[1]
  if (!finding.message.startsWith('must be ') || finding.errorCode?.startsWith('type') !== true) {
    return finding.message
      .replace(/^must be equal to one of the allowed values: /, 'one of ')
      .replace(/^(one of .*), $/, '$1, null')
      .replace(/^must NOT have more than/, 'at most')
      .replace(/^must NOT have fewer than/, 'at least')
      .replace(/^(at (?:least|most) 1) (character|item)s/, '$1 $2')
      .replace(/^(at (?:least|most) 1) properties/, '$1 property')
      .replace(/^must (be|match) /, (_all, verb: string) => (verb === 'be' ? 'a value ' : 'a value of '))
  }
  const types = errors
    .filter((each) => each.path === finding.path && each.errorCode?.startsWith('type') === true)
    .flatMap((each) => each.message.slice('must be '.length).split(','))
  return [...new Set(types)].map((type) => articles[type] ?? `a ${type}`).join(' or ')
}

const unescape = (part: string): string => part.replaceAll('~1', '/').replaceAll('~0', '~')

const valueAt = (root: unknown, names: readonly string[]): unknown => {
  let value = root
  for (const name of names) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
    value = (value as { readonly [name: string]: unknown })[name]
  }
  return value
}

/** Errors name the type of a value, never the value: bodies contain passwords. */
const kindOf = (value: unknown): string => {
  if (value === undefined) return 'nothing'
  if (value === null) return 'null'
  if (value === '') return 'an empty text'
  if (Array.isArray(value)) return 'a list'
  return typeof value === 'string' ? 'a text' : typeof value === 'object' ? 'an object' : `a ${typeof value}`
}

const namesIn = (value: unknown): string =>
  Object.keys(value as object)
    .map((name) => JSON.stringify(name))
    .join(', ')
    .slice(0, 100)

const show = (value: unknown): string => {
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' ? JSON.stringify(value).slice(0, 100) : kindOf(value)
}

/** An answer outside the spec is a bug and must be noticed. */
export class SpecViolation extends Error {}

export const toReplyFailure = (
  form: { readonly method: string; readonly path: string },
  reply: ReplyParts,
  reason: string,
): SpecViolation =>
  new SpecViolation(`${form.method} ${form.path} answered ${reply.status} against its spec: ${reason}`)
