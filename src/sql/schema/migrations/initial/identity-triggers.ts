/**
 * Every user and role has an external id, by which version 8 and SCIM know it: its own uuid until an identity provider
 * gives it another one.
 */
import type { Knex } from 'knex'

export const identityTriggers = (knex: Knex): readonly Knex.SchemaBuilder[] => [
  ...fill(knex, 'platform_users', 'external_identifier'),
  ...fill(knex, 'platform_roles', 'external_id'),
]

const fill = (knex: Knex, table: string, column: string): readonly Knex.SchemaBuilder[] => [
  knex.schema.raw(`create function ${table}_name() returns trigger language plpgsql as $body$
begin
  new.${column} := new.id::text;
  return new;
end $body$`),
  knex.schema.raw(`create trigger ${table}_name before insert on ${table}
    for each row when (new.${column} is null) execute function ${table}_name()`),
]
