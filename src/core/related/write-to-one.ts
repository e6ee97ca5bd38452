/** Writes many-to-one targets that are given as objects. Their keys replace the objects. */

import type { Key } from '../../domain/query/key.ts'
import type { Change, Changes } from '../../domain/query/mutation.ts'
import { TandemError } from '../../domain/rights/errors.ts'
import { joinKey, keyValues } from '../../domain/schema/row-keys.ts'
import type { Collection } from '../../domain/schema/schema.ts'
import { allowedCollection } from '../rows/check-many-to-any.ts'
import { comparableKey, hasSingleKey, toKey } from '../rows/keys.ts'
import { seenKeys } from '../rows/seen-rows.ts'
import { type Draft, type KeyedDraft, withoutOwnKey } from '../rows/write-batch.ts'
import { pathTo } from '../rows/write-paths.ts'
import { type RowName, type Run, reachable, relatedCollection } from './write-run.ts'

/**
 * A draft with keys in place of objects. `targets`: rows that were written for it. `erase`: rows to delete after it.
 */
export type Resolved = Draft & {
  readonly targets: readonly RowName[]
  readonly erase: readonly Erased[]
}

/** A row to delete, and the field that led to it. */
type Erased = { readonly collection: Collection; readonly key: Key; readonly field: string }

/** A field of a draft, and the row that it will point at. */
type Entry = {
  readonly position: number
  readonly name: string
  readonly path: string
  readonly isAny: boolean
  readonly key: Key | null
  readonly changes: Changes
}

/** Writes the rows that the drafts point at. */
export async function writeToOne(
  run: Run,
  collection: Collection,
  drafts: readonly Draft[],
  level: number,
): Promise<readonly Resolved[]> {
  const groups = new Map<Collection, Entry[]>()
  const erase = drafts.map((): Erased[] => [])
  const values = drafts.map(() => new Map<string, Change>())
  for (const [position, { changes, path }] of drafts.entries()) {
    for (const [name, change] of changes) {
      if (change.kind !== 'one' && change.kind !== 'erase') continue
      const fieldPath = pathTo(path, name)
      const { target, isAny } = targetOf(run, collection, { name, changes, path })
      if (change.kind === 'erase') {
        erase[position]?.push({ collection: target, key: toKey(target, change.key), field: name })
        values[position]?.set(name, { kind: 'value', value: null })
      } else {
        const group = groups.get(target) ?? []
        groups.set(target, group)
        group.push({ position, name, path: fieldPath, isAny, ...withOwnKey(target, change) })
      }
    }
  }
  const targets = drafts.map((): RowName[] => [])
  for (const [target, entries] of groups) {
    const leading = { collection: collection.name, field: entries[0]?.name ?? '' }
    const written = await reachable(run.ctx, target, leading, () => writeTargets(run, target, entries, level + 1))
    for (const { entry, key, isWritten } of written) {
      values[entry.position]?.set(entry.name, { kind: 'value', value: entry.isAny ? String(key) : key })
      if (isWritten) targets[entry.position]?.push({ collection: target.name, key })
    }
  }
  return drafts.map((draft, index) => ({
    ...draft,
    changes: values[index]?.size ? new Map([...draft.changes, ...(values[index] ?? [])]) : draft.changes,
    targets: targets[index] ?? [],
    erase: erase[index] ?? [],
  }))
}

type Item = { readonly key: Key | null; readonly changes: Changes }

/** The item by its key, also one of several columns that the changes name in full. An object stands for its key. */
function withOwnKey(target: Collection, item: Item): Item {
  if (hasSingleKey(target) || item.key !== null) return item
  const values = target.keyColumns.map((name) => {
    const change = item.changes.get(name)
    return change?.kind === 'one' ? change.key : change?.kind === 'value' ? change.value : null
  })
  if (!values.every((value) => value !== null && typeof value !== 'object')) return item
  const rest = new Map([...item.changes].filter(([name]) => !target.keyColumns.includes(name)))
  return { key: joinKey(values), changes: rest }
}

