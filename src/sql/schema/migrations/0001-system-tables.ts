/** The first system tables: identity, access, metadata, history, files, settings. */
import type { Knex } from 'knex'
import { seedIds } from '../../../domain/schema/identity.ts'
import type { Migration } from '../migrate.ts'

type Table = Knex.CreateTableBuilder

export const systemTables: Migration = {
  name: '0001-system-tables',
  statements: (knex) => [
    ...identityTables(knex),
    ...accessTables(knex),
    ...metadataTables(knex),
    ...historyTables(knex),
    settingsTable(knex),
    ...seedRows(knex),
  ],
}

/** A uuid key, and an integer number under which one of the generations shows the row. */
function identity(table: Table): void {
  table.uuid('id').primary()
  table.increments('number', { primaryKey: false })
  table.unique(['number'])
}

const instant = (table: Table, name: string): Knex.ColumnBuilder => table.timestamp(name, { useTz: true })

/** A column that refers to a row; `onDelete` says what happens when that row is deleted. */
function refersTo(column: Knex.ColumnBuilder, target: string, onDelete: 'CASCADE' | 'SET NULL'): void {
  const [table, key] = target.split('.') as [string, string]
  column.references(key).inTable(table).onDelete(onDelete)
}

function identityTables(knex: Knex): readonly Knex.SchemaBuilder[] {
  return [
    knex.schema.createTable('platform_roles', (table) => {
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
    }),
    knex.schema.createTable('platform_users', (table) => {
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
      table.uuid('avatar')
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
      table.string('external_identifier', 255).unique()
      table.json('auth_data')
    }),
    // Addresses are unique without regard to case.
    knex.schema.raw('create unique index platform_users_address on platform_users (lower(email))'),
    knex.schema.createTable('platform_folders', (table) => {
      identity(table)
      table.string('name', 255).notNullable()
      refersTo(table.uuid('parent').index(), 'platform_folders.id', 'SET NULL')
    }),
    knex.schema.createTable('platform_files', (table) => {
      identity(table)
      table.string('storage', 255).notNullable()
      table.string('filename_disk', 255)
      table.string('filename_download', 255).notNullable()
      table.string('private_hash', 16).unique()
      table.string('title', 255)
      table.string('type', 255)
      refersTo(table.uuid('folder').index(), 'platform_folders.id', 'SET NULL')
      refersTo(table.uuid('uploaded_by'), 'platform_users.id', 'SET NULL')
      instant(table, 'created_on').notNullable().defaultTo(knex.fn.now())
      refersTo(table.uuid('modified_by'), 'platform_users.id', 'SET NULL')
      instant(table, 'modified_on').notNullable().defaultTo(knex.fn.now())
      instant(table, 'uploaded_on')
      table.string('charset', 50)
      table.bigInteger('filesize')
      table.integer('width')
      table.integer('height')
      table.integer('duration')
      table.string('checksum', 64)
      table.string('embed', 200)
      table.text('description')
      table.text('location')
      table.json('tags')
      table.json('metadata')
      table.integer('focal_point_x')
      table.integer('focal_point_y')
      table.string('tus_id', 64)
      table.json('tus_data')
    }),
    knex.schema.alterTable('platform_users', (table) => {
      table.foreign('avatar').references('id').inTable('platform_files').onDelete('SET NULL')
    }),
  ]
}

function accessTables(knex: Knex): readonly Knex.SchemaBuilder[] {
  return [
    knex.schema.createTable('platform_policies', (table) => {
      table.uuid('id').primary()
      table.string('name', 100).notNullable()
      table.string('icon', 64).notNullable().defaultTo('badge')
      table.text('description')
      table.text('ip_access')
      table.boolean('enforce_tfa').notNullable().defaultTo(false)
      table.boolean('admin_access').notNullable().defaultTo(false)
      table.boolean('app_access').notNullable().defaultTo(false)
    }),
    knex.schema.createTable('platform_access', (table) => {
      table.uuid('id').primary()
      refersTo(table.uuid('role').index(), 'platform_roles.id', 'CASCADE')
      refersTo(table.uuid('user').index(), 'platform_users.id', 'CASCADE')
      refersTo(table.uuid('policy').notNullable().index(), 'platform_policies.id', 'CASCADE')
      table.integer('sort')
    }),
    knex.schema.createTable('platform_permissions', (table) => {
      table.increments('id')
      refersTo(table.uuid('policy').notNullable().index(), 'platform_policies.id', 'CASCADE')
      table.string('collection', 64).notNullable()
      table.string('action', 10).notNullable()
      table.json('permissions')
      table.json('validation')
      table.json('presets')
      table.text('fields')
    }),
    knex.schema.createTable('platform_sessions', (table) => {
      table.uuid('id').primary()
      table.string('token_hash', 128).notNullable().unique()
      table.string('previous_token_hash', 128).index()
      refersTo(table.uuid('user').notNullable().index(), 'platform_users.id', 'CASCADE')
      instant(table, 'created').notNullable().defaultTo(knex.fn.now())
      instant(table, 'refreshed')
      instant(table, 'expires').notNullable().index()
      table.string('ip', 255)
      table.text('user_agent')
      table.string('origin', 255)
    }),
  ]
}

