/** The schema of a database as it is now: its tables, and what the metadata tables say about them. */
import { buildSchema } from '../domain/build-schema.ts'
import type { Database } from '../domain/context.ts'
import type { MetadataRow } from '../domain/metadata.ts'
import type { Schema } from '../domain/schema.ts'
import { type IntrospectOptions, introspect } from './introspect.ts'

/** Reads everything; `core/schema.ts` keeps the result. */
export async function loadSchema(db: Database, options: IntrospectOptions): Promise<Schema> {
  const tables = await introspect(db, options)
  const collections = await rowsOf(db, 'platform_collections', 'collection')
  const fields = await rowsOf(db, 'platform_fields', 'id')
  const relations = await rowsOf(db, 'platform_relations', 'id')
  return buildSchema(tables, { collections, fields, relations }, options.log)
}

async function rowsOf(db: Database, table: string, order: string): Promise<readonly MetadataRow[]> {
  const { rows } = await db.run({ text: `select * from ${table} order by ${order}`, values: [] })
  return rows as readonly MetadataRow[]
}
