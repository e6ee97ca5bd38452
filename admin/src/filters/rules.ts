/** A filter of the API as a list of rules, and back. */

import { namesOf } from '../model/names.ts'
import { toText } from '../model/to-text.ts'
import { isQuantifier, toPath } from './paths.ts'

export type Rule = { readonly path: string; readonly operator: string; readonly value: unknown }

export type RuleList = { readonly join: '_and' | '_or'; readonly rules: readonly Rule[] }

/** Operators by the types that have them; `arity` is what the operand is. */
export const operators = {
  _eq: 'one',
  _neq: 'one',
  _contains: 'one',
  _ncontains: 'one',
  _icontains: 'one',
  _starts_with: 'one',
  _ends_with: 'one',
  _lt: 'one',
  _lte: 'one',
  _gt: 'one',
  _gte: 'one',
  _in: 'many',
  _nin: 'many',
  _between: 'many',
  _null: 'none',
  _nnull: 'none',
  _empty: 'none',
  _nempty: 'none',
} as const satisfies { readonly [operator: string]: 'one' | 'many' | 'none' }

export type Operator = keyof typeof operators

const always: readonly Operator[] = ['_eq', '_neq', '_in', '_nin', '_null', '_nnull']
const words: readonly Operator[] = [
  '_contains',
  '_icontains',
  '_ncontains',
  '_starts_with',
  '_ends_with',
  '_empty',
  '_nempty',
]
const order: readonly Operator[] = ['_lt', '_lte', '_gt', '_gte', '_between']

export function operatorsOf(type: string): readonly Operator[] {
  if (type === 'boolean') return ['_eq', '_null', '_nnull']
  if (type === 'string' || type === 'text') return [...always, ...words]
  if (type === 'json' || type === 'csv') return ['_null', '_nnull', ...words.slice(0, 1)]
  if (/^(integer|bigInteger|float|decimal|date|time|dateTime|timestamp)$/.test(type)) return [...always, ...order]
  return always
}

type Plain = { readonly [name: string]: unknown }

const isPlain = (value: unknown): value is Plain => typeof value === 'object' && value !== null && !Array.isArray(value)

/** The rules of a filter; null for one that a list of rules cannot say. */
export function toRules(filter: object | null | undefined): RuleList | null {
  if (filter === null || filter === undefined || Object.keys(filter).length === 0) return { join: '_and', rules: [] }
  const entries = Object.entries(filter)
  const [[name, value] = ['', null]] = entries
  if (entries.length === 1 && (name === '_and' || name === '_or') && Array.isArray(value)) {
    const rules = value.map((each) => toRule(each))
    return rules.every((rule) => rule !== null) ? { join: name, rules } : null
  }
  const rules = entries.map(([key, each]) => toRule({ [key]: each }))
  return rules.every((rule) => rule !== null) ? { join: '_and', rules } : null
}

function toRule(filter: unknown, path: readonly string[] = []): Rule | null {
  if (!isPlain(filter)) return null
  const entries = Object.entries(filter)
  const [[name, value] = ['', null]] = entries
  if (entries.length !== 1 || name === '_and' || name === '_or') return null
  if (Object.hasOwn(operators, name)) return path.length === 0 ? null : { path: toPath(path), operator: name, value }
  const isName = isQuantifier(name) ? path.length > 0 && !isQuantifier(path.at(-1) ?? '') : !name.startsWith('_')
  return isName ? toRule(value, [...path, name]) : null
}

export const fromRules = ({ join, rules }: RuleList): object =>
  rules.length === 0 ? {} : { [join]: rules.map(fromRule) }

const fromRule = ({ path, operator, value }: Rule): object =>
  namesOf(path).reduceRight<object>((inner, name) => ({ [name]: inner }), { [operator]: operandOf(operator, value) })

const operandOf = (operator: string, value: unknown): unknown =>
  operators[operator as Operator] === 'none' ? true : value

/** The operand from the text of an input. Dynamic values such as `$CURRENT_USER` stay text. */
export function toOperand(text: string, type: string, arity: 'one' | 'many' | 'none'): unknown {
  if (arity === 'many') return text.split(',').map((part) => toOperand(part.trim(), type, 'one'))
  if (text.startsWith('$')) return text
  if (type === 'boolean') return text === 'true'
  if ((type === 'integer' || type === 'float') && text.trim() !== '' && Number.isFinite(Number(text)))
    return Number(text)
  return text
}

export const toOperandText = (value: unknown): string =>
  Array.isArray(value) ? value.map(toOperandText).join(', ') : toText(value)
