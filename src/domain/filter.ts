/** `Filter`: the neutral condition tree, used by queries, permission rules and validation alike. */
import type { FunctionName } from './functions.ts'
import type { OperatorName } from './operators.ts'

export type Filter =
  /** Matches every row. */
  | { readonly kind: 'all' }
  /** Matches no row: what a missing right becomes. */
  | { readonly kind: 'none' }
  | { readonly kind: 'and'; readonly filters: readonly Filter[] }
  | { readonly kind: 'or'; readonly filters: readonly Filter[] }
  | { readonly kind: 'not'; readonly filter: Filter }
  | Comparison
  | RelatedFilter

/** One operator on one column (or function of a column) of the collection at this level. */
export type Comparison = {
  readonly kind: 'compare'
  readonly operand: Operand
  readonly operator: OperatorName
  /** Empty for operators of arity `none`, one value for `one`, two for `pair`, any number for `list`. */
  readonly values: readonly Value[]
}

export type Operand =
  | { readonly kind: 'field'; readonly field: string }
  | {
      readonly kind: 'function'
      readonly function: FunctionName
      readonly field: string
      /** Set by authorize alone, on `count` of a to-many field: the related rows that exist for the actor. */
      readonly related?: Filter
    }

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
  readonly filter: Filter
}

/** A value as the client wrote it, typed against the field by the parser, or one resolved per request. */
export type Value = Literal | DynamicValue

/** JSON objects stand for GeoJSON. Big integers and decimals stay strings. */
export type Literal = string | number | boolean | null | { readonly [key: string]: unknown }

export type DynamicValue =
  /**
   * The request's instant, moved by `milliseconds` and then by calendar `months`; `part`: its day or its time of day
   * alone (in UTC), for fields that hold no more.
   */
  | { readonly kind: 'now'; readonly milliseconds: number; readonly months: number; readonly part?: 'date' | 'time' }
  /** The actor's user, with an empty path its key. An actor without user resolves to null, which never matches. */
  | { readonly kind: 'current-user'; readonly path: readonly string[] }
  | { readonly kind: 'current-role'; readonly path: readonly string[] }
  /** Lists: used with operators of arity `list`. */
  | { readonly kind: 'current-roles' }
  | { readonly kind: 'current-policies' }
  /** The row of an identity collection that carries this integer `number` (see `identity.ts`). */
  | { readonly kind: 'numbered'; readonly collection: string; readonly number: number }
  /** Set by authz alone: the keys of all rows that the path leads to, over rows that match each step's guard. A list. */
  | { readonly kind: 'reached'; readonly collection: string; readonly path: readonly ReachedStep[] }

/** `guard`: the rows that the step may start from; `collection`: where it leads. */
export type ReachedStep = { readonly field: string; readonly collection: string; readonly guard: Filter }

export const matchAll: Filter = { kind: 'all' }
export const matchNone: Filter = { kind: 'none' }

/** Conjunction, flattened and short-circuited: `all` vanishes, `none` wins. */
export function and(...filters: readonly Filter[]): Filter {
  const kept: Filter[] = []
  for (const filter of filters) {
    if (filter.kind === 'none') return matchNone
    if (filter.kind === 'and') kept.push(...filter.filters)
    else if (filter.kind !== 'all') kept.push(filter)
  }
  return kept.length === 0 ? matchAll : kept.length === 1 ? (kept[0] as Filter) : { kind: 'and', filters: kept }
}

/** Disjunction, flattened and short-circuited: `none` vanishes, `all` wins; of nothing is `none`. */
export function or(...filters: readonly Filter[]): Filter {
  const kept: Filter[] = []
  for (const filter of filters) {
    if (filter.kind === 'all') return matchAll
    if (filter.kind === 'or') kept.push(...filter.filters)
    else if (filter.kind !== 'none') kept.push(filter)
  }
  return kept.length === 0 ? matchNone : kept.length === 1 ? (kept[0] as Filter) : { kind: 'or', filters: kept }
}

/** True for the object kinds of `Value` that are resolved per request. */
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
