import type { Knex } from 'knex'

export type Migration = {
  readonly name: string
  /** Built with knex only for the SQL text; executed through `Database`. */
  readonly statements: (knex: Knex) => readonly (Knex.SchemaBuilder | Knex.QueryBuilder)[]
}
