/** What an installation is whose tables are served where they are. */

import { noteReplaced } from '../../core/imports/tables-here.ts'
import type { Database } from '../../domain/ports/context.ts'
import type { TableSource } from '../../domain/ports/table-source.ts'
import type { Installation } from './installation.ts'
import { isSystemTable } from './names.ts'

/** For the plan: the tables that stay, and those whose rows system tables take over. */
export function servedInPlace({ own, identities }: Installation): readonly string[] {
  const numbered = [...identities].flatMap(([key, collection]) => {
    const [table = '', column = ''] = key.split('\0')
    const reference = own.find(({ name }) => name === table)?.columns.find(({ name }) => name === column)
    return reference === undefined
      ? []
      : [{ name: `${table}.${column}`, collection, isNumber: reference.kind.endsWith('int') }]
  })
  return [
    ...own.map(({ name, isView }) => `  ${name}: ${isView ? 'a view' : 'a table'} that stays as it is`),
    ...numbered
      .filter(({ isNumber }) => isNumber)
      .map(({ name, collection }) => `  ${name}: keeps the numbers of ${collection}`),
    ...numbered
      .filter(({ isNumber }) => !isNumber)
      .map(({ name, collection }) => `To decide: ${name} names ${collection} by texts; only integers are understood`),
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
