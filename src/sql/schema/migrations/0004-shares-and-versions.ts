/** Content versions of items, shares of items, and sessions of share visitors. */
import type { Knex } from 'knex'
import type { Migration } from '../migrate.ts'

type Table = Knex.CreateTableBuilder

export const sharesAndVersions: Migration = {
  name: '0004-shares-and-versions',
  statements: (knex) => [versions(knex), revisionsOfVersions(knex), shares(knex), ...sessionsOfShares(knex)],
}

const refersTo = (table: Table, name: string, target: string, onDelete: 'CASCADE' | 'SET NULL'): void => {
  table.uuid(name).references('id').inTable(target).onDelete(onDelete)
  table.index([name])
}

const instant = (table: Table, name: string): Knex.ColumnBuilder => table.timestamp(name, { useTz: true })

const versions = (knex: Knex): Knex.SchemaBuilder =>
  knex.schema.createTable('platform_versions', (table) => {
    table.uuid('id').primary()
    table.string('key', 64).notNullable()
    table.string('name', 255)
    table.string('collection', 64).notNullable()
    table.string('item', 255).notNullable()
    table.string('hash', 255)
    table.json('delta')
    instant(table, 'date_created').defaultTo(knex.fn.now())
    instant(table, 'date_updated')
    refersTo(table, 'user_created', 'platform_users', 'SET NULL')
    refersTo(table, 'user_updated', 'platform_users', 'SET NULL')
    table.unique(['collection', 'item', 'key'])
  })

/** The revisions of a version are deleted with the version. */
const revisionsOfVersions = (knex: Knex): Knex.SchemaBuilder =>
  knex.schema.alterTable('platform_revisions', (table) => {
    table.foreign('version').references('id').inTable('platform_versions').onDelete('CASCADE')
    table.index(['version'])
  })

/** A share is deleted with its creator and with its role, because its rights depend on both. */
const shares = (knex: Knex): Knex.SchemaBuilder =>
  knex.schema.createTable('platform_shares', (table) => {
    table.uuid('id').primary()
    table.string('name', 255)
    table.string('collection', 64).notNullable()
    table.string('item', 255).notNullable()
    refersTo(table, 'role', 'platform_roles', 'CASCADE')
    table.string('password', 255)
    refersTo(table, 'user_created', 'platform_users', 'CASCADE')
    instant(table, 'date_created').defaultTo(knex.fn.now())
    instant(table, 'date_start')
    instant(table, 'date_end')
    table.integer('times_used').notNullable().defaultTo(0)
    table.integer('max_uses')
    table.index(['collection', 'item'])
  })

/** A session belongs either to a user or to a share. */
const sessionsOfShares = (knex: Knex): readonly Knex.SchemaBuilder[] => [
  knex.schema.alterTable('platform_sessions', (table) => {
    refersTo(table, 'share', 'platform_shares', 'CASCADE')
    table.setNullable('user')
  }),
  knex.schema.alterTable('platform_sessions', (table) => {
    table.check('("user" is null) <> ("share" is null)', undefined, 'platform_sessions_holder_check')
  }),
]
