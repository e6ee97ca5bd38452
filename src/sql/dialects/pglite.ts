/** The embedded database PGlite: PostgreSQL with a single session. */
import type { Dialect } from './dialect.ts'
import { postgres } from './postgres.ts'

export const pglite = {
  ...postgres,
  name: 'pglite',
  oneSession: true,
  server: { ...postgres.server, name: 'The embedded database, Postgres' },
} as const satisfies Dialect
