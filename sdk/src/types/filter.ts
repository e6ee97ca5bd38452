/** `filter` and `sort` of the current generation: existing fields, and operators for their types. */
import type { FunctionOf } from './fields.ts'
import type { AnyCollections, Bare, ItemOf, KindOf, ManyOf, NameOf, NumberFor, OneOf, RelationName } from './schema.ts'

type Presence = { readonly _null?: boolean; readonly _nnull?: boolean }
type Equality<Value> = Presence & { readonly _eq?: Value; readonly _neq?: Value }
type Listing<Value> = Equality<Value> & { readonly _in?: readonly Value[]; readonly _nin?: readonly Value[] }
type Ordering<Value> = Listing<Value> & {
  readonly [Name in '_lt' | '_lte' | '_gt' | '_gte']?: Value
} & { readonly [Name in '_between' | '_nbetween']?: readonly [Value, Value] }

type Emptiness = { readonly _empty?: boolean; readonly _nempty?: boolean }
type TextOperator =
  | `_${'' | 'n'}${'contains' | 'icontains'}`
  | `_${'' | 'n' | 'i' | 'ni'}${'starts_with' | 'ends_with'}`
type Searching = Emptiness & { readonly [Name in Exclude<TextOperator, '_nicontains'>]?: string }

/** Values that the server resolves when it runs the query. */
type DynamicValue =
  | '$NOW'
  | `$NOW(${string})`
  | '$CURRENT_USER'
  | '$CURRENT_ROLE'
  | `$CURRENT_USER.${string}`
  | `$CURRENT_ROLE.${string}`

type Shape = `_${'' | 'n'}intersects${'' | '_bbox'}`

/** Operators for a field of this type. */
type Operators<Value> = [Value] extends [boolean]
  ? Equality<boolean>
  : KindOf<Value> extends 'moment'
    ? Ordering<string | Date> & Emptiness
    : KindOf<Value> extends 'uuid'
      ? Listing<string>
      : KindOf<Value> extends 'decimal' | 'bigInteger' | 'float'
        ? Ordering<number | string>
        : KindOf<Value> extends 'json'
          ? Presence
          : KindOf<Value> extends 'geometry'
            ? Equality<object> & { readonly [Name in Shape]?: object }
            : KindOf<Value> extends 'csv'
              ? Listing<string> & Searching
              : [Value] extends [number]
                ? Ordering<number | DynamicValue>
                : Listing<Value> & ([Value] extends [string] ? Searching : unknown)

/** Conditions on an item, combined with AND. */
export type Filter<Schema, Item> = {
  readonly [Name in NameOf<Item>]?: FieldFilter<Schema, Item[Name]>
} & { readonly [Call in FunctionOf<Item>]?: Ordering<number> } & {
  readonly [Path in ScopedName<Item>]?: Path extends `${string}:${infer Name}`
    ? Filter<Schema, ItemOf<Schema, Name>>
    : never
} & {
  readonly _and?: readonly Filter<Schema, Item>[]
  readonly _or?: readonly Filter<Schema, Item>[]
}

type FieldFilter<Schema, Value> = [OneOf<Value> | ManyOf<Value> | AnyCollections<Value>] extends [never]
  ? Operators<NonNullable<Value>> | NonNullable<Value> | NumberFor<Value>
  : RelatedFilter<Schema, Value>

type RelatedFilter<Schema, Value> = [AnyCollections<Value>] extends [never]
  ? [ManyOf<Value>] extends [never]
    ? Key<Value> | DynamicValue | Operators<Key<Value>> | Filter<Schema, OneOf<Value>>
    : Filter<Schema, ManyOf<Value>> | { readonly [Quantifier in '_some' | '_none']?: Filter<Schema, ManyOf<Value>> }
  : Presence

/** `item:headings`: a many-to-any field and one of its collections. */
type ScopedName<Item> = {
  [Name in NameOf<Item>]-?: [AnyCollections<Item[Name]>] extends [never]
    ? never
    : `${Name}:${AnyCollections<Item[Name]>}`
}[NameOf<Item>]

type Key<Value> = NonNullable<Bare<Value>>

type Related<Value> = OneOf<Value> | ManyOf<Value>

type ColumnName<Item> = Exclude<NameOf<Item>, RelationName<Item>> | FunctionOf<Item>

type OneName<Item> = {
  [Name in RelationName<Item>]: [OneOf<Item[Name]>] extends [never] ? never : Name
}[RelationName<Item>]

/** One entry of `sort`: a field, or a path through relations; `-` in front turns it around. */
export type Sort<Item> = `${'' | '-'}${ColumnName<Item> | OneName<Item> | `${RelationName<Item>}.${string}`}`

/** Refuses paths that lead nowhere. Naming all that lead somewhere would cost too much. */
export type CheckedSort<Item, Sorts> = {
  [Index in keyof Sorts]: Sorts[Index] extends `${string}.${string}`
    ? Sorts[Index] extends `-${infer Path}`
      ? `-${CheckedPath<Item, Path>}`
      : CheckedPath<Item, Sorts[Index]>
    : Sorts[Index]
}

type CheckedPath<Item, Path> = Path extends `${infer Name}.${infer Rest}`
  ? Name extends RelationName<Item>
    ? `${Name}.${CheckedPath<Related<Item[Name]>, Rest>}`
    : RelationName<Item>
  : ColumnName<Item> | OneName<Item>
