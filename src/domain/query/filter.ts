/** `Filter`: the neutral condition tree, used by queries, permission rules and validation alike. */
import type { Call } from './functions.ts'
import type { OperatorName } from './operators.ts'

export type Filter =
  /** Matches every row. */
  | { readonly kind: 'all' }
  /** Matches no row. A denied condition becomes `none`. */
  | { readonly kind: 'none' }
  | { readonly kind: 'and'; readonly filters: readonly Filter[] }
  | { readonly kind: 'or'; readonly filters: readonly Filter[] }
  | { readonly kind: 'not'; readonly filter: Filter }
  | Comparison
  | RelatedFilter

/** A comparison of one column, or of a function of a column, at this level. */
export type Comparison = {
  readonly kind: 'compare'
  readonly operand: Operand
  readonly operator: OperatorName
  /** Empty for operators of arity `none`, one value for `one`, two for `pair`, any number for `list`. */
  readonly values: readonly Value[]
}

export type Operand =
  /** `as`: the operator is one for texts and compares the text of the value, whatever its type. */
  | { readonly kind: 'field'; readonly field: string; readonly as?: 'text' }
  | ({
      readonly kind: 'function'
      /** Of `json`: whether its numbers are compared, or the texts of its values. */
      readonly as?: 'number' | 'text'
      /** Of `count` of a to-many field: archived rows do not count. */
      readonly live?: true
      /** Set only by authorize, on `count` of a to-many field: filter on the related rows that the actor may read. */
      readonly related?: Filter
    } & Call)

/**
 * A condition on related rows. `some`: at least one related row matches (the only row, for a
 * many-to-one); `none`: no related row does. `collection` names the scope of a many-to-any and the
 * related collection otherwise.
 */
export type RelatedFilter = {
  readonly kind: 'related'
  readonly field: string
  readonly collection: string
  readonly quantifier: 'some' | 'none'
  /** Of a rule, for `none`: matches nothing for actors that lack a value which the filter names. */
  readonly needsValues?: true
  /** The field of `collection` that refers to this row, where no field of this collection lists the rows: `field` is then no field. */
  readonly by?: string
  /** Of a to-many field: archived rows do not count. */
  readonly live?: true
  readonly filter: Filter
}

/** A literal, already converted to the type of the field, or a dynamic value that is resolved per request. */
export type Value = Literal | DynamicValue

/** A JSON object is GeoJSON. Big integers and decimals stay strings. */
export type Literal = string | number | boolean | null | { readonly [key: string]: unknown }

export type DynamicValue =
  /**
   * The time of the request, shifted by `milliseconds` and then by calendar `months`. `part` is set for `date` and
   * `time` fields: only the day, or only the time of day, in UTC.
   */
  | { readonly kind: 'now'; readonly milliseconds: number; readonly months: number; readonly part?: 'date' | 'time' }
  /** The actor's user: its key, or the field that `path` leads to. Null, which never matches, for actors without user. */
  | { readonly kind: 'current-user'; readonly path: readonly string[] }
  | { readonly kind: 'current-role'; readonly path: readonly string[] }
  /** The keys of the actor's roles. A list: allowed only with operators of arity `list`. */
  | { readonly kind: 'current-roles' }
  | { readonly kind: 'current-policies' }
  /** The row of an identity collection with this integer `number` (see `identity.ts`). */
  | { readonly kind: 'numbered'; readonly collection: string; readonly number: number }
  /**
   * Set only by authz. A list: the keys of all rows at the end of the path, over rows that match the guard of each step.
   * It is compared with the key of a row, whose field is the first of the key's columns.
   */
  | { readonly kind: 'reached'; readonly collection: string; readonly path: readonly ReachedStep[] }

/** `guard`: filter on the rows that the step starts from. `collection`: the related collection. */
export type ReachedStep = { readonly field: string; readonly collection: string; readonly guard: Filter }

export const matchAll: Filter = { kind: 'all' }
export const matchNone: Filter = { kind: 'none' }

/** A comparison of a field. */
export const compare = (field: string, operator: OperatorName, values: readonly Value[] = []): Comparison => ({
  kind: 'compare',
  operand: { kind: 'field', field },
  operator,
  values,
})

export const equals = (field: string, value: Value): Comparison => compare(field, 'eq', [value])

/** Conjunction, flattened. `all` is dropped; `none` makes the result `none`. */
export function and(...filters: readonly Filter[]): Filter {
  const stored: Filter[] = []
  for (const filter of filters) {
    if (filter.kind === 'none') return matchNone
    if (filter.kind === 'and') stored.push(...filter.filters)
    else if (filter.kind !== 'all') stored.push(filter)
  }
  return stored.length === 0 ? matchAll : stored.length === 1 ? (stored[0] as Filter) : { kind: 'and', filters: stored }
}

/** Disjunction, flattened. `none` is dropped; `all` makes the result `all`. Without operands the result is `none`. */
export function or(...filters: readonly Filter[]): Filter {
  const stored: Filter[] = []
  for (const filter of filters) {
    if (filter.kind === 'all') return matchAll
    if (filter.kind === 'or') stored.push(...filter.filters)
    else if (filter.kind !== 'none') stored.push(filter)
  }
  return stored.length === 0 ? matchNone : stored.length === 1 ? (stored[0] as Filter) : { kind: 'or', filters: stored }
}

/** Whether the value is dynamic, that is, resolved per request. */
export function isDynamic(value: Value): value is DynamicValue {
  return typeof value === 'object' && value !== null && 'kind' in value && dynamicKinds.has(value.kind as string)
}

const dynamicKinds: ReadonlySet<string> = new Set([
  'now',
  'current-user',
  'current-role',
  'current-roles',
  'current-policies',
  'numbered',
  'reached',
])
