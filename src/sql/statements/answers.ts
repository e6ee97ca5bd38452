/** How the statements of this room are run, and in which form their answers come back. */
import type { Database, Statement } from '../../domain/ports/context.ts'

/** A database, or the transaction that the statement is part of. */
export type Runner = Pick<Database, 'run'>

/** All rows; `Row` is the form that the columns of the statement have. */
export async function allRows<Row>(db: Runner, statement: Statement): Promise<readonly Row[]> {
  return (await db.run(statement)).rows as readonly Row[]
}

/** The first row. */
export async function firstRow<Row>(db: Runner, statement: Statement): Promise<Row | undefined> {
  return (await allRows<Row>(db, statement))[0]
}

/** How many rows were changed or found. */
export async function countRows(db: Runner, statement: Statement): Promise<number> {
  return (await db.run(statement)).count
}

/** Whether a row was changed or found. */
export async function hasRows(db: Runner, statement: Statement): Promise<boolean> {
  return (await countRows(db, statement)) > 0
}

/** Runs a statement whose answer nobody needs. */
export async function change(db: Runner, statement: Statement): Promise<void> {
  await db.run(statement)
}
