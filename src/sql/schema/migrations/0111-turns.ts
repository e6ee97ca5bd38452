/** Nodes of a Galera cluster see a conflict only in rows that are changed, not in those that are locked. */
import type { Migration } from './migration.ts'

export const turns: Migration = {
  name: '0111-turns',
  statements: (knex, triggers) =>
    triggers === 'psm'
      ? [knex.schema.alterTable('platform_locks', (table) => void table.bigInteger('turn').notNullable().defaultTo(0))]
      : [],
}
