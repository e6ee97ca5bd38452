/** The data model of another project: what its snapshot adds to the model here. Nothing is deleted. */

import { indexFields } from '../../core/model/index-fields.ts'
import { isSystemName } from '../../domain/model/system-collections.ts'
import type { Context, ReadContext } from '../../domain/ports/context.ts'
import type { ImportSource } from '../../domain/ports/import-source.ts'
import type { FieldAddress } from '../../domain/schema/schema.ts'
import { adoptSnapshot } from '../sync/foreign-snapshot.ts'
import { describeDiff } from '../sync/schema-plan.ts'
import { entryKey, otherSideOf, partialVersion, type Snapshot } from '../sync/schema-snapshot.ts'
import { applyDiff, compareSnapshot, readSnapshot, type SchemaDiff } from '../sync/schema-sync.ts'
import { withRealNames } from '../views/system-names.ts'
import { fittingModel } from './fitting-model.ts'
import { fieldsInCircles, withNulls } from './required-circles.ts'

/** `changes`: null if the model here has everything. */
export type ModelStep = {
  /** Names of the project's own collections that have rows. */
  readonly collections: readonly string[]
  /** Fields with a column, by collection, as the source names them. */
  readonly fields: ReadonlyMap<string, readonly string[]>
  readonly changes: SchemaDiff | null
  /** Fields that take null until all rows are there, and the model after that. */
  readonly circles: readonly FieldAddress[]
  readonly required: Snapshot
  /** Tables that are not taken, because their key is not one column. */
  readonly leftOut: readonly string[]
  /** Fields of system collections that have an index there. */
  readonly indexed: readonly FieldAddress[]
  /** What is skipped or changed. */
  readonly misses: readonly string[]
  readonly lines: readonly string[]
}

export async function readModel(
  ctx: ReadContext & Pick<Context, 'log' | 'server'>,
  source: ImportSource,
): Promise<ModelStep> {
  const { systemFields = [], ...rest } = await source.snapshot()
  const foreign = { directus: 'unknown', ...rest, version: partialVersion }
  const whole = adoptSnapshot(ctx, 'platform' in rest ? { ...rest, version: partialVersion } : foreign)
  const leftOut = withoutOneKey(whole)
  const { snapshot, misses } = await fittingModel(ctx, without(whole, new Set(leftOut)))
  const present = readSnapshot(ctx)
  const circles = fieldsInCircles(snapshot, present)
  const changes = compareSnapshot(ctx, withPresent(withNulls(snapshot, circles), present), true)
  const rows = snapshot.collections.filter(({ schema }) => schema != null).map(({ collection }) => collection)
  const columns = snapshot.fields.filter(({ schema }) => schema != null)
  return {
    collections: rows.filter((name) => !isSystemName(name)),
    fields: new Map(
      rows.map((name) => [name, columns.filter((each) => each.collection === name).map(({ field }) => field)]),
    ),
    changes,
    circles,
    required: snapshot,
    leftOut,
    indexed: indexedIn(systemFields),
    misses,
    lines: changes === null ? [] : describeDiff(changes.diff),
  }
}

/** The entries say which fields have an index, and name nothing else. */
function indexedIn(systemFields: unknown): readonly FieldAddress[] {
  const entries = Array.isArray(systemFields) ? (systemFields as readonly SystemField[]) : []
  return withRealNames(entries).flatMap(({ collection, field, schema }) =>
    schema?.is_indexed === true ? [{ collection, field }] : [],
  )
}

type SystemField = FieldAddress & { readonly schema?: { readonly is_indexed?: boolean } | null }

/** Tables with no key, or with one of several columns, which a snapshot cannot create. */
function withoutOneKey({ collections, fields }: Snapshot): readonly string[] {
  const keys = fields.filter(({ schema }) => schema?.is_primary_key === true)
  const widths = Map.groupBy(keys, ({ collection }) => collection)
  return collections
    .filter(({ collection, schema }) => schema != null && widths.get(collection)?.length !== 1)
    .map(({ collection }) => collection)
}

/** The snapshot without these collections, their relations, and the lists of other collections that show their rows. */
function without(snapshot: Snapshot, names: ReadonlySet<string>): Snapshot {
  const isKept = ({ collection }: { readonly collection: string }): boolean => !names.has(collection)
  const lists = snapshot.relations
    .filter((each) => !isKept(each))
    .flatMap(otherSideOf)
    .map(entryKey)
  return {
    ...snapshot,
    collections: snapshot.collections.filter(isKept),
    fields: snapshot.fields.filter((field) => isKept(field) && !lists.includes(entryKey(field))),
    relations: snapshot.relations.filter((each) => isKept(each) && !names.has(each.related_collection ?? '')),
  }
}

/** Applies what differs. Returns the fields that should get an index and do not exist here. */
export async function applyModel(ctx: Context, { changes, indexed }: ModelStep): Promise<readonly FieldAddress[]> {
  if (changes !== null) await applyDiff(ctx, changes)
  return indexFields(ctx, indexed)
}

/** Makes the fields required that had to take null before. */
export async function requireFields(ctx: Context, { circles, required }: ModelStep): Promise<void> {
  if (circles.length === 0) return
  const changes = compareSnapshot(ctx, withPresent(required, readSnapshot(ctx)), true)
  if (changes !== null) await applyDiff(ctx, changes)
}

/** Fields and relations that only the collections here have stay. */
function withPresent(snapshot: Snapshot, present: Snapshot): Snapshot {
  const names = new Set([...snapshot.collections, ...snapshot.fields].map(({ collection }) => collection))
  const merge = <T extends { readonly collection: string; readonly field?: string }>(
    theirs: readonly T[],
    ours: readonly T[],
  ): T[] => {
    const existing = new Set(theirs.map(entryKey))
    return [...theirs, ...ours.filter((each) => names.has(each.collection) && !existing.has(entryKey(each)))]
  }
  return {
    ...snapshot,
    fields: merge(snapshot.fields, present.fields),
    relations: merge(snapshot.relations, present.relations),
  }
}
