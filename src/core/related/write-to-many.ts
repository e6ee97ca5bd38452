/**
 * Writes to-many fields: lists that replace the related rows, and detailed changes. All rows of one collection are
 * planned together, so that each kind of write is one statement.
 */

import { findReadGrant, forbidden, isUnlimited } from '../../authz/grants.ts'
import type { Key } from '../../domain/query/key.ts'
import type { Changes } from '../../domain/query/mutation.ts'
import { TandemError } from '../../domain/rights/errors.ts'
import { isInOwnKey } from '../../domain/schema/references.ts'
import type { Collection } from '../../domain/schema/schema.ts'
import { keyFromText, toKey } from '../rows/keys.ts'
import { keysAmong, mayEver, seenKeys, unseen } from '../rows/seen-rows.ts'
import type { Draft, KeyedDraft } from '../rows/write-batch.ts'
import { pathTo } from '../rows/write-paths.ts'
import { nameRows, type UnresolvedEntry } from './name-related-rows.ts'
import type { Entry, NamedRows, Plan, Removal } from './plan.ts'
import { deselect, planChildren } from './plan-children.ts'
import { noteParent, type RowName, type Run, reachable, relatedCollection } from './write-run.ts'
import { sorted } from './write-sort.ts'

/** A written row with its changes. */
export type Parent = Draft & { readonly key: Key; readonly isNew: boolean }

/** Writes the to-many rows of the parents, whose rows are locked. */
export async function writeToMany(
  run: Run,
  collection: Collection,
  parents: readonly Parent[],
  level: number,
): Promise<void> {
  const groups = new Map<string, UnresolvedEntry[]>()
  for (const { changes, path, key, isNew } of parents) {
    for (const [name, change] of changes) {
      if (change.kind !== 'replace' && change.kind !== 'detail') continue
      const relation = collection.fields.get(name)?.relation
      if (relation?.kind !== 'one-to-many') {
        throw new TandemError({ kind: 'not-scalar', collection: collection.name, field: name })
      }
      const parent = { collection: collection.name, key, isNew }
      const isInKey = isInOwnKey(relatedCollection(run, relation.collection), relation)
      const entry: UnresolvedEntry = { parent, relation, change, path: pathTo(path, name), isInKey }
      const group = groups.get(relation.collection)
      if (group === undefined) groups.set(relation.collection, [entry])
      else group.push(entry)
    }
  }
  for (const [name, entries] of groups) {
    const child = relatedCollection(run, name)
    const leading = { collection: collection.name, field: entries[0]?.relation.relation.oneField ?? '' }
    await reachable(run.ctx, child, leading, async () =>
      writeChildren(run, child, await nameRows(run.ctx, child, entries), level + 1),
    )
  }
}

/** Removed rows are written first, because new rows may need their unique values. */
async function writeChildren(run: Run, child: Collection, entries: readonly Entry[], level: number): Promise<void> {
  run.spend(entries.reduce((sum, { change }) => sum + listedRows(change), 0))
  assertMayRemove(run, child, entries)
  const rows = await readChildren(run, child, entries)
  const named = new Set(entries.flatMap(({ change }) => namedKeys(change)).map(String))
  const keys = rows.filter(({ key }) => named.has(key)).map(({ key }) => keyFromText(child, key))
  const seen = await seenKeys(run.ctx, child, keys)
  const plan = planChildren(child, entries, { rows, seen, unseen: () => unseen(run.ctx, child) })
  const removed = await removableKeys(run, child, plan)
  run.spend(removed.omitted)
  await run.remove(child, removed.deletes)
  await run.update(child, removed.unlinks, level)
  await run.update(child, plan.updates, level)
  const creates = await sorted(run, child, plan, new Set(removed.keys))
  const whenKnown = (existing: readonly Key[]) => noteParents(run, child, { ...plan, creates }, existing)
  await run.send(child, creates, { level, whenKnown })
  for (const { key, parent } of removed.parents) noteParent(run, { collection: child.name, key }, parent)
}

/** Without any permission to remove rows, the denial does not depend on whether the named rows exist. */
function assertMayRemove({ ctx }: Run, child: Collection, entries: readonly Entry[]): void {
  for (const entry of entries) {
    const { change } = entry
    if (change.kind === 'replace') continue
    if (change.delete.length > 0) assertMay(ctx, deselect(entry) === 'delete' ? 'delete' : 'update', child)
    if (change.erase.length > 0) assertMay(ctx, 'delete', child)
  }
}

