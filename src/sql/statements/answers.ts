/** Runs the statements of this room and types their results. */
import type { Database, Statement } from '../../domain/ports/context.ts'

/** A database, or the transaction that the statement is part of. */
export type Runner = Pick<Database, 'run'>

/** All rows. `Row`: the type of the statement's columns. */
export async function allRows<Row>(db: Runner, statement: Statement): Promise<readonly Row[]> {
  return (await db.run(statement)).rows as readonly Row[]
}

/** The first row. */
export async function firstRow<Row>(db: Runner, statement: Statement): Promise<Row | undefined> {
  return (await allRows<Row>(db, statement))[0]
}

/** The values of the first column, of all rows. */
export async function allValues<Value>(db: Runner, statement: Statement): Promise<readonly Value[]> {
  const rows = await allRows<{ readonly [column: string]: Value }>(db, statement)
  return rows.map((row) => Object.values(row)[0] as Value)
}

/** The value of the first column of the first row. */
export async function firstValue<Value>(db: Runner, statement: Statement): Promise<Value | undefined> {
  return (await allValues<Value>(db, statement))[0]
}

/** Number of rows that were changed or found. */
export async function countRows(db: Runner, statement: Statement): Promise<number> {
  return (await db.run(statement)).count
}

/** Whether a row was changed or found. */
export async function hasRows(db: Runner, statement: Statement): Promise<boolean> {
  return (await countRows(db, statement)) > 0
}

/** Runs a statement without a result. */
export async function change(db: Runner, statement: Statement): Promise<void> {
  await db.run(statement)
}
