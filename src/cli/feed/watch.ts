/** `tandem watch`: makes changes by other programs part of the feed. */
import { announce } from '../../core/announcements.ts'
import { TandemError } from '../../domain/rights/errors.ts'
import { loadSchema } from '../../sql/schema/load-schema.ts'
import { unwatchTable, watchTable } from '../../sql/statements/feed/watch.ts'
import { print, quietLog, withDatabase } from '../database.ts'

/** Puts a trigger on the table of the collection, or takes it away. */
export async function watch(name: string, { stop }: { readonly stop: boolean }): Promise<void> {
  await withDatabase(async (db, config) => {
    const schema = await loadSchema(db, { exclude: config.excludeTables, log: quietLog })
    const collection = schema.collections.get(name)
    if (collection === undefined || collection.system) throw refused(`There is no collection "${name}"`)
    const { table, keyColumns } = collection
    if (table === null || (table.kind !== undefined && table.kind !== 'partition') || keyColumns.length === 0)
      throw refused(`Expected a table with a key for "${name}"`)
    await (stop ? unwatchTable : watchTable)(db, collection)
    await announce(db, 'feed')
    print(
      stop
        ? `Changes of ${name} by other programs are no longer told`
        : `Changes of ${name} are told, whoever makes them`,
    )
  })
}

const refused = (reason: string): TandemError => new TandemError({ kind: 'unprocessable', reason })
