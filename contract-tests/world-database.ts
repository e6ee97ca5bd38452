/** How the world is made and restored in a database; each vendor has its own way. */
import type { Database } from '../src/domain/ports/context.ts'
import { modelSql, type Person, peopleSql, resetSql, restoreSql, tablesSql } from './world-data.ts'

export type Row = { readonly [column: string]: unknown }

export type WorldDatabase = {
  readonly create: (db: Database, people: readonly Person[]) => Promise<void>
  /** Restores all rows. */
  readonly reset: (db: Database) => Promise<void>
  /** Restores the tables and their metadata. */
  readonly restoreModel: (db: Database) => Promise<void>
  readonly tableNames: (db: Database) => Promise<readonly string[]>
  /** The rows as JSON values without nulls. */
  readonly readTable: (db: Database, name: string) => Promise<readonly Row[]>
}

const run = async (db: Database, text: string) => (await db.run({ text, values: [] })).rows

export const postgresWorld: WorldDatabase = {
  create: async (db, people) => void (await run(db, `${tablesSql};${peopleSql(people)};${restoreSql};${resetSql}`)),
  reset: async (db) => void (await run(db, resetSql)),
  restoreModel: async (db) => void (await run(db, modelSql)),
  tableNames: async (db) => {
    const rows = await run(db, 'select tablename as name from pg_tables where schemaname = current_schema')
    return (rows as readonly { readonly name: string }[]).map(({ name }) => name)
  },
  readTable: async (db, name) => {
    const text = `select coalesce(json_agg(json_strip_nulls(row_to_json(t))), '[]') as found from ${name} t`
    const [row] = (await run(db, text)) as readonly { readonly found: readonly Row[] }[]
    return row?.found ?? []
  },
}
