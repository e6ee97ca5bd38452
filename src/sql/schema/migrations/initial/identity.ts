/** Roles, users, and the internal state of accounts: failed logins, used one-time codes, unconfirmed secrets. */
import { identity, instant, refersTo, type Tables } from './columns.ts'

export const identityTables: Tables = {
  platform_roles: (table) => {
    identity(table)
    table.string('name', 100).notNullable()
    table.string('icon', 64).notNullable().defaultTo('supervised_user_circle')
    table.text('description')
    refersTo(table.uuid('parent').index(), 'platform_roles.id', 'SET NULL')
    table.string('external_id', 255).unique()
    table.text('ip_access')
    table.boolean('enforce_tfa').notNullable().defaultTo(false)
    table.json('module_listing')
    table.json('collection_listing')
    // For older applications: collections that their navigation leaves out.
    table.text('nav_blacklist')
  },
  platform_users: (table) => {
    identity(table)
    table.string('status', 16).notNullable().defaultTo('active')
    refersTo(table.uuid('role').index(), 'platform_roles.id', 'SET NULL')
    table.string('first_name', 50)
    table.string('last_name', 50)
    table.string('email', 128).unique()
    table.string('password', 255)
    table.string('token', 255).unique()
    table.string('tfa_secret', 255)
    table.string('password_reset_token', 520)
    table.string('location', 255)
    table.string('title', 191)
    table.string('company', 191)
    table.text('description')
    table.json('tags')
    // No foreign key: on other servers of this platform it may name a file that is not there.
    table.uuid('avatar').index()
    table.string('language', 255)
    table.string('timezone', 64)
    table.json('locale_options')
    table.string('text_direction', 16).notNullable().defaultTo('auto')
    table.string('appearance', 255)
    table.string('theme_dark', 255)
    table.string('theme_light', 255)
    table.json('theme_light_overrides')
    table.json('theme_dark_overrides')
    table.boolean('email_notifications').defaultTo(true)
    instant(table, 'last_access')
    table.string('last_page', 255)
    table.string('provider', 128).notNullable().defaultTo('default')
    table.string('external_identifier', 255)
    table.json('auth_data')
    // Two providers may both have a person "1".
    table.unique(['external_identifier', 'provider'])
  },
  platform_account_states: (table) => {
    refersTo(table.uuid('user').primary(), 'platform_users.id', 'CASCADE')
    // Consecutive failures since the last successful login.
    table.integer('failed_logins').notNullable().defaultTo(0)
    instant(table, 'last_attempt')
    // Time step of the last accepted one-time code.
    table.bigInteger('code_step')
    table.string('pending_secret_hash', 128)
    instant(table, 'pending_until')
  },
  /** Users who keep their own password and may also log in by a provider. */
  platform_linked_logins: (table) => {
    refersTo(table.uuid('user').notNullable(), 'platform_users.id', 'CASCADE')
    table.string('provider', 128).notNullable()
    table.string('identifier', 255).notNullable()
    table.primary(['provider', 'identifier'])
    table.unique(['user', 'provider'])
  },
  /** Keys that work once, on all replicas, until they expire. */
  platform_used_tokens: (table) => {
    table.string('id', 128).primary()
    instant(table, 'expires').notNullable().index()
  },
}
