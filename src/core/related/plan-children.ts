/** Plans the writes of to-many fields from their changes and the existing rows. Pure. */

import { describe } from '../../domain/conditions/literals.ts'
import type { Key } from '../../domain/query/key.ts'
import type { Change, Changes } from '../../domain/query/mutation.ts'
import { invalidPayload } from '../../domain/rights/errors.ts'
import type { Collection } from '../../domain/schema/schema.ts'
import { keyFromText } from '../rows/keys.ts'
import { type KeyedDraft, withoutOwnKey } from '../rows/write-batch.ts'
import { pathTo } from '../rows/write-paths.ts'
import type { Creation, Entry, Plan, PlannedRow, Removal, Stored } from './plan.ts'
import { withKey } from './write-to-one.ts'

/** If several entries list a row, the last one gets it. A listed row is never deleted. */
export function planChildren(
  child: Collection,
  entries: readonly Entry[],
  { rows: stored, seen, unseen }: Stored,
): Plan {
  const rows = plannedRows(child, stored)
  const owned = new Set(entries.flatMap((entry) => removedKeys(entry).filter((key) => isOwn(rows.get(key), entry))))
  const planning: Planning = { child, rows, seen, unseen, owned, creates: new Map(), updates: [], claimed: new Set() }
  const listed = new Map<Entry, Set<string>>()
  const removals: Removal[] = []
  for (const entry of entries) {
    const explicit = namedRemovals(entry, planning)
    const leaving = new Set(explicit.map(({ key }) => String(key)))
    removals.push(...explicit)
    listed.set(entry, planListed(planning, entry, leaving))
  }
  for (const entry of entries) removals.push(...omitted(entry, rows, listed.get(entry) ?? new Set()))
  const { creates, updates } = planning
  return { creates: [...creates.values()], updates, rows, removals: remaining(removals, planning) }
}

/**
 * What the entries have planned so far. `owned`: the keys of rows that an entry removes from its own parent. `claimed`:
 * the keys of rows that one of them lists.
 */
type Planning = Pick<Stored, 'seen' | 'unseen'> & {
  readonly child: Collection
  readonly rows: Plan['rows']
  readonly owned: ReadonlySet<string>
  readonly creates: Map<Key | symbol, Creation>
  readonly updates: (KeyedDraft & { readonly entry: Entry })[]
  readonly claimed: Set<string>
}

const plannedRows = (child: Collection, stored: Stored['rows']): Plan['rows'] =>
  new Map(
    stored.map(({ key, fields }): [string, PlannedRow] => [
      key,
      { key: keyFromText(child, key), stored: fields, links: new Map(fields) },
    ]),
  )

/** Plans the rows that the entry creates or changes, and returns the keys of existing ones. */
function planListed(planning: Planning, entry: Entry, leaving: ReadonlySet<string>): Set<string> {
  const { child, rows, seen, unseen, creates, updates, claimed } = planning
  const own = new Set<string>()
  for (const change of itemChanges(entry)) {
    const existing = change.key === null ? undefined : rows.get(String(change.key))
    // Listing a row that is already linked needs no permission, but the row must be visible to the actor.
    const row = existing !== undefined && seen.has(String(existing.key)) ? existing : undefined
    if (row === undefined) {
      if (!change.mayCreate) throw unseen()
      const name = change.key ?? Symbol('new')
      const creation = creationOf(child, change, { entry, twin: creates.get(name) })
      creates.set(name, { ...creation, isTaken: existing !== undefined })
      continue
    }
    if (leaving.has(String(row.key))) continue
    own.add(String(row.key))
    claimed.add(String(row.key))
    const changes = withoutOwnKey(child, linked(row, change.changes, entry), row.key)
    if (changes.size > 0) updates.push({ key: row.key, changes, path: change.path, entry })
  }
  return own
}

/** Without rows that have another parent now. A row that another entry lists is only unlinked. */
function remaining(removals: readonly Removal[], { rows, claimed }: Planning): readonly Removal[] {
  return removals
    .filter(({ key, entry }) => isLinked(rows.get(String(key)), entry) && !(entry.isInKey && claimed.has(String(key))))
    .map((each) => (claimed.has(String(each.key)) ? { ...each, action: 'unlink' as const } : each))
}

type ChildChange = {
  readonly key: Key | null
  readonly changes: Changes
  readonly path: string
  readonly mayCreate: boolean
}

const nothing: Changes = new Map()

