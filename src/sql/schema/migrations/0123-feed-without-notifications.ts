/** Readers of the feed look at it: writers notify nobody, and write one index less. */
import type { Migration } from './migration.ts'

export const feedWithoutNotifications: Migration = {
  name: '0123-feed-without-notifications',
  statements: (knex, triggers) =>
    triggers === 'psm'
      ? []
      : [
          knex.schema.raw('drop trigger platform_events_told on platform_events'),
          knex.schema.raw('drop function platform_events_told()'),
          // An event has no place when it is written.
          knex.schema.raw('alter table platform_events drop constraint platform_events_position_unique'),
          knex.schema.raw(
            'create unique index platform_events_position on platform_events (position) where position is not null',
          ),
        ],
}
