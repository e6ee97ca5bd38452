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

/** The marker of a field's type; `null` for plain types. */
export type KindOf<Value> =
  NonNullable<Value> extends infer Present
    ? typeof kind extends keyof Present
      ? NonNullable<Present[typeof kind & keyof Present]>
      : null
    : never

type Plain<Value> = Extract<Exclude<Value, readonly unknown[] | string | number>, object>

/** The related item of a many-to-one field, or never. */
export type OneOf<Value> = [KindOf<Value>] extends [null] ? Plain<NonNullable<Value>> : never

/** The related item of a to-many field, or never. */
export type ManyOf<Value> = [KindOf<Value>] extends [null]
  ? NonNullable<Value> extends readonly unknown[]
    ? Plain<NonNullable<Value>[number]>
    : never
  : never

/** The collections that a many-to-any field may lead to, or never. */
export type AnyCollections<Value> = typeof leadsTo extends keyof NonNullable<Value>
  ? NonNullable<NonNullable<Value>[typeof leadsTo & keyof NonNullable<Value>]> & string
  : never

/** The type of a field read by its bare name: a relation's key or keys, otherwise the value. */
export type Bare<Value> = [OneOf<Value>] extends [never]
  ? [ManyOf<Value>] extends [never]
    ? Value
    : readonly Exclude<Extract<Value, readonly unknown[]>[number], object>[]
  : Exclude<Value, OneOf<Value>>

/** Relational fields. */
export type RelationName<Item> = {
  [Name in keyof Item]-?: [OneOf<Item[Name]> | ManyOf<Item[Name]> | AnyCollections<Item[Name]>] extends [never]
    ? never
    : Name
}[keyof Item] &
  string

/** Makes an intersection readable in editors. */
export type Flat<Type> = { [Name in keyof Type]: Type[Name] } & {}
