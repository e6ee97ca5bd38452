/** Metadata of collections, fields and relations that the catalog of the database does not hold. */
import type { Knex } from 'knex'
import { refersTo } from './columns.ts'

export const metadataTables = (knex: Knex): readonly Knex.SchemaBuilder[] => [
  collections(knex),
  fields(knex),
  relations(knex),
]

const collections = (knex: Knex): Knex.SchemaBuilder =>
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
    table.string('status', 255).notNullable().defaultTo('active')
    table.integer('autosave_revision_interval')
  })

const fields = (knex: Knex): Knex.SchemaBuilder =>
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
    // Hints of older applications: whether a field can be changed, and whether lists show it.
    table.boolean('locked').notNullable().defaultTo(false)
    table.boolean('hidden_browse').notNullable().defaultTo(false)
    table.boolean('searchable').notNullable().defaultTo(true)
    table.unique(['collection', 'field'])
  })

const relations = (knex: Knex): Knex.SchemaBuilder =>
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
  })
