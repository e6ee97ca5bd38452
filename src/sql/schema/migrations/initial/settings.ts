/** The settings of the project: a single row. */
import { refersTo, type Table, type Tables } from './columns.ts'

export const settingsTable: Tables = {
  platform_settings: (table) => {
    table.increments('id')
    projectColumns(table)
    appearanceColumns(table)
    table.integer('auth_login_attempts').defaultTo(25)
    table.string('auth_password_policy', 100)
    table.string('storage_asset_transform', 7).defaultTo('all')
    table.json('storage_asset_presets')
    refersTo(table.uuid('storage_default_folder'), 'platform_folders.id', 'SET NULL')
    studioColumns(table)
    registrationColumns(table)
    // How files are named in storage and in URLs, and which types are allowed.
    table.string('file_naming', 20).notNullable().defaultTo('uuid')
    table.string('asset_url_naming', 20).notNullable().defaultTo('private_hash')
    table.text('file_mimetype_whitelist')
    // Settings of older applications, by key and value. The server stores them without using them.
    table.json('entries')
  },
}

function projectColumns(table: Table): void {
  table.string('project_name', 100).notNullable().defaultTo('Tandem')
  table.string('project_descriptor', 100)
  table.string('project_url', 255)
  table.string('project_color', 255).notNullable().defaultTo('#6644FF')
  for (const name of ['project_logo', 'public_foreground', 'public_background', 'public_favicon'])
    refersTo(table.uuid(name), 'platform_files.id', 'SET NULL')
  table.text('public_note')
}

function appearanceColumns(table: Table): void {
  table.string('default_language', 255).notNullable().defaultTo('en-US')
  table.string('default_appearance', 255).notNullable().defaultTo('auto')
  table.string('default_theme_light', 255)
  table.string('default_theme_dark', 255)
  table.json('theme_light_overrides')
  table.json('theme_dark_overrides')
}

/** Settings that the application of editors reads. */
function studioColumns(table: Table): void {
  table.text('custom_css')
  table.json('basemaps')
  table.json('module_bar')
  table.json('custom_aspect_ratios')
  table.string('mapbox_key', 255)
  table.string('report_error_url', 255)
  table.string('report_bug_url', 255)
  table.string('report_feature_url', 255)
}

function registrationColumns(table: Table): void {
  table.boolean('public_registration').notNullable().defaultTo(false)
  table.boolean('public_registration_verify_email').notNullable().defaultTo(true)
  refersTo(table.uuid('public_registration_role'), 'platform_roles.id', 'SET NULL')
  table.json('public_registration_email_filter')
}
