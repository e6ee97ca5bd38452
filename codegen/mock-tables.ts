/** Generates the tables of the system and their first rows for the mock, which has no database, from the migrations. */
import type { Table } from '../src/domain/model/table.ts'
import type { Database } from '../src/domain/ports/context.ts'
import { openDatabase } from '../src/sql/database.ts'
import { introspect } from '../src/sql/schema/introspect.ts'
import { preparedArchive, silentLog } from '../src/sql/testing/test-database.ts'
import type { Generator } from './model.ts'

/** The tables in which a new database has rows that the mock has, too. */
const withRows = ['platform_access', 'platform_policies', 'platform_roles', 'platform_settings']

export const generateMockTables: Generator = async () => {
  const db = await openDatabase({ kind: 'pglite', dataDir: null, dump: await preparedArchive() })
  try {
    const { tables } = await introspect(db, { exclude: [], log: silentLog })
    return [
      { path: 'mock/src/generated/system-tables.json', text: linesOf(tables) },
      { path: 'mock/src/generated/system-rows.json', text: `{${(await rowsOf(db)).join(',')}}\n` },
    ]
  } finally {
    await db.close()
  }
}

/** One line per table, so that a change of a table is a change of its line. */
const linesOf = (tables: readonly Table[]): string =>
  `[\n${tables.map((table) => JSON.stringify(table)).join(',\n')}\n]\n`

const rowsOf = (db: Database): Promise<readonly string[]> =>
  Promise.all(
    withRows.map(async (name) => {
      const text = `select json_strip_nulls(row_to_json(t)) as row from ${name} t`
      const { rows } = await db.run({ text, values: [] })
      return `"${name}":${JSON.stringify((rows as readonly { readonly row: object }[]).map(({ row }) => row))}`
    }),
  )
