/** Reads the schema of a database: its tables and its metadata. */
import { buildSchema } from '../../domain/model/build-schema.ts'
import type { MetadataRow } from '../../domain/model/metadata.ts'
import type { Database } from '../../domain/ports/context.ts'
import type { Schema } from '../../domain/schema/schema.ts'
import { type IntrospectOptions, introspect } from './introspect.ts'
import { readReplaced } from './replaced-tables.ts'

/** Reads tables and metadata. `core/model/schema.ts` caches the result. */
export async function loadSchema(db: Database, options: IntrospectOptions): Promise<Schema> {
  const exclude = [...options.exclude, ...(await readReplaced(db))]
  const { tables, unserved } = await introspect(db, { ...options, exclude })
  const collections = await rowsOf(db, 'platform_collections', 'collection')
  const fields = await rowsOf(db, 'platform_fields', 'id')
  const relations = await rowsOf(db, 'platform_relations', 'id')
  return { ...buildSchema(tables, { collections, fields, relations }, options.log), unserved }
}

async function rowsOf(db: Database, table: string, order: string): Promise<readonly MetadataRow[]> {
  const { rows } = await db.run({ text: `select * from ${table} order by ${order}`, values: [] })
  return rows as readonly MetadataRow[]
}