function assertMay(ctx: Run['ctx'], action: 'update' | 'delete', child: Collection): void {
  if (!mayEver(ctx, action, child)) throw forbidden(action, child.name)
}

function noteParents(
  run: Run,
  child: Collection,
  { updates, creates }: Pick<Plan, 'updates' | 'creates'>,
  keys: readonly Key[],
): void {
  for (const { key, entry } of updates) noteParent(run, { collection: child.name, key }, entry.parent)
  for (const [index, { entry }] of creates.entries()) {
    noteParent(run, { collection: child.name, key: keys[index] as Key }, entry.parent)
  }
}

/** The rows that the entries name, and those that a list may remove. New parents have none. */
async function readChildren(run: Run, child: Collection, entries: readonly Entry[]) {
  const keys = new Set<Key>()
  const foreign = new Map<string, Set<Key>>()
  const fields = new Set<string>()
  for (const { change, relation, parent, isInKey } of entries) {
    fields.add(relation.foreignKey)
    if (relation.sortField !== null) fields.add(relation.sortField)
    // Rows with the foreign key in their key are among the parent's rows.
    if (change.kind === 'detail' || !isInKey) for (const key of namedKeys(change)) keys.add(key)
    if (change.kind === 'detail' || parent.isNew) continue
    const parents = foreign.get(relation.foreignKey) ?? new Set()
    foreign.set(relation.foreignKey, parents.add(parent.key))
  }
  if (keys.size === 0 && foreign.size === 0) return []
  const rows = await run.ctx.rows.lock(run.ctx, child, {
    keys: [...keys],
    foreign: [...foreign].map(([field, parents]) => ({ field, parents: [...parents] })),
    fields: [...fields],
  })
  return rows.map((row) => ({ ...row, key: String(toKey(child, row.key)) }))
}

function listedRows(change: NamedRows): number {
  if (change.kind === 'replace') return change.items.length
  const { create, update, upsert, erase } = change
  return create.length + update.length + upsert.length + change.delete.length + erase.length
}

function namedKeys(change: NamedRows): readonly Key[] {
  if (change.kind === 'replace') return change.items.flatMap(({ key }) => (key === null ? [] : [key]))
  const keyed = [...change.update, ...change.upsert].flatMap(({ key }) => (key === null ? [] : [key]))
  return [...keyed, ...change.delete, ...change.erase]
}

/** Decides which of the omitted rows are removed. */
type Removed = {
  readonly keys: readonly string[]
  /** Number of rows that no payload named. */
  readonly omitted: number
  readonly deletes: readonly Key[]
  readonly unlinks: readonly KeyedDraft[]
  /** The parents for which rows are unlinked. */
  readonly parents: readonly { readonly key: Key; readonly parent: RowName }[]
}

/**
 * Rows that the actor cannot read are kept: the list could not contain them. An actor without any read permission is
 * assumed to have sent a complete list. Removal always needs its own permission.
 */
async function removableKeys(run: Run, child: Collection, { removals }: Plan): Promise<Removed> {
  const visible = await visibleKeys(run, child, removals)
  const removed = removals.filter(({ key, named }) => named || visible === null || visible.has(String(key)))
  const deleted = new Set(removed.filter(({ action }) => action === 'delete').map(({ key }) => key))
  const unlinked = removed.filter(({ key }) => !deleted.has(key))
  return {
    keys: removed.map(({ key }) => String(key)),
    omitted: removed.filter(({ named }) => !named).length,
    deletes: [...deleted],
    unlinks: unlinked.map(({ key, entry }) => ({ key, changes: unlink(entry.relation.foreignKey), path: entry.path })),
    parents: unlinked.map(({ key, entry }) => ({ key, parent: entry.parent })),
  }
}

const unlink = (field: string): Changes => new Map([[field, { kind: 'value', value: null }]])

/** Null = all of them. */
async function visibleKeys(
  { ctx }: Run,
  child: Collection,
  removals: readonly Removal[],
): Promise<ReadonlySet<string> | null> {
  const omitted = removals.filter(({ named }) => !named).map(({ key }) => key)
  const grant = omitted.length === 0 || isUnlimited(ctx.actor) ? null : findReadGrant(ctx.actor, ctx.schema, child.name)
  if (grant === null || grant.rows.kind === 'all') return null
  return keysAmong(ctx, child, { keys: omitted, rows: grant.rows })
}
