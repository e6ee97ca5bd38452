/** Conditions of fields: rules over the values of the form that hide, lock or demand a field. */
import type { Condition, Field } from './model.ts'

type Values = { readonly [field: string]: unknown }

const isPlain = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)

const compare = (a: unknown, b: unknown): number | null => {
  if (isEmpty(a) || isEmpty(b)) return null
  const [x, y] = [Number(a), Number(b)]
  if (!Number.isNaN(x) && !Number.isNaN(y)) return x - y
  return String(a) < String(b) ? -1 : String(a) > String(b) ? 1 : 0
}

const isSame = (a: unknown, b: unknown): boolean =>
  (isEmpty(a) && isEmpty(b)) || a === b || (!isEmpty(a) && !isEmpty(b) && String(a) === String(b))

const text = (value: unknown): string => (isEmpty(value) ? '' : Array.isArray(value) ? value.join(',') : String(value))

const tests: { readonly [operator: string]: (value: unknown, operand: unknown) => boolean } = {
  _eq: isSame,
  _neq: (a, b) => !isSame(a, b),
  _in: (a, b) => Array.isArray(b) && b.some((each) => isSame(a, each)),
  _nin: (a, b) => Array.isArray(b) && !b.some((each) => isSame(a, each)),
  _null: (a, b) => (a === null || a === undefined) === (b !== false),
  _nnull: (a, b) => (a !== null && a !== undefined) === (b !== false),
  _empty: (a, b) => isEmpty(a) === (b !== false),
  _nempty: (a, b) => !isEmpty(a) === (b !== false),
  _contains: (a, b) => text(a).includes(text(b)),
  _ncontains: (a, b) => !text(a).includes(text(b)),
  _icontains: (a, b) => text(a).toLowerCase().includes(text(b).toLowerCase()),
  _starts_with: (a, b) => text(a).startsWith(text(b)),
  _ends_with: (a, b) => text(a).endsWith(text(b)),
  _lt: (a, b) => (compare(a, b) ?? 0) < 0,
  _lte: (a, b) => (compare(a, b) ?? 1) <= 0,
  _gt: (a, b) => (compare(a, b) ?? 0) > 0,
  _gte: (a, b) => (compare(a, b) ?? -1) >= 0,
}

/** Whether values satisfy a rule. What it does not know does not hold. */
export function holds(rule: unknown, values: unknown): boolean {
  if (!isPlain(rule)) return false
  return Object.entries(rule).every(([name, operand]) => {
    if (name === '_and') return Array.isArray(operand) && operand.every((each) => holds(each, values))
    if (name === '_or') return Array.isArray(operand) && operand.some((each) => holds(each, values))
    if (name.startsWith('_')) return Object.hasOwn(tests, name) && tests[name]?.(values, operand) === true
    return holds(operand, isPlain(values) ? values[name] : undefined)
  })
}

/** The field as it is for these values: conditions that hold override the metadata, the last one last. */
export function underConditions(field: Field, values: Values): Field {
  const held = (field.meta?.conditions ?? []).filter(({ rule }) => rule !== undefined && holds(rule, values))
  if (held.length === 0) return field
  const overrides = held.map(({ hidden, readonly, required, options }: Condition) => ({
    ...(hidden !== undefined && hidden !== null && { hidden }),
    ...(readonly !== undefined && readonly !== null && { readonly }),
    ...(required !== undefined && required !== null && { required }),
    ...(options && { options: { ...field.meta?.options, ...options } }),
  }))
  return { ...field, meta: Object.assign({}, field.meta, ...overrides) as Field['meta'] }
}