type ReferencingItem = { readonly name: string; readonly changes: Changes; readonly path: string }

function targetOf(
  run: Run,
  collection: Collection,
  { name, changes, path }: ReferencingItem,
): { readonly target: Collection; readonly isAny: boolean } {
  const relation = collection.fields.get(name)?.relation
  switch (relation?.kind) {
    case 'many-to-one':
      return { target: relatedCollection(run, relation.collection), isAny: false }
    case 'many-to-any': {
      const named = changes.get(relation.collectionField)
      const value = named?.kind === 'value' ? named.value : undefined
      return { target: relatedCollection(run, allowedCollection(run.ctx, relation, value, path)), isAny: true }
    }
    default:
      throw new TandemError({ kind: 'not-scalar', collection: collection.name, field: name })
  }
}

type Target = { readonly entry: Entry; readonly key: Key; readonly isWritten: boolean }

/**
 * An object with a known key updates that row, or only links it if there is nothing to change. Any other object is a
 * new row. A hidden row counts as unknown: without permission to create a row with that key, the error is the same as
 * for a free key.
 */
async function writeTargets(
  run: Run,
  collection: Collection,
  entries: readonly Entry[],
  level: number,
): Promise<readonly Target[]> {
  run.spend(entries.length)
  const existing = await existingKeys(run, collection, entries)
  const done: Target[] = []
  const creates: (Draft & { readonly entry: Entry })[] = []
  const updates: KeyedDraft[] = []
  for (const entry of entries) {
    const existingRow = entry.key === null ? undefined : existing.get(entry)
    const changes =
      existingRow === undefined ? entry.changes : withoutOwnKey(collection, entry.changes, existingRow.key)
    // Linking needs no permission, but an updated row must be visible to the actor.
    if (existingRow === undefined || (changes.size > 0 && !existingRow.isSeen)) {
      creates.push({
        changes: withKey(collection, entry),
        path: entry.path,
        entry,
        isTaken: existingRow !== undefined,
      })
      continue
    }
    const { key } = existingRow
    if (changes.size > 0) updates.push({ key, changes, path: entry.path })
    done.push({ entry, key, isWritten: changes.size > 0 })
  }
  await run.update(collection, updates, level)
  const keys = await run.create(collection, creates, level)
  for (const [index, { entry }] of creates.entries()) done.push({ entry, key: keys[index] as Key, isWritten: true })
  return done
}

async function existingKeys(
  run: Run,
  collection: Collection,
  entries: readonly Entry[],
): Promise<ReadonlyMap<Entry, { readonly key: Key; readonly isSeen: boolean }>> {
  const keyed = entries.flatMap((entry) => (entry.key === null ? [] : [{ entry, key: toKey(collection, entry.key) }]))
  if (keyed.length === 0) return new Map()
  const keys = [...new Set(keyed.map(({ key }) => key))]
  const rows = await run.ctx.rows.lock(run.ctx, collection, { keys, foreign: [], fields: [] })
  const existingKeys = new Set(rows.map(({ key }) => comparableKey(collection, toKey(collection, key))))
  const present = keyed.filter(({ key }) => existingKeys.has(comparableKey(collection, key)))
  const changed = present.filter(({ entry, key }) => withoutOwnKey(collection, entry.changes, key).size > 0)
  const seen = await seenKeys(run.ctx, collection, [...new Set(changed.map(({ key }) => key))])
  return new Map(present.map(({ entry, key }) => [entry, { key, isSeen: seen.has(String(key)) }]))
}

/** The changes of a new row whose key the client chose. */
export function withKey(collection: Collection, { key, changes }: Item): Changes {
  if (key === null) return changes
  const own = [...keyValues(collection, key)].map(([name, value]): [string, Change] => [name, { kind: 'value', value }])
  return new Map<string, Change>([...own, ...changes])
}
