/** MySQL 8.0.31 and later: the dialect of MariaDB, with what MySQL says in other words in its place. */
import type { Dialect } from '../dialect.ts'
import { eightReads } from './eight-reads.ts'
import { mysql } from './mysql.ts'
import { writes } from './writes-eight.ts'

export const mysqlEight = {
  ...mysql,
  ...eightReads,
  name: 'mysql8',
  writes,
  server: { ...mysql.server, name: 'MySQL' },
} as const satisfies Dialect
