/** Reads the schema of a database: its tables and its metadata. */

import { buildSchema } from '../../domain/model/build-schema.ts'
import type { MetadataRow } from '../../domain/model/metadata.ts'
import type { Database } from '../../domain/ports/context.ts'
import { hashText } from '../../domain/schema/hash-text.ts'
import { type ProjectSettings, projectSettings } from '../../domain/schema/project-settings.ts'
import type { CatalogRename, Schema } from '../../domain/schema/schema.ts'
import { compareTexts } from '../../domain/sorted-names.ts'
import type { CatalogColumn, CatalogForeignKey, CatalogKey } from '../dialects/catalog.ts'
import { type IntrospectOptions, toTables } from './introspect.ts'
import { type KnownCatalog, readKnownCatalog } from './known-catalog.ts'
import { readReplaced } from './replaced-tables.ts'

/** A schema with what it was made of. */
export type Loaded = { readonly schema: Schema; readonly catalog: KnownCatalog; readonly metadata: string }

type LoadOptions = IntrospectOptions & {
  /** Names that tables and columns shall have in the schema, in place of those that they have. */
  readonly renames?: readonly CatalogRename[]
}

/** Reads tables and metadata. */
export async function loadSchema(db: Database, options: LoadOptions): Promise<Schema> {
  return (await reloadSchema(db, options, null)).schema
}

/**
 * The same, but of the catalog only what has changed since `before` was read. `core/model/schema.ts` caches the result.
 * Within a transaction the result holds what is not committed, and nothing may be read on from it.
 */
export async function reloadSchema(db: Database, options: LoadOptions, before: Loaded | null): Promise<Loaded> {
  const exclude = [...options.exclude, ...(await readReplaced(db))]
  const catalog = withRenames(await readKnownCatalog(db, before?.catalog ?? null), options.renames ?? [])
  const collections = await rowsOf(db, 'platform_collections', 'collection')
  const fields = await rowsOf(db, 'platform_fields', 'id')
  const relations = await rowsOf(db, 'platform_relations', 'id')
  const settings = await readSettings(db)
  const metadata = JSON.stringify([exclude, collections, fields, relations, settings])
  if (before !== null && before.metadata === metadata && isSame(before.catalog, catalog)) return { ...before, catalog }
  const { tables, unserved } = toTables(catalog, { ...options, exclude })
  const schema = { ...buildSchema(tables, { collections, fields, relations }, options.log), unserved }
  return { schema: withSettings(schema, settings), catalog, metadata }
}

const withSettings = (schema: Schema, settings: ProjectSettings): Schema =>
  Object.keys(settings).length === 0
    ? schema
    : { ...schema, settings, version: hashText(JSON.stringify([schema.version, settings])) }

async function readSettings(db: Database): Promise<ProjectSettings> {
  const text = 'select entries::text as entries from platform_settings order by id limit 1'
  const [row] = (await db.run({ text, values: [] })).rows as readonly { readonly entries: string | null }[]
  return projectSettings(JSON.parse(row?.entries ?? '[]') as Parameters<typeof projectSettings>[0])
}

const isSame = (before: KnownCatalog, { state: _state, ...parts }: KnownCatalog): boolean =>
  Object.entries(parts).every(([name, part]) => before[name as keyof typeof parts] === part)

async function rowsOf(db: Database, table: string, order: string): Promise<readonly MetadataRow[]> {
  const { rows } = await db.run({ text: `select * from ${table} order by ${order}`, values: [] })
  return rows as readonly MetadataRow[]
}

/** A pure change of names in tables, keys and foreign keys. Renames of tables come first. */
const withRenames = (catalog: KnownCatalog, renames: readonly CatalogRename[]): KnownCatalog =>
  renames.length === 0 ? catalog : renames.reduce(renamed, catalog)

function renamed(catalog: KnownCatalog, { table, column, from, to }: CatalogRename): KnownCatalog {
  const tableOf = (name: string): string => (column === null && name === from ? to : name)
  const columnOf = (owner: string, name: string): string =>
    column !== null && owner === table && name === from ? to : name
  const columns = (each: CatalogColumn): CatalogColumn => ({
    ...each,
    table: tableOf(each.table),
    name: columnOf(each.table, each.name),
  })
  const keys = (each: CatalogKey): CatalogKey => ({
    ...each,
    table: tableOf(each.table),
    columns: each.columns.map((name) => columnOf(each.table, name)),
  })
  const foreignKeys = (each: CatalogForeignKey): CatalogForeignKey => ({
    ...each,
    table: tableOf(each.table),
    columns: each.columns.map((name) => columnOf(each.table, name)),
    foreignTable: tableOf(each.foreignTable),
    foreignColumns: each.foreignColumns.map((name) => columnOf(each.foreignTable, name)),
  })
  return {
    ...catalog,
    columns: mapped(catalog.columns, columns),
    keys: mapped(catalog.keys, keys),
    foreignKeys: mapped(catalog.foreignKeys, foreignKeys),
  }
}

const mapped = <T extends { readonly table: string }>(
  lists: ReadonlyMap<string, readonly T[]>,
  rename: (each: T) => T,
): ReadonlyMap<string, readonly T[]> => {
  const entries = [...lists.values()].map((list) => list.map(rename))
  return new Map(
    entries.map((list) => [list[0]?.table ?? '', list] as const).toSorted(([one], [other]) => compareTexts(one, other)),
  )
}
