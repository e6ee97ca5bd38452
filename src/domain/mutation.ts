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
  /** A many-to-one given as an object: create, or update when it holds a key. */
  | { readonly kind: 'one'; readonly key: Key | null; readonly changes: Changes }
  /** A to-many given as a list: what is not listed is removed. */
  | { readonly kind: 'replace'; readonly items: readonly RelatedChange[] }
  /** A to-many given in detail: what is not named is untouched. */
  | {
      readonly kind: 'detail'
      readonly create: readonly Changes[]
      readonly update: readonly { readonly key: Key; readonly changes: Changes }[]
      readonly delete: readonly Key[]
    }

export type RelatedChange =
  | { readonly kind: 'link'; readonly key: Key }
  | { readonly kind: 'write'; readonly key: Key | null; readonly changes: Changes }
