/** Webhooks: who is sent which changes, what was sent, and how far the feed has been read for them. */
import { instant, refersTo, type Tables } from './columns.ts'

export const webhookTables: Tables = {
  platform_webhooks: (table, knex) => {
    table.increments('id')
    table.string('name', 255).notNullable()
    table.string('status', 16).notNullable().defaultTo('active')
    table.string('method', 10).notNullable().defaultTo('POST')
    table.string('url', 2000).notNullable()
    table.string('actions', 100).notNullable()
    table.text('collections').notNullable()
    table.json('headers')
    table.boolean('data').notNullable().defaultTo(true)
    // The form of the body: that of Standard Webhooks, or the item alone.
    table.string('format', 16).notNullable().defaultTo('standard')
    // Whose rights decide what is sent. Nobody's: nothing is sent.
    refersTo(table.uuid('user').index(), 'platform_users.id', 'SET NULL')
    refersTo(table.uuid('role').index(), 'platform_roles.id', 'SET NULL')
    table.string('secret', 255)
    table.string('previous_secret', 255)
    instant(table, 'previous_secret_until')
    // Since when no delivery has succeeded, and why.
    instant(table, 'failing_since')
    table.string('failure', 255)
    instant(table, 'date_created').defaultTo(knex.fn.now())
    instant(table, 'date_updated')
    refersTo(table.uuid('user_created').index(), 'platform_users.id', 'SET NULL')
  },
  platform_webhook_deliveries: (table) => {
    table.bigIncrements('id')
    refersTo(table.integer('webhook').notNullable(), 'platform_webhooks.id', 'CASCADE')
    table.string('event', 64).notNullable()
    table.bigInteger('position').notNullable()
    table.string('type', 80).notNullable()
    table.string('collection', 64).notNullable()
    table.text('item').notNullable()
    // A hash of collection and item: deliveries of one row are made one after another.
    table.string('row_hash', 64).notNullable()
    table.text('body')
    table.string('state', 16).notNullable()
    table.integer('attempts').notNullable().defaultTo(0)
    table.integer('last_status')
    table.string('last_error', 255)
    instant(table, 'created').notNullable()
    instant(table, 'last_attempt')
    instant(table, 'next_attempt')
    table.string('leased_by', 64)
    instant(table, 'leased_until')
    table.unique(['webhook', 'position'])
    table.index(['webhook', 'state', 'next_attempt'])
    table.index(['webhook', 'row_hash', 'state'])
    table.index(['state', 'created'])
  },
  platform_webhook_reader: (table) => {
    table.integer('id').primary()
    // The place in the feed up to which deliveries were made.
    table.bigInteger('position').notNullable()
    // The process that makes them, and until when it alone does.
    table.string('leased_by', 64)
    instant(table, 'leased_until')
  },
}
