import type { LockedRow } from '../../domain/ports/row-store.ts'
import type { Key } from '../../domain/query/key.ts'
import type { TandemError } from '../../domain/rights/errors.ts'
import type { Draft, KeyedDraft } from '../rows/write-batch.ts'
import type { Entry } from './entry.ts'

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
