/** Forms of columns that many system tables have. */
import type { Knex } from 'knex'

export type Table = Knex.CreateTableBuilder

/** The columns of tables, by the name of the table. A table comes after those that it refers to. */
export type Tables = { readonly [name: string]: (table: Table, knex: Knex) => void }

/** A uuid key, and an integer number under which one of the generations shows the row. */
export function identity(table: Table): void {
  table.uuid('id').primary()
  table.increments('number', { primaryKey: false })
  table.unique(['number'])
}

export const instant = (table: Table, name: string): Knex.ColumnBuilder => table.timestamp(name, { useTz: true })

/** A column that refers to a row; `onDelete` says what happens when that row is deleted. */
export function refersTo(column: Knex.ColumnBuilder, target: string, onDelete: 'CASCADE' | 'SET NULL'): void {
  const [table, key] = target.split('.') as [string, string]
  column.references(key).inTable(table).onDelete(onDelete)
}
