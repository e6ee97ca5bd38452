/** What an installation is whose tables are served where they are. */

import { noteReplaced } from '../../core/imports/tables-here.ts'
import type { Database } from '../../domain/ports/context.ts'
import type { TableSource } from '../../domain/ports/table-source.ts'
import type { Installation } from './installation.ts'
import { isSystemTable } from './names.ts'

/** For the plan: the tables that stay, and those whose rows system tables take over. */
export function servedInPlace({ own, identities }: Installation): readonly string[] {
  const numbered = [...identities].flatMap(([place, collection]) => {
    const [table = '', column = ''] = place.split('\0')
    const found = own.find(({ name }) => name === table)?.columns.find(({ name }) => name === column)
    return found === undefined
      ? []
      : [{ place: `${table}.${column}`, collection, isNumber: found.kind.endsWith('int') }]
  })
  return [
    ...own.map(({ name, isView }) => `  ${name}: ${isView ? 'a view' : 'a table'} that stays as it is`),
    ...numbered
      .filter(({ isNumber }) => isNumber)
      .map(({ place, collection }) => `  ${place}: keeps the numbers of ${collection}`),
    ...numbered
      .filter(({ isNumber }) => !isNumber)
      .map(({ place, collection }) => `To decide: ${place} names ${collection} by texts; only integers are understood`),
  ]
}

/** From now on the system tables of the source are no collections here. */
export async function noteSystemTables(
  db: Database,
  { name: source }: TableSource,
  { tables }: Installation,
): Promise<void> {
  for (const name of tables.keys()) {
    if (isSystemTable(name)) await noteReplaced(db, { name, source })
  }
}
