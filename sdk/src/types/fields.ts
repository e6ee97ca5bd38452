/** `fields`: allowed entries, and the type of the result. */
import type { AnyCollections, Bare, Flat, ItemOf, KindOf, ManyOf, OneOf, RelationName } from './schema.ts'

type MomentFunction = 'year' | 'month' | 'week' | 'day' | 'weekday' | 'hour' | 'minute' | 'second'

type NamesOfKind<Item, Kind> = {
  [Name in keyof Item]-?: [KindOf<Item[Name]>] extends [Kind] ? Name : never
}[keyof Item] &
  string

type ListName<Item> = { [Name in keyof Item]-?: [ManyOf<Item[Name]>] extends [never] ? never : Name }[keyof Item] &
  string

/** `year(published)`, `count(comments)`: functions of the fields that have them. Every result is a number. */
export type FunctionOf<Item> =
  | `${MomentFunction}(${NamesOfKind<Item, 'moment'>})`
  | `count(${ListName<Item> | NamesOfKind<Item, 'json'>})`

/** One entry of `fields`: a name, a wildcard, a function, or an object that goes into relations. */
export type FieldOf<Schema, Item> =
  | '*'
  | (keyof Item & string)
  | FunctionOf<Item>
  | ([RelationName<Item>] extends [never]
      ? never
      : { readonly [Name in RelationName<Item>]?: NestedFields<Schema, Item[Name]> })

/** Fields of the related item; for a many-to-any, per collection. */
type NestedFields<Schema, Value> = [AnyCollections<Value>] extends [never]
  ? readonly FieldOf<Schema, OneOf<Value> | ManyOf<Value>>[]
  : { readonly [Name in AnyCollections<Value>]?: readonly FieldOf<Schema, ItemOf<Schema, Name>>[] }

/** Refuses keys of nested objects that are not relations, which inference alone would accept. */
export type CheckedFields<Schema, Item, Fields> = {
  [Index in keyof Fields]: Fields[Index] extends string
    ? Fields[Index]
    : {
        [Name in keyof Fields[Index]]: Name extends RelationName<Item>
          ? CheckedNested<Schema, Item[Name], Fields[Index][Name]>
          : never
      }
}

type CheckedNested<Schema, Value, Nested> = [AnyCollections<Value>] extends [never]
  ? CheckedFields<Schema, OneOf<Value> | ManyOf<Value>, Nested>
  : {
      [Name in keyof Nested]: Name extends AnyCollections<Value>
        ? CheckedFields<Schema, ItemOf<Schema, Name>, Nested[Name]>
        : never
    }

/** The item narrowed by `fields`. `Field` is the union of the entries of `fields`. */
export type Selected<Schema, Item, Field> = Flat<
  {
    [Name in keyof Item as Name extends Exclude<NamedBy<Item, Field>, NestedBy<Field>> ? Name : never]: Bare<Item[Name]>
  } & {
    [Name in NestedBy<Field> & keyof Item]: Expanded<Schema, Item[Name], EntriesOf<Field, Name>>
  } & {
    [Call in Field as Call extends `${infer Name}(${infer Argument})` ? `${Argument}_${Name}` : never]: number
  }
>

type NamedBy<Item, Field> = '*' extends Field ? keyof Item : Extract<Field, keyof Item>

type NestedBy<Field> = Field extends object ? keyof Field : never

/** The entries under one name, merged from all objects of `fields`. */
type EntriesOf<Field, Name> = Field extends { readonly [Key in Name & PropertyKey]: infer Nested } ? Nested : never

type EntryOf<Nested> = Nested extends readonly (infer Field)[] ? Field : never

type Expanded<Schema, Value, Nested> = [AnyCollections<Value>] extends [never]
  ? [ManyOf<Value>] extends [never]
    ? Selected<Schema, OneOf<Value>, EntryOf<Nested>> | Extract<Value, null>
    : Selected<Schema, ManyOf<Value>, EntryOf<Nested>>[]
  :
      | { [Name in keyof Nested]: Selected<Schema, ItemOf<Schema, Name>, EntryOf<Nested[Name]>> }[keyof Nested]
      | Extract<Value, null>

/** An item with the additional field names of `alias`. */
export type Aliased<Item, Alias> = Item & {
  [Name in keyof Alias]: Alias[Name] extends keyof Item ? Item[Alias[Name]] : never
}

/** An item in a write: relations by key or as nested items, dates also as `Date`. */
export type Written<Schema, Item> = { [Name in keyof Item]?: WrittenValue<Schema, Item[Name]> }

type WrittenValue<Schema, Value> = [KindOf<Value>] extends ['moment']
  ? Value | Date
  : [AnyCollections<Value>] extends [never]
    ? [OneOf<Value>] extends [never]
      ? [ManyOf<Value>] extends [never]
        ? Value
        : WrittenMany<Schema, ManyOf<Value>, KeysOf<Value>> | null
      : Bare<Value> | Written<Schema, OneOf<Value>>
    : Value | Written<Schema, ItemOf<Schema, AnyCollections<Value>>>

type KeysOf<Value> = Bare<Value> extends readonly (infer Key)[] ? Key : never

/** A list replaces all related items; the detailed form leaves unnamed items unchanged. */
type WrittenMany<Schema, Item, Key> =
  | readonly (Key | Written<Schema, Item>)[]
  | {
      readonly create?: readonly Written<Schema, Item>[]
      readonly update?: readonly Written<Schema, Item>[]
      readonly delete?: readonly Key[]
    }

/** As above in the legacy generation: objects with `$delete` are deleted, and a list leaves unnamed items unchanged. */
export type LegacyWritten<Schema, Item> = { [Name in keyof Item]?: LegacyWrittenValue<Schema, Item[Name]> }

type LegacyWrittenValue<Schema, Value> = [KindOf<Value>] extends ['moment']
  ? Value | Date
  : [OneOf<Value>] extends [never]
    ? [ManyOf<Value>] extends [never]
      ? Value
      : readonly LegacyRow<Schema, ManyOf<Value>>[]
    : Bare<Value> | LegacyRow<Schema, OneOf<Value>>

type LegacyRow<Schema, Item> = LegacyWritten<Schema, Item> & { readonly $delete?: true }
