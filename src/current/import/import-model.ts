/** The data model of another project: what its snapshot adds to the model here. Nothing is deleted. */
import { isSystemName } from '../../domain/model/system-collections.ts'
import type { Context } from '../../domain/ports/context.ts'
import type { ImportSource } from '../../domain/ports/import-source.ts'
import { adoptSnapshot } from '../sync/foreign-snapshot.ts'
import { describeDiff } from '../sync/schema-plan.ts'
import { partialVersion, placeOf, type Snapshot } from '../sync/schema-snapshot.ts'
import { applyDiff, compareSnapshot, readSnapshot, type SchemaDiff } from '../sync/schema-sync.ts'

/** `changes`: null if the model here has everything. */
export type ModelStep = {
  /** Names of the project's own collections that have rows. */
  readonly collections: readonly string[]
  /** Fields with a column, by collection, as the source names them. */
  readonly fields: ReadonlyMap<string, readonly string[]>
  readonly changes: SchemaDiff | null
  /** Tables that are not taken, because their key is not one column. */
  readonly leftOut: readonly string[]
  readonly lines: readonly string[]
}

/** Reads the model of the source and compares it. */
export async function readModel(ctx: Context, source: ImportSource): Promise<ModelStep> {
  const given = await source.snapshot()
  const foreign = { directus: 'unknown', ...given, version: partialVersion }
  const whole = adoptSnapshot(ctx, 'platform' in given ? { ...given, version: partialVersion } : foreign)
  const leftOut = withoutOneKey(whole)
  const snapshot = without(whole, new Set(leftOut))
  const changes = compareSnapshot(ctx, withPresent(snapshot, readSnapshot(ctx)), true)
  const rows = snapshot.collections.filter(({ schema }) => schema != null).map(({ collection }) => collection)
  const columns = snapshot.fields.filter(({ schema }) => schema != null)
  return {
    collections: rows.filter((name) => !isSystemName(name)),
    fields: new Map(
      rows.map((name) => [name, columns.filter((each) => each.collection === name).map(({ field }) => field)]),
    ),
    changes,
    leftOut,
    lines: changes === null ? [] : describeDiff(changes.diff),
  }
}

/** Tables with no key, or with one of several columns, which a snapshot cannot create. */
function withoutOneKey({ collections, fields }: Snapshot): readonly string[] {
  const keys = fields.filter(({ schema }) => schema?.is_primary_key === true)
  const widths = Map.groupBy(keys, ({ collection }) => collection)
  return collections
    .filter(({ collection, schema }) => schema != null && widths.get(collection)?.length !== 1)
    .map(({ collection }) => collection)
}

/** The snapshot without these collections, their relations, and the lists of other collections that show their rows. */
function without(given: Snapshot, names: ReadonlySet<string>): Snapshot {
  const isKept = ({ collection }: { readonly collection: string }): boolean => !names.has(collection)
  const lists = given.relations
    .filter((each) => !isKept(each))
    .map(({ related_collection, meta }) => `${related_collection}.${meta?.one_field}`)
  return {
    ...given,
    collections: given.collections.filter(isKept),
    fields: given.fields.filter((field) => isKept(field) && !lists.includes(placeOf(field))),
    relations: given.relations.filter((each) => isKept(each) && !names.has(each.related_collection ?? '')),
  }
}

/** Applies what differs. Returns the context with the new schema. */
export async function applyModel(ctx: Context, { changes }: ModelStep): Promise<void> {
  if (changes !== null) await applyDiff(ctx, changes)
}

/** Fields and relations that only the collections here have stay. */
function withPresent(given: Snapshot, present: Snapshot): Snapshot {
  const told = new Set([...given.collections, ...given.fields].map(({ collection }) => collection))
  const merge = <T extends { readonly collection: string; readonly field?: string }>(
    theirs: readonly T[],
    ours: readonly T[],
  ): T[] => {
    const known = new Set(theirs.map(placeOf))
    return [...theirs, ...ours.filter((each) => told.has(each.collection) && !known.has(placeOf(each)))]
  }
  return {
    ...given,
    fields: merge(given.fields, present.fields),
    relations: merge(given.relations, present.relations),
  }
}
