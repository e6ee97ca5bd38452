/**
 * `Mutation`: the neutral form of a write, which all wire languages are parsed into. One mutation is one transaction.
 * `rows` and `after` are set only by authorize: filter on the rows that the actor may change, and conditions on these rows
 * as they will be.
 */

import type { Filter, Literal, Value } from './filter.ts'
import type { Key } from './key.ts'
import type { Query } from './query.ts'

export type Mutation =
  | {
      readonly kind: 'create'
      readonly collection: string
      readonly items: readonly Changes[]
      /** For each item. */
      readonly after?: readonly RowCheck[]
    }
  /** The same changes for every targeted row. */
  | {
      readonly kind: 'update'
      readonly collection: string
      readonly target: Target
      readonly changes: Changes
      readonly rows?: Filter
      readonly after?: RowCheck
    }
  /** Separate changes for each row. */
  | {
      readonly kind: 'update-each'
      readonly collection: string
      readonly items: readonly (KeyedChanges & { readonly rows?: Filter; readonly after?: RowCheck })[]
    }
  /** Write of a singleton: updates its row, or creates it. */
  | { readonly kind: 'write-singleton'; readonly collection: string; readonly changes: Changes }
  | { readonly kind: 'delete'; readonly collection: string; readonly target: Target; readonly rows?: Filter }

/** Of each set one alternative must hold. Empty without conditions on related rows, which is the usual case. */
export type RowCheck = readonly (readonly RowAlternative[])[]

/** `rows`: the row before the change; it always matches for a new row. `after`: the row after all writes of the mutation. */
export type RowAlternative = {
  readonly rows: Filter
  readonly after: Filter
  readonly message?: string | null
  readonly type?: 'required'
}

export type Target =
  | { readonly kind: 'keys'; readonly keys: readonly Key[] }
  | { readonly kind: 'query'; readonly query: Query }

/** Core field name → change. Insertion order is kept. Absent, null and empty are different things. */
export type Changes = ReadonlyMap<string, Change>

/** New values of columns. */
export const toChanges = (values: { readonly [field: string]: unknown }): Changes =>
  new Map(Object.entries(values).map(([field, value]) => [field, { kind: 'value', value: value as Literal }]))

export type Change =
  /** The new value of a column in its wire form (JSON); core converts and checks it. */
  | { readonly kind: 'value'; readonly value: Literal | Value | readonly unknown[] }
  /**
   * A many-to-one given as an object. The row with the key is updated; without such a row, one is created. For a
   * many-to-any, the collection of the row is given by the item's collection field.
   */
  | { readonly kind: 'one'; readonly key: Key | null; readonly changes: Changes }
  /** Deletes the related row of a many-to-one, and clears the reference. */
  | { readonly kind: 'erase'; readonly key: Key }
  /** A to-many given as a complete list: rows that are not in the list are removed from the relation. */
  | { readonly kind: 'replace'; readonly items: readonly RelatedChange[] }
  /**
   * A to-many given as separate changes: rows that are not named stay unchanged. `delete` removes rows from the relation
   * according to its deselect action; `erase` deletes them. Rows of other items are not affected. `upsert` creates a row
   * if its key is absent or unknown. A related row with a composite key has no `key`: its changes contain the key fields,
   * except the one that refers to the parent.
   */
  | {
      readonly kind: 'detail'
      readonly create: readonly Changes[]
      readonly update: readonly { readonly key: Key | null; readonly changes: Changes }[]
      readonly delete: readonly (Key | Changes)[]
      readonly upsert?: readonly { readonly key: Key | null; readonly changes: Changes }[]
      readonly erase?: readonly (Key | Changes)[]
      /** The rows were named earlier. Those that have another parent since then stay there. */
      readonly isLate?: true
    }

export type KeyedChanges = { readonly key: Key; readonly changes: Changes }

export type RelatedChange =
  | { readonly kind: 'link'; readonly key: Key }
  | { readonly kind: 'write'; readonly key: Key | null; readonly changes: Changes }

export function changesOf(mutation: Mutation): readonly Changes[] {
  switch (mutation.kind) {
    case 'create':
      return mutation.items
    case 'update-each':
      return mutation.items.map(({ changes }) => changes)
    case 'update':
    case 'write-singleton':
      return [mutation.changes]
    case 'delete':
      return []
  }
}

/** Number of items that the mutation names; 1 where only the database knows. */
export function namedItems(mutation: Mutation): number {
  if ('items' in mutation) return mutation.items.length
  return 'target' in mutation && mutation.target.kind === 'keys' ? mutation.target.keys.length : 1
}
