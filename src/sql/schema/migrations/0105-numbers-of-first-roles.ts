/**
 * The first two roles have the numbers 1 and 2, which older clients know. Where a change of tables ends the transaction, a
 * stop between their rows and the note of the step takes the rows back, but not the numbers: the next attempt gets later
 * ones.
 */
import type { Knex } from 'knex'
import { seedIds } from '../../../domain/schema/identity.ts'
import type { Migration } from './migration.ts'

const setNumber = (knex: Knex, id: string, number: number): Knex.QueryBuilder =>
  knex('platform_roles')
    .where({ id })
    .whereNotExists(knex('platform_roles as other').select(knex.raw('1')).where('other.number', number))
    .update({ number })

export const numbersOfFirstRoles: Migration = {
  name: '0105-numbers-of-first-roles',
  statements: (knex) => [setNumber(knex, seedIds.administratorRole, 1), setNumber(knex, seedIds.publicRole, 2)],
}
