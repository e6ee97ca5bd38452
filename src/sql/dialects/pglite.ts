/** The embedded database: PostgreSQL itself, in one session. */
import type { Dialect } from '../dialect.ts'
import { postgres } from './postgres.ts'

export const pglite = { ...postgres, name: 'pglite', oneSession: true } as const satisfies Dialect