/** Several items with one new key are one row; for each field the last value wins. */
function creationOf(
  child: Collection,
  change: ChildChange,
  { entry, twin }: { readonly entry: Entry; readonly twin: Creation | undefined },
): Creation {
  const { path } = change
  if (twin === undefined) return { changes: withForeignKey(withKey(child, change), entry), path, entry }
  const again = entry.isInKey ? change.changes : withForeignKey(change.changes, entry)
  return { changes: new Map([...twin.changes, ...again]), path, entry }
}

function itemChanges({ change, path }: Entry): readonly ChildChange[] {
  if (change.kind === 'replace') {
    return change.items.map((item, index) =>
      item.kind === 'link'
        ? { key: item.key, changes: nothing, path: pathTo(path, index), mayCreate: false }
        : { ...item, path: pathTo(path, index), mayCreate: true },
    )
  }
  const { create, update, upsert } = change
  return [
    ...create.map((changes, index) => ({ key: null, changes, path: pathTo(path, 'create', index), mayCreate: true })),
    ...update.map((item, index) => ({ ...item, path: pathTo(path, 'update', index), mayCreate: false })),
    ...upsert.map((item, index) => ({ ...item, path: pathTo(path, index), mayCreate: true })),
  ]
}

const isOwn = (row: PlannedRow | undefined, { relation, parent }: Entry): boolean =>
  row?.stored.get(relation.foreignKey) === String(parent.key)

const removedKeys = ({ change }: Entry): readonly string[] =>
  change.kind === 'replace' ? [] : [...change.delete, ...change.erase].map(String)

/** Rows that a detailed change removes. Missing and hidden rows are ignored. Throws for rows of other parents. */
function namedRemovals(entry: Entry, { child, rows, seen, owned }: Planning): readonly Removal[] {
  const { change, path } = entry
  if (change.kind === 'replace') return []
  const removal = (key: Key, action: Removal['action'], path: string): readonly Removal[] => {
    const row = rows.get(String(key))
    if (row === undefined || !seen.has(String(key))) return []
    if (isOwn(row, entry)) return [{ key: row.key, entry, action, named: true }]
    if (change.isLate === true || owned.has(String(key))) return []
    throw invalidPayload(
      path,
      `Expected a row of "${child.name}" that belongs to this item but received ${describe(key)}`,
    )
  }
  return [
    ...change.delete.flatMap((key, index) => removal(key, deselect(entry), pathTo(path, 'delete', index))),
    ...change.erase.flatMap((key, index) => removal(key, 'delete', pathTo(path, index))),
  ]
}

/** Rows of the parent that its list omits. */
function omitted(entry: Entry, rows: Plan['rows'], listed: ReadonlySet<string>): readonly Removal[] {
  if (entry.change.kind !== 'replace' || entry.parent.isNew) return []
  return [...rows.values()]
    .filter((row) => isLinked(row, entry) && !listed.has(String(row.key)))
    .map(({ key }) => ({ key, entry, action: deselect(entry), named: false }))
}

/** A row whose key contains the foreign key cannot be unlinked, only deleted. */
export const deselect = ({ relation, isInKey }: Entry): Removal['action'] =>
  isInKey || relation.relation.deselectAction === 'delete' ? 'delete' : 'unlink'

/** Whether the row is planned to point at the entry's parent. */
export function isLinked(row: PlannedRow | undefined, { relation, parent }: Entry): boolean {
  return row?.links.get(relation.foreignKey) === String(parent.key)
}

/** Linking a row that already points at its parent needs no permission. */
function linked(row: PlannedRow, changes: Changes, entry: Entry): Changes {
  const { foreignKey } = entry.relation
  const mentioned = changes.get(foreignKey)
  if (mentioned !== undefined) {
    row.links.set(foreignKey, mentioned.kind === 'value' ? textOf(mentioned.value) : null)
    return changes
  }
  if (entry.isInKey || isLinked(row, entry)) return changes
  row.links.set(foreignKey, String(entry.parent.key))
  return withForeignKey(changes, entry)
}

const textOf = (value: unknown): string | null =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : null

/** A foreign key in the payload is kept; otherwise it is the key of the entry's parent. */
function withForeignKey(changes: Changes, { relation, parent }: Entry): Changes {
  if (changes.has(relation.foreignKey)) return changes
  return new Map<string, Change>([...changes, [relation.foreignKey, { kind: 'value', value: parent.key }]])
}
