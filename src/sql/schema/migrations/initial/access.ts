/** Policies, permissions, shares of items, sessions, and API keys. */
import { instant, refersTo, type Tables } from './columns.ts'

export const accessTables: Tables = {
  platform_policies: (table) => {
    table.uuid('id').primary()
    table.string('name', 100).notNullable()
    table.string('icon', 64).notNullable().defaultTo('badge')
    table.text('description')
    table.text('ip_access')
    table.boolean('enforce_tfa').notNullable().defaultTo(false)
    table.boolean('admin_access').notNullable().defaultTo(false)
    table.boolean('app_access').notNullable().defaultTo(false)
    // Older clients write permissions by role. Such permissions are stored in a policy that belongs to the role.
    refersTo(table.uuid('of_role').unique(), 'platform_roles.id', 'CASCADE')
  },
  platform_access: (table) => {
    table.uuid('id').primary()
    refersTo(table.uuid('role').index(), 'platform_roles.id', 'CASCADE')
    refersTo(table.uuid('user').index(), 'platform_users.id', 'CASCADE')
    refersTo(table.uuid('policy').notNullable().index(), 'platform_policies.id', 'CASCADE')
    table.integer('sort')
  },
  platform_permissions: (table) => {
    table.increments('id')
    refersTo(table.uuid('policy').notNullable().index(), 'platform_policies.id', 'CASCADE')
    table.string('collection', 64).notNullable()
    table.string('action', 10).notNullable()
    table.json('permissions')
    table.json('validation')
    table.json('presets')
    table.text('fields')
    refersTo(table.uuid('role').index(), 'platform_roles.id', 'SET NULL')
  },
  /** Rights of roles as levels, per collection and status, in the form of older applications. */
  platform_role_levels: (table) => {
    table.increments('id')
    table.string('collection', 64).notNullable()
    refersTo(table.uuid('role').notNullable().index(), 'platform_roles.id', 'CASCADE')
    table.string('status', 64)
    for (const name of ['create', 'read', 'update', 'delete', 'comment', 'explain']) {
      table.string(name, 16).defaultTo('none')
    }
    for (const name of ['read_field_blacklist', 'write_field_blacklist', 'status_blacklist']) table.text(name)
  },
  /** A share is deleted with its creator and with its role, because its rights depend on both. */
  platform_shares: (table, knex) => {
    table.uuid('id').primary()
    table.string('name', 255)
    table.string('collection', 64).notNullable()
    table.string('item', 255).notNullable()
    refersTo(table.uuid('role').index(), 'platform_roles.id', 'CASCADE')
    table.string('password', 255)
    refersTo(table.uuid('user_created').index(), 'platform_users.id', 'CASCADE')
    instant(table, 'date_created').defaultTo(knex.fn.now())
    instant(table, 'date_start')
    instant(table, 'date_end')
    table.integer('times_used').notNullable().defaultTo(0)
    table.integer('max_uses')
    table.index(['collection', 'item'])
  },
  /** A session belongs either to a user or to a share. */
  platform_sessions: (table, knex) => {
    table.uuid('id').primary()
    table.string('token_hash', 128).notNullable().unique()
    table.string('previous_token_hash', 128).index()
    refersTo(table.uuid('user').index(), 'platform_users.id', 'CASCADE')
    instant(table, 'created').notNullable().defaultTo(knex.fn.now())
    instant(table, 'refreshed')
    instant(table, 'expires').notNullable().index()
    table.string('ip', 255)
    table.text('user_agent')
    table.string('origin', 255)
    refersTo(table.uuid('share').index(), 'platform_shares.id', 'CASCADE')
    table.check('("user" is null) <> ("share" is null)', undefined, 'platform_sessions_holder_check')
  },
  /** For sessions of a login provider: to end with the session there, and to live with its token. */
  platform_provider_sessions: (table) => {
    refersTo(table.uuid('session').primary(), 'platform_sessions.id', 'CASCADE')
    table.string('provider', 128).notNullable()
    // Key of the person there, and its format (SAML).
    table.string('subject', 255).notNullable()
    table.string('format', 255)
    // Name of the session there (sid, SessionIndex).
    table.string('name', 255)
    // Refresh token of the provider, sealed.
    table.text('token')
    // Nobody else renews the token until then.
    instant(table, 'renewing')
    // Namespaces of the key (SAML): of the provider (NameQualifier), and of this server (SPNameQualifier).
    table.string('qualifier', 255)
    table.string('own_qualifier', 255)
    table.index(['subject', 'provider'])
  },
  platform_keys: (table) => {
    table.uuid('id').primary()
    refersTo(table.uuid('user').notNullable().index(), 'platform_users.id', 'CASCADE')
    table.string('name', 100).notNullable()
    table.string('prefix', 16).notNullable()
    table.string('hash', 64).notNullable().unique()
    // Ids of policies, separated by commas; null for all rights of the user.
    table.text('policies')
    table.integer('max_requests')
    table.integer('max_cost')
    instant(table, 'expires')
    instant(table, 'created').notNullable()
    instant(table, 'last_used')
  },
}
