/**
 * The schema type of an application. A collection is an array of its item type, a singleton the item type itself. A
 * relation is the union of its key and the related item:
 * @example
 * type Schema = { articles: Article[]; authors: Author[]; about: About }
 * type Article = { id: number; title: string; published: DateTime; author: number | Author | null; comments: number[] | Comment[] }
 */

/** Marks the types below only, so that plain strings and arrays stay assignable. */
declare const kind: unique symbol
declare const leadsTo: unique symbol

/** A date, a time or a timestamp, as text. */
export type DateTime = string & { readonly [kind]?: 'moment' }

/** A floating point number. What JSON has no number for is text. */
export type Float = (number | 'Infinity' | '-Infinity' | 'NaN') & { readonly [kind]?: 'float' }

/** A decimal as text, which loses no digits. It is compared, summed and written as a number, too. */
export type Decimal = string & { readonly [kind]?: 'decimal' }

/** An integer beyond the safe ones of JavaScript, as text. It is compared, summed and written as a number, too. */
export type BigInteger = string & { readonly [kind]?: 'bigInteger' }

/** A uuid as text; it can be compared but not searched. */
export type Uuid = string & { readonly [kind]?: 'uuid' }

/** A JSON value: an object here is data, not a related item. */
export type Json<Value = unknown> = Value & { readonly [kind]?: 'json' }

/** A list of strings stored as comma-separated text. */
export type Csv = string[] & { readonly [kind]?: 'csv' }

/** A GeoJSON value. */
export type Geometry<Value extends object = { readonly type: string }> = Value & { readonly [kind]?: 'geometry' }

/** The target of a many-to-any: its key, or an item of one of these collections. */
export type AnyOf<Collection extends string> = (string | number) & { readonly [leadsTo]?: Collection }

/** Names of the collections that hold many items. */
export type CollectionName<Schema> = {
  [Name in keyof Schema]: Schema[Name] extends readonly unknown[] ? Name : never
}[keyof Schema] &
  string

/** Names of the collections that hold one item. */
export type SingletonName<Schema> = Exclude<keyof Schema & string, CollectionName<Schema>>

/** The item type of a collection or singleton. */
export type ItemOf<Schema, Name> = Name extends keyof Schema
  ? Schema[Name] extends readonly (infer Item)[]
    ? Item
    : Schema[Name]
  : never

/** Set on items that say more of their fields than types can. */
declare const rules: unique symbol

/** What an item needs when it is created, and which of its fields only the server sets: `Rules<'title', 'id'> & { … }`. */
export type Rules<Required extends string = never, ReadOnly extends string = never> = {
  readonly [rules]?: {
    readonly required: { readonly [Name in Required]: true }
    readonly readOnly: { readonly [Name in ReadOnly]: true }
  }
}

type RulesOf<Item> = Item extends { readonly [rules]?: infer Found } ? NonNullable<Found> : never

/** Fields without which no item is created. */
export type RequiredName<Item> = RulesOf<Item> extends { readonly required: infer Names } ? keyof Names & string : never

/** Fields that only the server sets. */
export type ReadOnlyName<Item> = RulesOf<Item> extends { readonly readOnly: infer Names } ? keyof Names & string : never

/** The names of fields. */
export type NameOf<Item> = keyof Item & string

/** Which of the words above a field's type is; `null` for plain types. Types without the symbol have nothing in common with it. */
export type KindOf<Value> = Value extends null | undefined
  ? never
  : Value extends { readonly [kind]?: infer Kind }
    ? NonNullable<Kind>
    : null

/** A number where the field holds one as text or may do so, or never. */
export type NumberFor<Value> = [KindOf<Value>] extends ['decimal' | 'bigInteger' | 'float'] ? number : never

/** The related item of a many-to-one field, or never. */
export type OneOf<Value> = Value extends string | number | boolean | null | undefined | readonly unknown[]
  ? never
  : Value extends { readonly [kind]?: string }
    ? never
    : Extract<Value, object>

/** The related item of a to-many field, or never. */
export type ManyOf<Value> = Value extends readonly (infer Member)[]
  ? Value extends { readonly [kind]?: string }
    ? never
    : OneOf<Member>
  : never

/** The collections that a many-to-any field may lead to, or never. */
export type AnyCollections<Value> = Value extends null | undefined
  ? never
  : Value extends { readonly [leadsTo]?: infer Collections }
    ? NonNullable<Collections> & string
    : never

/** What a field holds when it is read by its bare name: a relation's key or keys, else the value itself. */
export type Bare<Value> = [ManyOf<Value>] extends [never]
  ? Exclude<Value, OneOf<Value>>
  : readonly Exclude<Extract<Value, readonly unknown[]>[number], object>[]

/** Relational fields. */
export type RelationName<Item> = {
  [Name in NameOf<Item>]-?: [OneOf<Item[Name]> | ManyOf<Item[Name]> | AnyCollections<Item[Name]>] extends [never]
    ? never
    : Name
}[NameOf<Item>]

/** An answer of the legacy generation, in which decimals are numbers. */
export type WithNumbers<Value> = [KindOf<Value>] extends [never]
  ? Value
  : Value extends { readonly [kind]?: 'decimal' }
    ? KindOf<Value> extends 'decimal'
      ? number
      : WithNumbersInside<Value>
    : WithNumbersInside<Value>

type WithNumbersInside<Value> =
  KindOf<Value> extends null
    ? Value extends readonly (infer Member)[]
      ? WithNumbers<Member>[]
      : Value extends object
        ? { [Name in keyof Value]: WithNumbers<Value[Name]> }
        : Value
    : Value

/** Makes an intersection readable in editors. */
export type Flat<Type> = { [Name in keyof Type]: Type[Name] } & {}
