/** Indexes of columns that belong to the system, whose fields cannot be changed otherwise. */

import type { Context } from '../../domain/ports/context.ts'
import type { FieldPlace } from '../../domain/schema/schema.ts'
import { runDdl } from '../../sql/schema/ddl.ts'
import { changeSchema } from './schema-change.ts'

/** Adds the indexes that are missing. Returns the fields that do not exist here. */
export async function indexFields(ctx: Context, places: readonly FieldPlace[]): Promise<readonly FieldPlace[]> {
  const found = places.map((place) => ({ place, column: columnAt(ctx, place) }))
  const missing = found.filter(({ column }) => column !== null && !hasIndex(column))
  if (missing.length > 0)
    await changeSchema(ctx, async ({ db }) => {
      for (const { place, column } of missing)
        await runDdl(db, place, (ddl) =>
          ddl.addIndex(place.collection, { name: column?.name ?? place.field, type: 'string' }, false),
        )
    })
  return found.flatMap(({ place, column }) => (column === null ? [place] : []))
}

const columnAt = ({ schema }: Pick<Context, 'schema'>, { collection, field }: FieldPlace) =>
  schema.collections.get(collection)?.fields.get(field)?.column ?? null

const hasIndex = (column: { readonly indexed: boolean; readonly unique: boolean; readonly primaryKey: boolean }) =>
  column.indexed || column.unique || column.primaryKey
