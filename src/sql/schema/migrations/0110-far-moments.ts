/** Ends of keys and shares may be beyond 2038, where the type `timestamp` of MariaDB ends. */
import type { Migration } from './migration.ts'

const columns = [
  ['platform_keys', 'expires'],
  ['platform_shares', 'date_start'],
  ['platform_shares', 'date_end'],
] as const

export const farMoments: Migration = {
  name: '0110-far-moments',
  statements: (knex, triggers) =>
    triggers === 'psm'
      ? columns.map(([table, column]) => knex.schema.raw(`alter table ${table} modify ${column} datetime(6) null`))
      : [],
}
