/**
 * `Mutation`: the one language in which all four wire languages write. One mutation is one transaction.
 * `rows` is set by authorize alone: the rows that the actor may change in this way.
 */
import type { Filter, Literal, Value } from './filter.ts'
import type { Query } from './query.ts'

export type Mutation =
  | { readonly kind: 'create'; readonly collection: string; readonly items: readonly Changes[] }
  /** The same changes for every targeted row. */
  | {
      readonly kind: 'update'
      readonly collection: string
      readonly target: Target
      readonly changes: Changes
      readonly rows?: Filter
    }
  /** Own changes for each row. */
  | {
      readonly kind: 'update-each'
      readonly collection: string
      readonly items: readonly { readonly key: Key; readonly changes: Changes; readonly rows?: Filter }[]
    }
  /** A singleton: updates its row, or creates it. */
  | { readonly kind: 'write-singleton'; readonly collection: string; readonly changes: Changes }
  | { readonly kind: 'delete'; readonly collection: string; readonly target: Target; readonly rows?: Filter }

/** A primary key as the wire had it; typed against the column by core. */
export type Key = string | number

export type Target =
  | { readonly kind: 'keys'; readonly keys: readonly Key[] }
  | { readonly kind: 'query'; readonly query: Query }

/** Core field name → change. Insertion order is kept. Absent, null and empty are different things. */
export type Changes = ReadonlyMap<string, Change>

export type Change =
  /** A column's new value, as the wire had it (JSON); typed and checked by core. */
  | { readonly kind: 'value'; readonly value: Literal | Value | readonly unknown[] }
  /**
   * A many-to-one given as an object: the row of that key is updated, any other is created. The row of a
   * many-to-any is of the collection that the item names beside it.
   */
  | { readonly kind: 'one'; readonly key: Key | null; readonly changes: Changes }
  /** A many-to-one whose row is deleted, and the link with it. */
  | { readonly kind: 'erase'; readonly key: Key }
  /** A to-many given as a list: what is not listed is removed. */
  | { readonly kind: 'replace'; readonly items: readonly RelatedChange[] }
  /**
   * A to-many given in detail: what is not named is untouched. `delete` takes rows from the relation as its
   * deselect action says, `erase` for good; rows that are not the item's stay. `upsert`: no key, or an unknown one, makes a row.
   * A row whose key has several fields has no `key`: the item's changes name it, with those fields but the parent's side.
   */
  | {
      readonly kind: 'detail'
      readonly create: readonly Changes[]
      readonly update: readonly { readonly key: Key | null; readonly changes: Changes }[]
      readonly delete: readonly (Key | Changes)[]
      readonly upsert?: readonly { readonly key: Key | null; readonly changes: Changes }[]
      readonly erase?: readonly (Key | Changes)[]
    }

export type KeyedChanges = { readonly key: Key; readonly changes: Changes }

export type RelatedChange =
  | { readonly kind: 'link'; readonly key: Key }
  | { readonly kind: 'write'; readonly key: Key | null; readonly changes: Changes }
