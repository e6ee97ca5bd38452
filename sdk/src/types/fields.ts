/** `fields`: what may be asked for, and the type of what then comes back. */
import type {
  AnyCollections,
  Bare,
  Flat,
  ItemOf,
  KindOf,
  ManyOf,
  NameOf,
  OneOf,
  ReadOnlyName,
  RelationName,
  RequiredName,
} from './schema.ts'

type MomentFunction = 'year' | 'month' | 'week' | 'day' | 'weekday' | 'hour' | 'minute' | 'second'

type MomentName<Item> = {
  [Name in NameOf<Item>]-?: [KindOf<Item[Name]>] extends ['moment'] ? Name : never
}[NameOf<Item>]

type CountedName<Item> = {
  [Name in NameOf<Item>]-?: [ManyOf<Item[Name]>] extends [never]
    ? [KindOf<Item[Name]>] extends ['json']
      ? Name
      : never
    : Name
}[NameOf<Item>]

/** `year(published)`, `count(comments)`: functions of the fields that have them. Every result is a number. */
export type FunctionOf<Item> = `${MomentFunction}(${MomentName<Item>})` | `count(${CountedName<Item>})`

/** One entry of `fields`: a name, a wildcard, a function, or an object that goes into relations. */
export type FieldOf<Schema, Item> =
  | '*'
  | NameOf<Item>
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
  [Index in keyof Fields]: CheckedEntry<Schema, Item, Fields[Index]>
}

/** Looks at each member of a union: where inference gives up, an entry is all that may be written. */
type CheckedEntry<Schema, Item, Entry> = Entry extends string
  ? Entry
  : {
      [Name in keyof Entry]: Name extends RelationName<Item> ? CheckedNested<Schema, Item[Name], Entry[Name]> : never
    }

type CheckedNested<Schema, Value, Nested> = [AnyCollections<Value>] extends [never]
  ? CheckedFields<Schema, OneOf<Value> | ManyOf<Value>, Nested>
  : {
      [Name in keyof Nested]: Name extends AnyCollections<Value>
        ? CheckedFields<Schema, ItemOf<Schema, Name>, Nested[Name]>
        : never
    }

/** The item as `fields` leaves it. `Field` is the union of the entries of `fields`. */
export type Selected<Schema, Item, Field> = [FunctionIn<Field>] extends [never]
  ? Chosen<Schema, Item, NamedBy<Item, Field> | (NestedBy<Field> & NameOf<Item>), Field>
  : Flat<
      Chosen<Schema, Item, NamedBy<Item, Field> | (NestedBy<Field> & NameOf<Item>), Field> &
        FunctionResults<Item, Field>
    >

/** What functions give, by the names of the answer: the year of nothing is null. */
export type FunctionResults<Item, Calls> = {
  [Call in FunctionIn<Calls> as Call extends `${infer Name}(${infer Argument})`
    ? `${Argument}_${Name}`
    : never]: Call extends `${string}(${infer Argument extends keyof Item & string})`
    ? number | Extract<Item[Argument], null>
    : never
}

type FunctionIn<Field> = Extract<Field, `${string}(${string})`>

type Chosen<Schema, Item, Names extends keyof Item, Field> = {
  [Name in Names]: Name extends NestedBy<Field>
    ? Expanded<Schema, Item[Name], EntriesOf<Field, Name>>
    : Bare<Item[Name]>
}

type NamedBy<Item, Field> = '*' extends Field ? NameOf<Item> : Extract<Field, NameOf<Item>>

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

/** An item with further names for its fields, as `alias` makes them. */
export type Aliased<Item, Alias> = [keyof Alias] extends [never]
  ? Item
  : Item & { -readonly [Name in keyof Alias]: Alias[Name] extends keyof Item ? Item[Alias[Name]] : never }

type WritableName<Item> = Exclude<NameOf<Item>, ReadOnlyName<Item>>

/** An item as it is changed: relations by key or as nested items, dates also as `Date`, without what only the server sets. */
export type Written<Schema, Item> = Item extends unknown
  ? { [Name in WritableName<Item>]?: WrittenValue<Schema, Item[Name]> }
  : never

/** An item as it is created: with all that it needs. */
export type Created<Schema, Item> = [RequiredName<Item>] extends [never]
  ? Written<Schema, Item>
  : Written<Schema, Item> & { [Name in RequiredName<Item> & keyof Item]: WrittenValue<Schema, Item[Name]> }

type WrittenValue<Schema, Value> = [KindOf<Value>] extends ['moment']
  ? Value | Date
  : [KindOf<Value>] extends ['decimal' | 'bigInteger' | 'float']
    ? Value | number
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

/** The same in the legacy generation: objects that `$delete` removes, and rows of a list that is not the whole of it. */
export type LegacyWritten<Schema, Item> = { [Name in WritableName<Item>]?: LegacyWrittenValue<Schema, Item[Name]> }

/** An item as it is created in the legacy generation. */
export type LegacyCreated<Schema, Item> = [RequiredName<Item>] extends [never]
  ? LegacyWritten<Schema, Item>
  : LegacyWritten<Schema, Item> & { [Name in RequiredName<Item> & keyof Item]: LegacyWrittenValue<Schema, Item[Name]> }

type LegacyWrittenValue<Schema, Value> = [KindOf<Value>] extends ['moment']
  ? Value | Date
  : [KindOf<Value>] extends ['decimal' | 'bigInteger' | 'float']
    ? Value | number
    : [OneOf<Value>] extends [never]
      ? [ManyOf<Value>] extends [never]
        ? Value
        : readonly LegacyRow<Schema, ManyOf<Value>>[]
      : Bare<Value> | LegacyRow<Schema, OneOf<Value>>

/** One of several items to change: its key says which is meant, also where only the server sets it. */
export type LegacyKeyed<Schema, Item> = LegacyWritten<Schema, Item> & {
  readonly [Name in 'id' & keyof Item]?: Item[Name]
}

type LegacyRow<Schema, Item> = LegacyKeyed<Schema, Item> & { readonly $delete?: true }
