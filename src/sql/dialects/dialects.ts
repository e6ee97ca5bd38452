/** The SQL vendors, by the name in `Database.dialect`. */
import type { Dialect } from './dialect.ts'
import { mysql } from './mysql/mysql.ts'
import { mysqlEight } from './mysql/mysql-eight.ts'
import { pglite } from './pglite.ts'
import { postgres } from './postgres.ts'

export const dialects = { postgres, pglite, mysql, mysql8: mysqlEight } as const satisfies Record<string, Dialect>

type DialectName = keyof typeof dialects

export function dialectOf(database: { readonly dialect: string }): Dialect {
  if (!Object.hasOwn(dialects, database.dialect)) throw new Error(`No dialect is named ${database.dialect}`)
  return dialects[database.dialect as DialectName]
}
