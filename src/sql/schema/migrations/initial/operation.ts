/** Tables for the operation of the server: imports, counted use, keys of configuration tools. */
import { instant, type Tables } from './columns.ts'

export const operationTables: Tables = {
  // State of imports: the tables that they created, and the highest keys of their source.
  platform_imports: (table, knex) => {
    table.string('name', 64).primary()
    table.string('source', 255).notNullable()
    // A digest of the table's definition; null for system tables.
    table.string('definition', 64)
    // The greatest key of the source, where keys are numbers.
    table.bigInteger('highest')
    instant(table, 'at').notNullable().defaultTo(knex.fn.now())
  },
  // How often which clients use which operations and fields.
  platform_usage: (table) => {
    table.string('client', 64).notNullable()
    table.string('generation', 16).notNullable()
    table.string('operation', 64).notNullable()
    table.string('access', 8).notNullable()
    // Names of a collection and of fields; empty for a call.
    table.string('path', 255).notNullable()
    table.bigInteger('calls').notNullable()
    instant(table, 'first_call').notNullable()
    instant(table, 'last_call').notNullable()
    table.primary(['client', 'generation', 'operation', 'access', 'path'])
  },
  // Names that tools for configuration give to rows, to find the same row on every server.
  platform_sync_keys: (table) => {
    table.string('kind', 100).notNullable()
    table.string('local_id', 255).notNullable()
    table.string('sync_id', 255).notNullable()
    instant(table, 'created').notNullable()
    table.primary(['kind', 'local_id'])
    table.unique(['kind', 'sync_id'])
  },
}
