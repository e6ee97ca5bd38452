/** The rows that every database starts with. */
import type { Knex } from 'knex'
import { seedIds } from '../../../../domain/schema/identity.ts'

/**
 * The roles get the numbers 1 and 2, which older clients know. Where a change of tables ends the transaction, a stop
 * between the rows and the note of the step takes the rows back, but not the numbers: `numbered` sets them.
 */
export function seedRows(knex: Knex): readonly Knex.QueryBuilder[] {
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
    knex('platform_webhook_reader').insert({ id: 1, position: 0 }),
    numbered(knex, administratorRole, 1),
    numbered(knex, publicRole, 2),
  ]
}

/** MySQL reads a table that it writes only as a derived one. */
const numbered = (knex: Knex, id: string, number: number): Knex.QueryBuilder =>
  knex('platform_roles')
    .where({ id })
    .whereNotExists(
      knex(knex('platform_roles').select('number').as('other')).select(knex.raw('1')).where('other.number', number),
    )
    .update({ number })
