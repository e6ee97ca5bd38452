/** MySQL 8.0.31 and later: the dialect of MariaDB, with what MySQL says in other words in its place. */
import type { Dialect } from '../dialect.ts'
import { ddl } from './eight-ddl.ts'
import { eightReads } from './eight-reads.ts'
import { writes } from './eight-writes.ts'
import { mysql } from './mysql.ts'

export const mysqlEight = {
  ...mysql,
  ...eightReads,
  name: 'mysql8',
  replacesTriggers: false,
  writes,
  ddl,
  server: { ...mysql.server, name: 'MySQL' },
} as const satisfies Dialect
