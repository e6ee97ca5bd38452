/** The transformed images of each file, in order of creation. */
import type { Migration } from '../migrate.ts'

export const variants: Migration = {
  name: '0008-variants',
  statements: (knex) => [
    knex.schema.createTable('platform_variants', (table) => {
      table.uuid('file').notNullable().references('id').inTable('platform_files').onDelete('CASCADE')
      table.string('key', 255).notNullable()
      table.timestamp('made', { useTz: true }).notNullable().defaultTo(knex.fn.now())
      table.primary(['file', 'key'])
    }),
  ],
}
