/** Indexes of columns that belong to the system, whose fields cannot be changed otherwise. */

import type { Context } from '../../domain/ports/context.ts'
import type { FieldAddress } from '../../domain/schema/schema.ts'
import { runDdl } from '../../sql/schema/ddl.ts'
import { changeSchema } from './schema-change.ts'

/** Adds the indexes that are missing. Returns the fields that do not exist here. */
export async function indexFields(ctx: Context, fields: readonly FieldAddress[]): Promise<readonly FieldAddress[]> {
  const candidates = fields.map((address) => ({ address, column: columnAt(ctx, address) }))
  const missing = candidates.filter(({ column }) => column !== null && !hasIndex(column))
  if (missing.length > 0)
    await changeSchema(ctx, async ({ db }) => {
      for (const { address, column } of missing)
        await runDdl(db, address, (ddl) =>
          ddl.addIndex(address.collection, { name: column?.name ?? address.field, type: 'string' }, false),
        )
    })
  return candidates.flatMap(({ address, column }) => (column === null ? [address] : []))
}

const columnAt = ({ schema }: Pick<Context, 'schema'>, { collection, field }: FieldAddress) =>
  schema.collections.get(collection)?.fields.get(field)?.column ?? null

const hasIndex = (column: { readonly indexed: boolean; readonly unique: boolean; readonly primaryKey: boolean }) =>
  column.indexed || column.unique || column.primaryKey
