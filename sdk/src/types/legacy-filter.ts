/** Filters and fields of the legacy generation: plain operator names, dotted paths, comma lists. */
import type { KindOf, ManyOf, NumberFor, OneOf, RelationName } from './schema.ts'

type Presence = { readonly null?: boolean; readonly nnull?: boolean; readonly logical?: 'or' | 'and' }
type Equality<Value> = Presence & { readonly [Name in 'eq' | 'neq']?: Value } & {
  readonly [Name in 'in' | 'nin']?: readonly Value[]
}
type Ordering<Value> = Equality<Value> & { readonly [Name in 'lt' | 'lte' | 'gt' | 'gte']?: Value } & {
  readonly [Name in 'between' | 'nbetween']?: readonly [Value, Value]
}
type Searching = { readonly [Name in `${'' | 'n'}${'contains' | 'like' | 'rlike'}`]?: string } & {
  readonly empty?: boolean
  readonly nempty?: boolean
}

/** Operators for a field of this type. */
type LegacyOperators<Value> = [Value] extends [boolean]
  ? Equality<boolean>
  : KindOf<Value> extends 'moment'
    ? Ordering<string | Date>
    : KindOf<Value> extends 'uuid'
      ? Equality<string>
      : KindOf<Value> extends 'json' | 'geometry'
        ? Presence
        : KindOf<Value> extends 'csv'
          ? Equality<string> & Searching
          : KindOf<Value> extends 'decimal' | 'bigInteger' | 'float'
            ? Ordering<number | string>
            : [Value] extends [number]
              ? Ordering<number>
              : Equality<Value> & ([Value] extends [string] ? Searching : unknown)

type ListOperators = { readonly all?: readonly (string | number)[]; readonly has?: number }

/** Conditions by field, or by a dotted path through one relation, combined with AND unless `logical` is `or`. */
export type LegacyFilter<Item> = {
  readonly [Name in keyof Item as Name extends RelationName<Item> ? never : Name]?:
    | LegacyOperators<NonNullable<Item[Name]>>
    | NonNullable<Item[Name]>
    | NumberFor<Item[Name]>
} & {
  readonly [Name in RelationName<Item>]?: [ManyOf<Item[Name]>] extends [never]
    ? Ordering<string | number> | string | number
    : ListOperators
} & {
  readonly [Path in RelatedPath<Item>]?: Path extends `${infer Name}.${infer Field}`
    ? LegacyOperators<NonNullable<ValueAt<Item, Name, Field>>>
    : never
}

type Related<Value> = OneOf<Value> | ManyOf<Value>

type RelatedPath<Item> = {
  [Name in RelationName<Item>]: `${Name}.${keyof Related<Item[Name]> & string}`
}[RelationName<Item>]

type ValueAt<Item, Name, Field> = Name extends keyof Item
  ? Related<Item[Name]> extends infer Other
    ? Field extends keyof Other
      ? Other[Field]
      : never
    : never
  : never

/** Splits a comma list of paths into entries of `fields`: `'id,author.name'` → `['id', { author: ['name'] }]`. */
export type ParsedFields<Text extends string> = Text extends `${infer First},${infer Rest}`
  ? readonly [ParsedPath<First>, ...ParsedFields<Rest>]
  : readonly [ParsedPath<Text>]

type ParsedPath<Path extends string> = Path extends `${infer First}.${infer Rest}`
  ? { readonly [Name in First]: readonly [ParsedPath<Rest>] }
  : Path
