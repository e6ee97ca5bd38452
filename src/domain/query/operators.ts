/**
 * The table of all filter operators. Each generation has a table from wire names to these names; operators without an
 * entry are not available in that generation.
 */
import type { FieldType } from './field-types.ts'

/** The number of values that an operator takes. */
export type Arity = 'none' | 'one' | 'pair' | 'list'

/** Groups of field types; see `typeGroups` for their members. */
export type TypeGroup = 'text' | 'number' | 'moment' | 'boolean' | 'uuid' | 'json' | 'geometry' | 'hidden' | 'open'

type Operator = { readonly arity: Arity; readonly groups: readonly TypeGroup[]; readonly negates?: string }

const everywhere = ['text', 'number', 'moment', 'boolean', 'uuid', 'json', 'geometry', 'hidden', 'open'] as const
const comparable = ['text', 'number', 'moment', 'boolean', 'uuid', 'geometry', 'open'] as const
const listable = ['text', 'number', 'moment', 'boolean', 'uuid', 'open'] as const
const ordered = ['number', 'moment', 'open'] as const
const textual = ['text', 'open'] as const
const fillable = ['text', 'hidden', 'open'] as const

/** `negates` names the operator that a negative operator negates. */
export const operators = {
  eq: { arity: 'one', groups: comparable },
  neq: { arity: 'one', groups: comparable, negates: 'eq' },
  lt: { arity: 'one', groups: ordered },
  lte: { arity: 'one', groups: ordered },
  gt: { arity: 'one', groups: ordered },
  gte: { arity: 'one', groups: ordered },
  in: { arity: 'list', groups: listable },
  nin: { arity: 'list', groups: listable, negates: 'in' },
  null: { arity: 'none', groups: everywhere },
  nnull: { arity: 'none', groups: everywhere, negates: 'null' },
  empty: { arity: 'none', groups: fillable },
  nempty: { arity: 'none', groups: fillable, negates: 'empty' },
  contains: { arity: 'one', groups: textual },
  ncontains: { arity: 'one', groups: textual, negates: 'contains' },
  icontains: { arity: 'one', groups: textual },
  nicontains: { arity: 'one', groups: textual, negates: 'icontains' },
  startsWith: { arity: 'one', groups: textual },
  nstartsWith: { arity: 'one', groups: textual, negates: 'startsWith' },
  istartsWith: { arity: 'one', groups: textual },
  nistartsWith: { arity: 'one', groups: textual, negates: 'istartsWith' },
  endsWith: { arity: 'one', groups: textual },
  nendsWith: { arity: 'one', groups: textual, negates: 'endsWith' },
  iendsWith: { arity: 'one', groups: textual },
  niendsWith: { arity: 'one', groups: textual, negates: 'iendsWith' },
  /** The value is a case-insensitive pattern with `%` and `_`. */
  like: { arity: 'one', groups: textual },
  nlike: { arity: 'one', groups: textual, negates: 'like' },
  between: { arity: 'pair', groups: ordered },
  nbetween: { arity: 'pair', groups: ordered, negates: 'between' },
  intersects: { arity: 'one', groups: ['geometry'] },
  nintersects: { arity: 'one', groups: ['geometry'], negates: 'intersects' },
  intersectsBox: { arity: 'one', groups: ['geometry'] },
  nintersectsBox: { arity: 'one', groups: ['geometry'], negates: 'intersectsBox' },
  /** Only in validation. Evaluated in memory in linear time, never sent to a database. */
  regex: { arity: 'one', groups: ['text'] },
  /** Only in validation: the payload contains the field. */
  submitted: { arity: 'none', groups: everywhere },
} as const satisfies Record<string, Operator>

export type OperatorName = keyof typeof operators

/** The group of each field type, which decides the allowed operators. Concealed fields are always `hidden`. */
export const typeGroups = {
  string: 'text',
  text: 'text',
  csv: 'text',
  binary: 'text',
  integer: 'number',
  bigInteger: 'number',
  float: 'number',
  decimal: 'number',
  dateTime: 'moment',
  date: 'moment',
  time: 'moment',
  timestamp: 'open',
  boolean: 'boolean',
  uuid: 'uuid',
  json: 'json',
  hash: 'hidden',
  geometry: 'geometry',
  alias: 'open',
  unknown: 'open',
} as const satisfies Record<FieldType, TypeGroup>

/** What decides which operators a field takes. `values`: the words of an enumerated type, which have an order. */
export type OperatorSubject = {
  readonly type: FieldType
  readonly concealed: boolean
  readonly column: { readonly values?: readonly string[] } | null
}

/** Whether `operator` may be used on the field. */
export function isOperatorAllowed(operator: OperatorName, { type, concealed, column }: OperatorSubject): boolean {
  const group: TypeGroup = concealed ? 'hidden' : typeGroups[type]
  if (group === 'text' && column?.values !== undefined && isOrdering(operator)) return true
  return (operators[operator].groups as readonly TypeGroup[]).includes(group)
}

/** Whether the operator depends on the order of values. */
export const isOrdering = (operator: OperatorName): boolean => operators[operator].groups === ordered

/**
 * Whether the values of the field have a text that the operator compares, as version 8 does: those for texts, and those
 * for the order where the value is a text itself.
 */
export function isTextAllowed(operator: OperatorName, { type, concealed }: OperatorSubject): boolean {
  const group: TypeGroup = concealed ? 'hidden' : typeGroups[type]
  if (isOrdering(operator)) return !concealed && (type === 'string' || type === 'text')
  return operators[operator].groups === textual && type !== 'alias' && withText.has(group)
}

const withText: ReadonlySet<TypeGroup> = new Set(['text', 'number', 'moment', 'uuid', 'json', 'open'])
