/** Snapshot, diff and apply for requests and the command line. */
import { assertAdministrator, changeSchema } from '../../core/model/schema-change.ts'
import { syncSchema } from '../../core/model/schema-sync.ts'
import type { Context } from '../../domain/ports/context.ts'
import type { components } from '../../generated/current.ts'
import { changesBetween, leftoverOf } from './schema-changes.ts'
import { type Differences, diffSnapshots, hashSnapshot, isEmpty, wholeChange } from './schema-diff.ts'
import { assertComparable, completeSnapshot, refuse } from './schema-given.ts'
import { patchSnapshot } from './schema-patch.ts'
import { narrowSnapshot, readScope, type ScopeOptions, widenSnapshot } from './schema-scope.ts'
import { entryKey, parts, type Snapshot, takeSnapshot, vendorSizes } from './schema-snapshot.ts'

export type SchemaDiff = components['schemas']['SchemaDiff']

/** The data model as the request sees it, or the requested part. */
export function readSnapshot(ctx: Pick<Context, 'schema' | 'actor' | 'server'>, options?: ScopeOptions): Snapshot {
  assertAdministrator(ctx)
  const snapshot = takeSnapshot(ctx.schema, ctx.server.version)
  const scope = options === undefined ? null : readScope(options, ctx.schema)
  return scope === null ? snapshot : narrowSnapshot(snapshot, scope)
}

/** The required changes; null for none. */
export function compareSnapshot(
  ctx: Pick<Context, 'schema' | 'actor' | 'server'>,
  snapshot: Snapshot,
  force: boolean,
): SchemaDiff | null {
  const present = readSnapshot(ctx)
  assertComparable(snapshot, present.platform, force)
  const diff = diffSnapshots(present, completeSnapshot(widenSnapshot(withTypesOf(present, snapshot), present), present))
  return isEmpty(diff) ? null : { hash: hashSnapshot(present), diff }
}

/** Applies all changes or none under a lock. The data model must still be the one that was compared. */
export async function applyDiff(ctx: Context, { hash, diff }: SchemaDiff): Promise<void> {
  assertAdministrator(ctx)
  if (isEmpty(diff)) return
  await changeSchema(ctx, async (inner) => {
    const present = takeSnapshot(inner.schema, inner.server.version)
    if (hashSnapshot(present) !== hash) refuseStale(present, diff)
    const wanted = patchSnapshot(present, diff)
    const now = (schema: Context['schema']): Snapshot => takeSnapshot(schema, inner.server.version)
    await syncSchema(inner, {
      changes: (schema) => changesBetween(now(schema), wanted),
      leftover: (schema) => leftoverOf(now(schema), wanted),
    })
  })
}

/** Names the obstacle if it can be determined. */
function refuseStale(present: Snapshot, diff: Differences): never {
  for (const part of parts) {
    const names = new Set(present[part].map(entryKey))
    for (const each of diff[part]) {
      const key = entryKey(each)
      const kind = wholeChange(each.diff)?.kind
      if (kind === 'N' && names.has(key)) refuse(`"${key}" in "${part}" exists already; make the diff anew`, 'hash')
      if (kind === 'D' && !names.has(key)) refuse(`"${key}" in "${part}" does not exist; make the diff anew`, 'hash')
    }
  }
  return refuse('The data model or the server is not any more what the diff was made of; make it anew', 'hash')
}

/** Names that MariaDB has and Postgres does not. */
const onMariaDb: ReadonlySet<unknown> = new Set([
  'blob',
  'char',
  'datetime',
  'decimal',
  'double',
  'enum',
  'float',
  'int',
  'longblob',
  'longtext',
  'mediumint',
  'mediumtext',
  'time',
  'timestamp',
  'tinyint',
  'varchar',
])

const isOfMariaDb = ({ fields }: Snapshot): boolean => fields.some(({ schema }) => onMariaDb.has(schema?.data_type))

/**
 * Translates a snapshot of another vendor: fields of the same type keep the type and the size of their column here, as
 * far as the type of the field determines them. A snapshot of the same vendor is returned as it is.
 */
function withTypesOf(present: Snapshot, snapshot: Snapshot): Snapshot {
  if (isOfMariaDb(present) === isOfMariaDb(snapshot)) return snapshot
  const here = new Map(present.fields.map((field) => [entryKey(field), field]))
  return {
    ...snapshot,
    fields: snapshot.fields.map((field) => {
      const own = here.get(entryKey(field))
      if (own?.schema == null || field.schema == null || own.type !== field.type) return field
      const { schema } = own
      const words = Object.fromEntries(
        ['data_type' as const, ...vendorSizes(field.type)].map((key) => [key, schema[key]]),
      )
      return { ...field, schema: { ...field.schema, ...words } }
    }),
  }
}