function metadataTables(knex: Knex): readonly Knex.SchemaBuilder[] {
  return [
    knex.schema.createTable('platform_collections', (table) => {
      table.string('collection', 64).primary()
      table.string('icon', 64)
      table.text('note')
      table.string('display_template', 255)
      table.boolean('hidden').notNullable().defaultTo(false)
      table.boolean('singleton').notNullable().defaultTo(false)
      table.json('translations')
      table.string('archive_field', 64)
      table.boolean('archive_app_filter').notNullable().defaultTo(true)
      table.string('archive_value', 255)
      table.string('unarchive_value', 255)
      table.string('sort_field', 64)
      table.string('accountability', 255).defaultTo('all')
      table.string('color', 255)
      table.json('item_duplication_fields')
      table.integer('sort')
      refersTo(table.string('group', 64), 'platform_collections.collection', 'SET NULL')
      table.string('collapse', 255).notNullable().defaultTo('open')
      table.string('preview_url', 255)
      table.boolean('versioning').notNullable().defaultTo(false)
    }),
    knex.schema.createTable('platform_fields', (table) => {
      table.increments('id')
      table.string('collection', 64).notNullable()
      table.string('field', 64).notNullable()
      // The declared type, if column and specials do not express it: `status`, `sort`, `owner`.
      table.string('type', 64)
      table.text('special')
      table.string('interface', 64)
      table.json('options')
      table.string('display', 64)
      table.json('display_options')
      table.boolean('readonly').notNullable().defaultTo(false)
      table.boolean('hidden').notNullable().defaultTo(false)
      table.integer('sort')
      table.string('width', 30).defaultTo('full')
      table.json('translations')
      table.text('note')
      table.json('conditions')
      table.boolean('required').defaultTo(false)
      table.string('group', 64)
      table.json('validation')
      table.text('validation_message')
      table.unique(['collection', 'field'])
    }),
    knex.schema.createTable('platform_relations', (table) => {
      table.increments('id')
      table.string('many_collection', 64).notNullable()
      table.string('many_field', 64).notNullable()
      table.string('one_collection', 64)
      table.string('one_field', 64)
      table.string('one_collection_field', 64)
      table.text('one_allowed_collections')
      table.string('junction_field', 64)
      table.string('sort_field', 64)
      table.string('one_deselect_action', 255).notNullable().defaultTo('nullify')
      table.unique(['many_collection', 'many_field'])
    }),
  ]
}

function historyTables(knex: Knex): readonly Knex.SchemaBuilder[] {
  return [
    knex.schema.createTable('platform_activity', (table) => {
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
    }),
    knex.schema.createTable('platform_revisions', (table) => {
      table.increments('id')
      refersTo(table.integer('activity').notNullable().index(), 'platform_activity.id', 'CASCADE')
      table.string('collection', 64).notNullable()
      table.string('item', 255).notNullable()
      table.json('data')
      table.json('delta')
      refersTo(table.integer('parent').index(), 'platform_revisions.id', 'SET NULL')
      table.uuid('version')
      // For the list of an item's revisions, newest first.
      table.index(['collection', 'item', 'id'])
    }),
  ]
}

function settingsTable(knex: Knex): Knex.SchemaBuilder {
  return knex.schema.createTable('platform_settings', (table) => {
    const file = (name: string): void => refersTo(table.uuid(name), 'platform_files.id', 'SET NULL')
    table.increments('id')
    table.string('project_name', 100).notNullable().defaultTo('Tandem')
    table.string('project_descriptor', 100)
    table.string('project_url', 255)
    table.string('project_color', 255).notNullable().defaultTo('#6644FF')
    file('project_logo')
    file('public_foreground')
    file('public_background')
    file('public_favicon')
    table.text('public_note')
    table.string('default_language', 255).notNullable().defaultTo('en-US')
    table.string('default_appearance', 255).notNullable().defaultTo('auto')
    table.string('default_theme_light', 255)
    table.string('default_theme_dark', 255)
    table.json('theme_light_overrides')
    table.json('theme_dark_overrides')
    table.integer('auth_login_attempts').defaultTo(25)
    table.string('auth_password_policy', 100)
    table.string('storage_asset_transform', 7).defaultTo('all')
    table.json('storage_asset_presets')
    refersTo(table.uuid('storage_default_folder'), 'platform_folders.id', 'SET NULL')
    table.text('custom_css')
    table.json('basemaps')
    table.json('module_bar')
    table.json('custom_aspect_ratios')
    table.string('mapbox_key', 255)
    table.string('report_error_url', 255)
    table.string('report_bug_url', 255)
    table.string('report_feature_url', 255)
    table.boolean('public_registration').notNullable().defaultTo(false)
    table.boolean('public_registration_verify_email').notNullable().defaultTo(true)
    refersTo(table.uuid('public_registration_role'), 'platform_roles.id', 'SET NULL')
    table.json('public_registration_email_filter')
  })
}

/** The order matters: the roles get the numbers 1 and 2. */
function seedRows(knex: Knex): readonly Knex.QueryBuilder[] {
  const { administratorRole, publicRole, administratorPolicy, publicPolicy } = seedIds
  return [
    knex('platform_roles').insert({ id: administratorRole, name: 'Administrator', icon: 'verified' }),
    knex('platform_roles').insert({ id: publicRole, name: 'Public', icon: 'public' }),
    knex('platform_policies').insert({
      id: administratorPolicy,
      name: 'Administrator',
      icon: 'verified',
      admin_access: true,
      app_access: true,
    }),
    knex('platform_policies').insert({ id: publicPolicy, name: 'Public', icon: 'public' }),
    knex('platform_access').insert({
      id: seedIds.administratorAccess,
      role: administratorRole,
      policy: administratorPolicy,
      sort: 1,
    }),
    knex('platform_access').insert({ id: seedIds.publicAccess, policy: publicPolicy, sort: 1 }),
    knex('platform_settings').insert({ project_name: 'Tandem' }),
  ]
}
