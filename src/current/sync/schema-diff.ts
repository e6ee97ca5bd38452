/** Computes the differences of two snapshots in the format that clients of this generation know. */
import type { components } from '../../generated/current.ts'
import { sha1 } from '../../tokens/digest.ts'
import { deepDiff } from './deep-diff.ts'
import { type Entry, entryKey, type Part, parts, type Snapshot } from './schema-snapshot.ts'

export type Differences = components['schemas']['SchemaDifferences']
export type Change = components['schemas']['SchemaChange']

export type EntryDiff = {
  readonly collection: string
  readonly field?: string
  readonly related_collection?: string | null
  readonly diff: Change[]
}

/** A fingerprint of the snapshot, which includes the server's version. */
export const hashSnapshot = (snapshot: Snapshot): string => sha1(JSON.stringify(snapshot))

/** The changes that turn `present` into `wanted`. */
export function diffSnapshots(present: Snapshot, wanted: Snapshot): Differences {
  const collections = diffPart(present, wanted, 'collections')
  const deleted = deletedIn(collections)
  const remaining = ({ collection }: EntryDiff): boolean => !deleted.has(collection)
  return {
    collections: collections.map(({ collection, diff }) => ({ collection, diff })),
    fields: diffPart(present, wanted, 'fields')
      .filter(remaining)
      .map(({ collection, field = '', diff }) => ({ collection, field, diff })),
    relations: diffPart(present, wanted, 'relations')
      .filter(remaining)
      .map(({ collection, field = '', related_collection = null, diff }) => ({
        collection,
        field,
        related_collection,
        diff,
      })),
  }
}

/** Whether there are no differences. */
export const isEmpty = (differences: Differences): boolean => parts.every((part) => differences[part].length === 0)

/** The change of an entry that is new or deleted; null for one that is changed. */
export const wholeChange = ([first]: readonly Change[]): Change | null =>
  first !== undefined && first.path === undefined && (first.kind === 'N' || first.kind === 'D') ? first : null

/** Names of the deleted collections. */
export const deletedIn = (collections: readonly EntryDiff[]): ReadonlySet<string> =>
  new Set(collections.flatMap(({ collection, diff }) => (wholeChange(diff)?.kind === 'D' ? [collection] : [])))

function diffPart(present: Snapshot, wanted: Snapshot, part: Part): readonly EntryDiff[] {
  const before = new Map(present[part].map((entry): [string, Entry] => [entryKey(entry), entry]))
  const after = new Map(wanted[part].map((entry): [string, Entry] => [entryKey(entry), entry]))
  const keys = [...new Set([...before.keys(), ...after.keys()])].toSorted()
  return keys.flatMap((key) => {
    const lhs = before.get(key)
    const rhs = after.get(key)
    const diff = diffEntry(lhs, rhs)
    return diff.length === 0 ? [] : [{ ...namesOf(rhs ?? lhs ?? {}, part), diff }]
  })
}

function namesOf(entry: Entry, part: Part): Omit<EntryDiff, 'diff'> {
  const { collection, field, related_collection: related } = entry as unknown as Omit<EntryDiff, 'diff'>
  if (part === 'collections') return { collection }
  return { collection, field: field ?? '', ...(part === 'relations' ? { related_collection: related ?? null } : {}) }
}

function diffEntry(lhs: Entry | undefined, rhs: Entry | undefined): Change[] {
  if (lhs === undefined) return [{ kind: 'N', rhs }]
  if (rhs === undefined) return [{ kind: 'D', lhs }]
  return deepDiff(lhs, rhs) as Change[]
}
