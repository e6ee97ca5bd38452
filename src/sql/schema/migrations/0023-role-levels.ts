/** Rights of roles as levels, per collection and status, in the form of older applications. */
import type { Migration } from '../migrate.ts'

export const roleLevels: Migration = {
  name: '0023-role-levels',
  statements: (knex) => [
    knex.schema.createTable('platform_role_levels', (table) => {
      table.increments('id')
      table.string('collection', 64).notNullable()
      table.uuid('role').notNullable().references('id').inTable('platform_roles').onDelete('CASCADE')
      table.string('status', 64)
      for (const name of ['create', 'read', 'update', 'delete', 'comment', 'explain']) {
        table.string(name, 16).defaultTo('none')
      }
      for (const name of ['read_field_blacklist', 'write_field_blacklist', 'status_blacklist']) table.text(name)
      table.index(['role'])
    }),
    // One row for each status of a collection, and one for collections without a status.
    knex.schema.raw(
      "create unique index platform_role_levels_place on platform_role_levels (role, collection, coalesce(status, ''))",
    ),
  ],
}
