/** Tables of the application: presets, comments, notifications, dashboards, translations. */
import { instant, refersTo, type Tables } from './columns.ts'

export const collaborationTables: Tables = {
  platform_presets: (table) => {
    table.increments('id')
    table.string('bookmark', 255)
    refersTo(table.uuid('user').index(), 'platform_users.id', 'CASCADE')
    refersTo(table.uuid('role').index(), 'platform_roles.id', 'CASCADE')
    table.string('collection', 64)
    table.string('search', 100)
    table.string('layout', 100).defaultTo('tabular')
    table.json('layout_query')
    table.json('layout_options')
    table.integer('refresh_interval')
    table.json('filter')
    table.string('icon', 64).defaultTo('bookmark')
    table.string('color', 255)
    // For older applications: conditions as a list, and the title in other languages.
    table.json('filters')
    table.json('translation')
  },
  platform_comments: (table, knex) => {
    table.uuid('id').primary()
    table.string('collection', 64).notNullable()
    table.string('item', 255).notNullable()
    table.text('comment').notNullable()
    instant(table, 'date_created').defaultTo(knex.fn.now())
    instant(table, 'date_updated')
    refersTo(table.uuid('user_created').index(), 'platform_users.id', 'SET NULL')
    refersTo(table.uuid('user_updated').index(), 'platform_users.id', 'SET NULL')
    table.index(['collection', 'item'])
  },
  platform_notifications: (table, knex) => {
    table.increments('id')
    instant(table, 'timestamp').defaultTo(knex.fn.now())
    table.string('status', 255).defaultTo('inbox')
    refersTo(table.uuid('recipient').notNullable().index(), 'platform_users.id', 'CASCADE')
    refersTo(table.uuid('sender').index(), 'platform_users.id', 'SET NULL')
    table.string('subject', 255).notNullable()
    table.text('message')
    table.string('collection', 64)
    table.string('item', 255)
  },
  platform_dashboards: (table, knex) => {
    table.uuid('id').primary()
    table.string('name', 255).notNullable()
    table.string('icon', 64).notNullable().defaultTo('dashboard')
    table.text('note')
    instant(table, 'date_created').defaultTo(knex.fn.now())
    refersTo(table.uuid('user_created').index(), 'platform_users.id', 'SET NULL')
    table.string('color', 255)
  },
  platform_panels: (table, knex) => {
    table.uuid('id').primary()
    refersTo(table.uuid('dashboard').notNullable().index(), 'platform_dashboards.id', 'CASCADE')
    table.string('name', 255)
    table.string('icon', 64)
    table.string('color', 10)
    table.boolean('show_header').notNullable().defaultTo(false)
    table.text('note')
    table.string('type', 255).notNullable()
    for (const name of ['position_x', 'position_y', 'width', 'height']) table.integer(name).notNullable()
    table.json('options')
    instant(table, 'date_created').defaultTo(knex.fn.now())
    refersTo(table.uuid('user_created').index(), 'platform_users.id', 'SET NULL')
  },
  platform_translations: (table) => {
    table.uuid('id').primary()
    table.string('language', 255).notNullable()
    table.string('key', 255).notNullable()
    table.text('value').notNullable()
    table.unique(['key', 'language'])
  },
}
