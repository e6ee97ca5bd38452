/** The feed: recorded changes of rows, and its position. */
import type { Knex } from 'knex'
import { instant } from './columns.ts'

export const eventTables = (knex: Knex, triggers: 'plpgsql' | 'psm'): readonly Knex.SchemaBuilder[] => [
  knex.schema.createTable('platform_events', (table) => {
    // Given while the row is locked, so that the changes of one row have their order.
    table.bigIncrements('id')
    // The place in the feed, given after the commit. Readers follow it, so a late commit is never skipped.
    const position = table.bigInteger('position')
    if (triggers === 'psm') position.unique()
    // The time of the statement: changes of one request have the same.
    instant(table, 'at')
      .notNullable()
      .defaultTo(knex.raw(triggers === 'psm' ? 'now()' : 'statement_timestamp()'))
    table.string('action', 8).notNullable()
    table.string('collection', 64).notNullable()
    table.text('item').notNullable()
    table.json('before')
    table.json('after')
  }),
  knex.schema.createTable('platform_feed', (table) => {
    table.integer('id').primary()
    // The place of the last event, and the place from which on none is missing.
    table.bigInteger('last').notNullable()
    table.bigInteger('floor').notNullable()
    // The time of the event at the floor, which distinguishes cursors of this feed from those of another.
    instant(table, 'floor_at').notNullable()
    // Changes are recorded until this time; servers with listeners extend it.
    instant(table, 'until').notNullable()
  }),
  knex.schema.raw(
    `insert into platform_feed (id, last, floor, floor_at, until) values (1, 0, 0, '2000-01-01', '2000-01-01')`,
  ),
  ...(triggers === 'psm' ? [] : positionIndexes(knex)),
]

/** An event has no place when it is written: writers have one index less to change. */
const positionIndexes = (knex: Knex): readonly Knex.SchemaBuilder[] => [
  knex.schema.raw('create index platform_events_unplaced on platform_events (id) where position is null'),
  knex.schema.raw(
    'create unique index platform_events_position on platform_events (position) where position is not null',
  ),
]
