/** MySQL 8.0.31 and later: the dialect of MariaDB, with what MySQL says in other words in its place. */
import type { Dialect } from '../dialect.ts'
import { mysql } from './mysql.ts'

export const mysqlEight = {
  ...mysql,
  name: 'mysql8',
  server: { ...mysql.server, name: 'MySQL' },
} as const satisfies Dialect
