/** Deletes rows that refer to deleted items. */
import type { Collection } from '../../domain/schema/schema.ts'
import { columnText, columnType, createBuild, fieldOf, openLevel, tableText } from '../conditions/build.ts'
import { namedRowText } from '../conditions/compile-named-row.ts'
import { dialectOf } from '../dialects/dialects.ts'
import { placeholder, quoteName } from '../dialects/quoting.ts'
import type { WriteContext } from './writes.ts'

/**
 * Deletes the rows of `about` (with columns `collection` and `item`) whose item no longer exists. Returns their number.
 */
export async function deleteAboutMissing(ctx: WriteContext, about: string, collection: Collection): Promise<number> {
  const dialect = dialectOf(ctx.db)
  const build = createBuild({ schema: ctx.schema, view: ctx.view, dialect })
  const rows = openLevel(build, about)
  const items = openLevel(build, collection.name)
  const item = fieldOf(rows.collection, 'item')
  const named = namedRowText(build, items, { sql: columnText(build, rows, item), column: columnType(item) })
  const text =
    `delete from ${tableText(build, rows)} where ${rows.alias}.${quoteName('collection')} = ${placeholder(1)} ` +
    `and not exists (select 1 from ${tableText(build, items)} where ${named})`
  return (await ctx.db.run({ text, values: [collection.name] })).count
}
