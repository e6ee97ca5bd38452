/** Activity, versions of items, revisions, and the use of the API. */
import { instant, refersTo, type Tables } from './columns.ts'

export const historyTables: Tables = {
  platform_activity: (table, knex) => {
    table.increments('id')
    table.string('action', 45).notNullable()
    // No foreign key: history is kept when the user is deleted.
    table.uuid('user')
    instant(table, 'timestamp').notNullable().defaultTo(knex.fn.now()).index()
    table.string('ip', 50)
    table.text('user_agent')
    table.string('origin', 255)
    table.string('collection', 64).notNullable()
    table.string('item', 255).notNullable()
    table.text('comment')
    instant(table, 'edited_on')
    instant(table, 'comment_deleted_on')
    table.index(['collection', 'item'])
    // Most callers may read their own entries only, newest first.
    table.index(['user', 'timestamp'])
  },
  platform_versions: (table, knex) => {
    table.uuid('id').primary()
    table.string('key', 64).notNullable()
    table.string('name', 255)
    table.string('collection', 64).notNullable()
    table.string('item', 255).notNullable()
    table.string('hash', 255)
    table.json('delta')
    instant(table, 'date_created').defaultTo(knex.fn.now())
    instant(table, 'date_updated')
    refersTo(table.uuid('user_created').index(), 'platform_users.id', 'SET NULL')
    refersTo(table.uuid('user_updated').index(), 'platform_users.id', 'SET NULL')
    table.unique(['collection', 'item', 'key'])
  },
  platform_revisions: (table) => {
    table.increments('id')
    refersTo(table.integer('activity').notNullable().index(), 'platform_activity.id', 'CASCADE')
    table.string('collection', 64).notNullable()
    table.string('item', 255).notNullable()
    table.json('data')
    table.json('delta')
    refersTo(table.integer('parent').index(), 'platform_revisions.id', 'SET NULL')
    // The revisions of a version are deleted with the version.
    refersTo(table.uuid('version').index(), 'platform_versions.id', 'CASCADE')
    // For the list of an item's revisions, newest first.
    table.index(['collection', 'item', 'id'])
  },
  /** For older applications: which entries a user has looked at. */
  platform_activity_seen: (table) => {
    table.increments('id')
    refersTo(table.integer('activity').notNullable().index(), 'platform_activity.id', 'CASCADE')
    refersTo(table.uuid('user').notNullable().index(), 'platform_users.id', 'CASCADE')
    instant(table, 'seen_on')
    table.boolean('archived').notNullable().defaultTo(false)
  },
  /** The answers to writes with an Idempotency-Key. */
  platform_idempotency_keys: (table) => {
    table.string('caller', 120).notNullable()
    table.string('key', 255).notNullable()
    table.string('digest', 64).notNullable()
    table.smallint('status').notNullable()
    table.text('body')
    table.json('headers').notNullable()
    instant(table, 'expires').notNullable().index()
    table.primary(['caller', 'key'])
  },
  /** How often which clients call the operations of an API that will be turned off. */
  platform_api_usage: (table) => {
    table.string('operation', 64).notNullable()
    table.string('agent', 40).notNullable()
    // All zeros for callers without a user. No foreign key: the row outlives the user.
    table.uuid('user').notNullable()
    table.bigInteger('calls').notNullable()
    instant(table, 'first_call').notNullable()
    instant(table, 'last_call').notNullable()
    table.primary(['operation', 'agent', 'user'])
  },
}
