/** Reads the schema of a database: its tables and its metadata. */
import { buildSchema } from '../../domain/model/build-schema.ts'
import type { MetadataRow } from '../../domain/model/metadata.ts'
import type { Database } from '../../domain/ports/context.ts'
import type { CatalogRename, Schema } from '../../domain/schema/schema.ts'
import { type IntrospectOptions, toTables } from './introspect.ts'
import { type KnownCatalog, readKnownCatalog } from './known-catalog.ts'
import { withRenames } from './renamed-catalog.ts'
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
  const metadata = JSON.stringify([exclude, collections, fields, relations])
  if (before !== null && before.metadata === metadata && isSame(before.catalog, catalog)) return { ...before, catalog }
  const { tables, unserved } = toTables(catalog, { ...options, exclude })
  const schema = { ...buildSchema(tables, { collections, fields, relations }, options.log), unserved }
  return { schema, catalog, metadata }
}

const isSame = (before: KnownCatalog, { state: _state, ...parts }: KnownCatalog): boolean =>
  Object.entries(parts).every(([name, part]) => before[name as keyof typeof parts] === part)

async function rowsOf(db: Database, table: string, order: string): Promise<readonly MetadataRow[]> {
  const { rows } = await db.run({ text: `select * from ${table} order by ${order}`, values: [] })
  return rows as readonly MetadataRow[]
}
