/** The policy that belongs to a role, and tables of the application: presets, comments, notifications, dashboards, translations. */
import type { Knex } from 'knex'
import type { Migration } from '../migrate.ts'

type Table = Knex.CreateTableBuilder

export const accessAndCollaboration: Migration = {
  name: '0002-access-and-collaboration',
  statements: (knex) => [
    ...ownPolicies(knex),
    presets(knex),
    comments(knex),
    notifications(knex),
    ...dashboards(knex),
    translations(knex),
  ],
}

const refersTo = (table: Table, name: string, target: string, onDelete: 'CASCADE' | 'SET NULL'): void => {
  table.uuid(name).references('id').inTable(target).onDelete(onDelete)
  table.index([name])
}

const instant = (table: Table, name: string): Knex.ColumnBuilder => table.timestamp(name, { useTz: true })

/** Older clients write permissions by role. Such permissions are stored in a policy that belongs to the role. */
const ownPolicies = (knex: Knex): readonly Knex.SchemaBuilder[] => [
  knex.schema.alterTable('platform_policies', (table) => {
    table.uuid('of_role').unique().references('id').inTable('platform_roles').onDelete('CASCADE')
  }),
  knex.schema.alterTable('platform_permissions', (table) => refersTo(table, 'role', 'platform_roles', 'SET NULL')),
]

const presets = (knex: Knex): Knex.SchemaBuilder =>
  knex.schema.createTable('platform_presets', (table) => {
    table.increments('id')
    table.string('bookmark', 255)
    refersTo(table, 'user', 'platform_users', 'CASCADE')
    refersTo(table, 'role', 'platform_roles', 'CASCADE')
    table.string('collection', 64)
    table.string('search', 100)
    table.string('layout', 100).defaultTo('tabular')
    table.json('layout_query')
    table.json('layout_options')
    table.integer('refresh_interval')
    table.json('filter')
    table.string('icon', 64).defaultTo('bookmark')
    table.string('color', 255)
  })

const comments = (knex: Knex): Knex.SchemaBuilder =>
  knex.schema.createTable('platform_comments', (table) => {
    table.uuid('id').primary()
    table.string('collection', 64).notNullable()
    table.string('item', 255).notNullable()
    table.text('comment').notNullable()
    instant(table, 'date_created').defaultTo(knex.fn.now())
    instant(table, 'date_updated')
    refersTo(table, 'user_created', 'platform_users', 'SET NULL')
    refersTo(table, 'user_updated', 'platform_users', 'SET NULL')
    table.index(['collection', 'item'])
  })

const notifications = (knex: Knex): Knex.SchemaBuilder =>
  knex.schema.createTable('platform_notifications', (table) => {
    table.increments('id')
    instant(table, 'timestamp').defaultTo(knex.fn.now())
    table.string('status', 255).defaultTo('inbox')
    table.uuid('recipient').notNullable().references('id').inTable('platform_users').onDelete('CASCADE')
    refersTo(table, 'sender', 'platform_users', 'SET NULL')
    table.string('subject', 255).notNullable()
    table.text('message')
    table.string('collection', 64)
    table.string('item', 255)
    table.index(['recipient'])
  })

const dashboards = (knex: Knex): readonly Knex.SchemaBuilder[] => [
  knex.schema.createTable('platform_dashboards', (table) => {
    table.uuid('id').primary()
    table.string('name', 255).notNullable()
    table.string('icon', 64).notNullable().defaultTo('dashboard')
    table.text('note')
    instant(table, 'date_created').defaultTo(knex.fn.now())
    refersTo(table, 'user_created', 'platform_users', 'SET NULL')
    table.string('color', 255)
  }),
  knex.schema.createTable('platform_panels', (table) => {
    table.uuid('id').primary()
    table.uuid('dashboard').notNullable().references('id').inTable('platform_dashboards').onDelete('CASCADE')
    table.string('name', 255)
    table.string('icon', 64)
    table.string('color', 10)
    table.boolean('show_header').notNullable().defaultTo(false)
    table.text('note')
    table.string('type', 255).notNullable()
    for (const name of ['position_x', 'position_y', 'width', 'height']) table.integer(name).notNullable()
    table.json('options')
    instant(table, 'date_created').defaultTo(knex.fn.now())
    refersTo(table, 'user_created', 'platform_users', 'SET NULL')
    table.index(['dashboard'])
  }),
]

const translations = (knex: Knex): Knex.SchemaBuilder =>
  knex.schema.createTable('platform_translations', (table) => {
    table.uuid('id').primary()
    table.string('language', 255).notNullable()
    table.string('key', 255).notNullable()
    table.text('value').notNullable()
    table.unique(['key', 'language'])
  })
