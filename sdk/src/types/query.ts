/** Query types of typed items, per generation. */
import type { Aliased, CheckedFields, FieldOf, FunctionResults } from './fields.ts'
import type { CheckedSort, Filter, Sort } from './filter.ts'
import type { LegacyFilter } from './legacy-filter.ts'
import type { Bare, Flat, ManyOf, NumberFor, OneOf, RelationName } from './schema.ts'

/** Additional names for fields: `{ latest: 'comments' }`; use them in `fields`. */
export type Alias<Item> = { readonly [name: string]: keyof Item & string }

/** The query of one item. */
export type ItemQuery<Schema, Item, Names extends Alias<Item>, Fields> = {
  readonly fields?: Fields & CheckedFields<Schema, Aliased<Item, Names>, Fields>
  readonly alias?: Names
  // oxlint-disable-next-line typescript/no-generated-empty-object-type -- only while Item is unknown
  readonly deep?: Deep<Schema, Aliased<Item, Names>>
}

/** What a list of items is asked for. */
export type ItemsQuery<Schema, Item, Names extends Alias<Item>, Fields, Sorts> = ItemQuery<
  Schema,
  Item,
  Names,
  Fields
> &
  Omit<Selecting<Schema, Item>, 'sort'> & {
    readonly sort?: Sorts & CheckedSort<Item, Sorts>
    /** The `$cursor` of the item behind which the list begins. */
    readonly cursor?: string
  }

/** Parameters that select items. */
export type Selecting<Schema, Item> = {
  readonly filter?: Filter<Schema, Item>
  readonly search?: string
  readonly sort?: readonly Sort<Item>[]
  readonly limit?: number
  readonly offset?: number
  readonly page?: number
}

/** Parameters of related items, per relation and level. */
type Deep<Schema, Item> = {
  readonly [Name in RelationName<Item>]?: DeepLevel<Schema, OneOf<Item[Name]> | ManyOf<Item[Name]>>
}

type DeepLevel<Schema, Item> = Deep<Schema, Item> & {
  readonly [Name in keyof Selecting<Schema, Item> as `_${Name}`]?: Selecting<Schema, Item>[Name]
} & { readonly _cursor?: string }

/** The list that items may be sorted by. */
export type SortList<Item> = readonly Sort<Item>[]

/** The list of fields that a query may be written with. */
export type FieldList<Schema, Item, Names extends Alias<Item>> = readonly (
  | FieldOf<Schema, Item>
  | ([keyof Names] extends [never] ? never : (keyof Names & string) | { readonly [Name in keyof Names]?: object })
)[]

type NumberName<Item> = {
  [Name in keyof Item]-?: NonNullable<Item[Name]> extends number
    ? Name
    : [NumberFor<Item[Name]>] extends [never]
      ? never
      : Name
}[keyof Item] &
  string

type ColumnName<Item> = Exclude<keyof Item & string, RelationName<Item>>

type Counting = 'count' | 'countDistinct'
type Calculating = 'sum' | 'sumDistinct' | 'avg' | 'avgDistinct'
type Bounding = 'min' | 'max'

/** Aggregate functions and their fields. */
export type Aggregate<Item> = {
  readonly [Name in Counting]?: '*' | readonly (keyof Item & string)[]
} & {
  readonly [Name in Calculating]?: readonly NumberName<Item>[]
} & { readonly [Name in Bounding]?: readonly ColumnName<Item>[] }

/** A group: its keys, and the results per function (sums and counts may be text). */
export type Group<Item, Functions, GroupBy> = Flat<
  {
    -readonly [Name in keyof Functions]: Functions[Name] extends readonly (infer Field extends string)[]
      ? { [Key in Field]: Result<Item, Name, Key> }
      : number | string
  } & { [Name in keyof Item as Name extends GroupBy ? Name : never]: Bare<Item[Name]> } & FunctionResults<Item, GroupBy>
>

type Result<Item, Name, Field> = Name extends Counting
  ? number | string
  : Name extends Bounding
    ? Field extends keyof Item
      ? Item[Field] | null
      : never
    : number | string | null

/** Parameters that select items in the legacy generation. */
export type LegacySelecting<Item> = {
  readonly filter?: LegacyFilter<Item>
  readonly q?: string
  readonly sort?: readonly (`${'' | '-'}${ColumnName<Item>}` | '?')[]
  readonly limit?: number
  readonly offset?: number
  readonly page?: number
  readonly status?: string | readonly string[]
}
