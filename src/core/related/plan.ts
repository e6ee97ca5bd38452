import type { LockedRow } from '../../domain/ports/row-store.ts'
import type { Key } from '../../domain/query/key.ts'
import type { Change, Changes, KeyedChanges, RelatedChange } from '../../domain/query/mutation.ts'
import type { TandemError } from '../../domain/rights/errors.ts'
import type { FieldRelation } from '../../domain/schema/schema.ts'
import type { Draft, KeyedDraft } from '../rows/write-batch.ts'

export type Creation = Draft & { readonly entry: Entry }

/** A row that is unlinked or deleted. `named`: the payload names it explicitly. */
export type Removal = {
  readonly key: Key
  readonly entry: Entry
  readonly action: 'unlink' | 'delete'
  readonly named: boolean
}

export type Plan = {
  readonly creates: readonly Creation[]
  readonly updates: readonly (KeyedDraft & { readonly entry: Entry })[]
  readonly removals: readonly Removal[]
  readonly rows: ReadonlyMap<string, PlannedRow>
}

/** An existing row. `links`: the planned value of each foreign key. */
export type PlannedRow = {
  readonly key: Key
  readonly stored: LockedRow['fields']
  readonly links: Map<string, string | null>
}

/** The existing rows, those that are visible to the actor, and the error for changing any other. */
export type Stored = {
  readonly rows: readonly LockedRow[]
  readonly seen: ReadonlySet<string>
  readonly unseen: () => TandemError
}

export type ManyRelation = Extract<FieldRelation, { readonly kind: 'one-to-many' }>

export type ToMany = Extract<Change, { readonly kind: 'replace' | 'detail' }>

/** The changes of one to-many field of one written row. */
export type Entry = {
  readonly parent: { readonly collection: string; readonly key: Key; readonly isNew: boolean }
  readonly relation: ManyRelation
  readonly change: NamedRows
  readonly path: string
  /** The foreign key is part of the row's composite key, so the row cannot move to another parent. */
  readonly isInKey: boolean
}

/** The changes of a to-many field with the keys of their rows. An item without a key is new. */
export type NamedRows =
  | { readonly kind: 'replace'; readonly items: readonly RelatedChange[] }
  | {
      readonly kind: 'detail'
      readonly create: readonly Changes[]
      readonly update: readonly KeyedChanges[]
      readonly delete: readonly Key[]
      readonly upsert: readonly Item[]
      readonly erase: readonly Key[]
      readonly isLate?: true
    }

export type Item = { readonly key: Key | null; readonly changes: Changes }
