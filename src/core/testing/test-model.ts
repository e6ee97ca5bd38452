/** A database without user tables, for tests that create them. */

import type { Context } from '../../domain/ports/context.ts'
import { jsonOf } from '../../domain/ports/row-store.ts'
import type { Schema } from '../../domain/schema/schema.ts'
import { createTestDatabase } from '../../sql/testing/test-database.ts'
import { writeItems } from '../items/items.ts'
import type { CollectionDraft } from '../model/collections.ts'
import { changeSchema } from '../model/schema-change.ts'
import { readItems } from '../rows/read-items.ts'
import { changesOf, createTestContext, queryOf } from './test-context.ts'

/** `ctx()`: the context of a new request. */
export async function openTestModel(sql = 'select 1') {
  const database = await createTestDatabase({ sql })
  let schema = await database.loadSchema()
  const ctx = (more: Partial<Context> = {}): Context => createTestContext(database.db, schema, more)
  const rowsOf = async (text: string): Promise<readonly unknown[]> => (await database.db.run({ text, values: [] })).rows
  return {
    ctx,
    rowsOf,
    close: database.close,
    /** Changes the model and uses the resulting schema from then on. */
    change: async (work: (inner: Context) => Promise<void>, more: Partial<Context> = {}): Promise<Schema> => {
      schema = (await changeSchema(ctx(more), work)).schema
      return schema
    },
    /** Loads the schema again. */
    refresh: async (): Promise<Schema> => {
      schema = await database.loadSchema()
      return schema
    },
    /** Writes one item and reads it back as the caller would. */
    roundTrip: async (collection: string, values: { readonly [field: string]: unknown }): Promise<unknown> => {
      const [key] = await writeItems(ctx(), { kind: 'create', collection, items: [changesOf(values)] })
      const json = jsonOf(await readItems(ctx(), queryOf(collection)))
      const { primaryKey } = schema.collections.get(collection) ?? { primaryKey: '' }
      return (JSON.parse(json) as { [field: string]: unknown }[]).find((row) => String(row[primaryKey]) === String(key))
    },
  }
}

export type TestModel = Awaited<ReturnType<typeof openTestModel>>

export const tableOf = (name: string, fields: CollectionDraft['fields'] = []): CollectionDraft => ({
  name,
  table: { comment: null },
  fields,
})
