/** What imports have brought: the tables that they made, and how far the keys of their source went. */
import type { Migration } from './migration.ts'

export const imports: Migration = {
  name: '0081-imports',
  statements: (knex) => [
    knex.schema.createTable('platform_imports', (table) => {
      table.string('name', 64).primary()
      table.string('source', 255).notNullable()
      // A digest of the table's definition; null for system tables.
      table.string('definition', 64)
      // The greatest key of the source, where keys are numbers.
      table.bigInteger('highest')
      table.bigInteger('rows')
      table.string('checksum', 32)
      table.timestamp('at', { useTz: true }).notNullable().defaultTo(knex.fn.now())
    }),
  ],
}
