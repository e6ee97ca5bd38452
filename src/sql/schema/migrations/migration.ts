import type { Knex } from 'knex'
import type { Dialect } from '../../dialects/dialect.ts'

export type Migration = {
  readonly name: string
  /** Built with knex only for the SQL text; executed through `Database`. */
  readonly statements: (
    knex: Knex,
    triggers: Dialect['triggers'],
  ) => readonly (Knex.SchemaBuilder | Knex.QueryBuilder)[]
}
