/** Renames that files say with `renamed_from`: collections, fields, roles and policies keep their data and rights. */
import type { Entries, Entry, PlannedChange, ProjectDocument } from '../../domain/ports/configuration.ts'
import type { Context } from '../../domain/ports/context.ts'
import { invalidPayload } from '../../domain/rights/errors.ts'
import type { Collection, Schema } from '../../domain/schema/schema.ts'
import { dialectOf } from '../../sql/dialects/dialects.ts'
import { renameCollection, renameField } from '../../sql/schema/renames.ts'
import { readWatched } from '../../sql/statements/feed/events.ts'
import { unwatchTable, watchTable } from '../../sql/statements/feed/watch.ts'
import { afterwards } from '../model/schema-change.ts'
import type { OtherNames, Records } from './read-records.ts'
import { fixedRows } from './record-kinds.ts'

/** `field`: null for a collection. */
export type Rename = {
  readonly collection: string
  readonly field: string | null
  readonly from: string
  readonly to: string
}

/** Renames that are still to be done, collections first. A former name that is nowhere was renamed before. */
export function renamesOf({ collections }: ProjectDocument, schema: Schema): readonly Rename[] {
  const renamed = Object.entries(collections).flatMap(([to, file]): readonly Rename[] => {
    const from = file['renamed_from'] as string | undefined
    if (from === undefined || !schema.collections.has(from)) return []
    assertFree(schema.collections.has(to) || Object.hasOwn(collections, from), { from, to, what: 'collection' })
    return [{ collection: to, field: null, from, to }]
  })
  const former = new Map(renamed.map(({ from, to }) => [to, from]))
  const fields = Object.entries(collections).flatMap(([collection, file]) => {
    const fieldEntries = fieldsOf(file)
    const present = schema.collections.get(former.get(collection) ?? collection)?.fields
    return Object.entries(fieldEntries).flatMap(([to, { renamed_from: input }]): readonly Rename[] => {
      const from = input as string | undefined
      if (from === undefined || present?.has(from) !== true) return []
      assertFree(present.has(to) || Object.hasOwn(fieldEntries, from), { from, to, what: `field of "${collection}"` })
      return [{ collection, field: to, from, to }]
    })
  })
  return [...renamed, ...fields]
}

function assertFree(isTaken: boolean, { from, to, what }: { from: string; to: string; what: string }): void {
  if (!isTaken) return
  const reason = `Expected only one of the names "${from}" and "${to}" of a renamed ${what} but received both`
  throw invalidPayload('renamed_from', reason)
}

/** The fields in the file of a collection. */
export const fieldsOf = (file: Entry | undefined): Entries => (file?.['fields'] ?? {}) as Entries

/** In words. Who uses the old name breaks. */
export function describeRename({ collection, field, from, to }: Rename): PlannedChange {
  const shared = { effect: 'change', policy: null, severity: 'breaking' } as const
  return field === null
    ? {
        ...shared,
        words: `Rename collection "${from}" to "${to}"`,
        collection: from,
        fields: null,
        breaks: ['create', 'read', 'update', 'delete'],
      }
    : {
        ...shared,
        words: `Rename field "${collection}.${from}" to "${collection}.${to}"`,
        collection,
        fields: [from],
        breaks: ['create', 'read', 'update'],
      }
}

/** Renames within a transaction, whose schema has to be loaded again then. A watched table is watched under its new name. */
export async function applyRenames(inner: Context, renames: readonly Rename[]): Promise<Context> {
  if (renames.length === 0) return inner
  const watched = await watchedBy(inner, renames)
  for (const { former } of watched) await unwatchTable(inner.db, former)
  for (const { rename, table } of renamedTablesOf(inner.schema, renames)) await renameOne(inner.db, rename, table)
  const after = await afterwards(inner)
  for (const { name } of watched) await watchTable(after.db, after.schema.collections.get(name) as Collection)
  return after
}

/**
 * The context after the renames, within a transaction that is undone. Where a change of tables would end it, only the
 * system tables are changed, and the schema is read with the new names.
 */
export async function tryRenames(inner: Context, renames: readonly Rename[]): Promise<Context> {
  if (dialectOf(inner.db).transactionalDdl) return applyRenames(inner, renames)
  const tables = renamedTablesOf(inner.schema, renames)
  for (const { rename } of tables) await renameOne(inner.db, rename, null)
  const inCatalog = tables.flatMap(({ rename: { collection, field, from, to }, table }) =>
    table === null ? [] : [{ table: collection, column: field, from, to }],
  )
  return { ...inner, schema: await inner.schemas.load(inner.db, inCatalog) }
}

type TableName = { readonly schema: string | null; readonly name: string }

/** `table`: that of the collection when its turn comes; null for what has none. */
function renamedTablesOf(
  schema: Schema,
  renames: readonly Rename[],
): readonly { readonly rename: Rename; readonly table: TableName | null }[] {
  const former = formerNames(renames)
  return renames.map((rename) => {
    const { collection, field, from } = rename
    const present = schema.collections.get(former.get(collection) ?? collection)
    if (present === undefined || present.system)
      throw invalidPayload('renamed_from', `Expected a collection of the project but received "${collection}"`)
    if (field === null || present.table === null) return { rename, table: present.table }
    const hasColumn = (present.fields.get(from)?.column ?? null) !== null
    return { rename, table: hasColumn ? { ...present.table, name: collection } : null }
  })
}

const formerNames = (renames: readonly Rename[]): ReadonlyMap<string, string> =>
  new Map(renames.flatMap(({ field, from, to }) => (field === null ? [[to, from] as const] : [])))

const renameOne = (
  db: Context['db'],
  { collection, field, from, to }: Rename,
  table: TableName | null,
): Promise<void> =>
  field === null ? renameCollection(db, { from, to }, table) : renameField(db, { collection, from, to }, table)

type Watched = { readonly name: string; readonly former: Collection }

async function watchedBy(
  { db, schema }: Pick<Context, 'db' | 'schema'>,
  renames: readonly Rename[],
): Promise<readonly Watched[]> {
  const all = new Set(await readWatched(db))
  const former = formerNames(renames)
  return [...new Set(renames.map(({ collection }) => collection))].flatMap((name) => {
    const present = schema.collections.get(former.get(name) ?? name)
    return present !== undefined && all.has(present.name) ? [{ name, former: present }] : []
  })
}

/** The names that roles and policies get by the files: by `fixed` and by `renamed_from`. */
export function otherNamesOf({ roles, policies }: ProjectDocument, present: Records): OtherNames {
  return {
    role: namesOf(roles, fixedRows.role, present.role),
    policy: namesOf(policies, fixedRows.policy, present.policy),
  }
}

function namesOf(
  files: Entries,
  fixed: { readonly [word: string]: string },
  present: Records['role'],
): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(files).flatMap(([name, file]: readonly [string, Entry]): (readonly [string, string])[] => {
      const id = fixed[String(file['fixed'])]
      if (id !== undefined) return [[id, name]]
      const from = file['renamed_from'] as string | undefined
      if (from === undefined || !present.has(from) || present.has(name)) return []
      return [[String(present.get(from)?.id), name]]
    }),
  )
}
