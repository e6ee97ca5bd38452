/** Statements about the transaction that they are part of. */
import { change, type Runner } from '../answers.ts'

/** Cancels each further statement of the transaction after that time in milliseconds. */
export async function limitStatements(db: Runner, milliseconds: number): Promise<void> {
  const text = `select set_config('statement_timeout', $1::text, true)`
  const time = Math.ceil(milliseconds)
  await change(db, {
    task: 'limitStatements',
    text,
    // The server takes no parameter there. The driver restores the session at the end of the transaction.
    texts: {
      mysql: `set session /*M! max_statement_time = ${time / 1000} */ /*!80000 max_execution_time = ${time} */`,
    },
    values: [String(time)],
    name: 'limit-statements',
  })
}

/** Checks now what is otherwise checked at the commit. */
export async function checkDeferred(db: Runner): Promise<void> {
  await change(db, {
    task: 'checkDeferred',
    text: 'set constraints all immediate',
    // Nothing is checked at the commit there.
    texts: { mysql: 'select 1' },
    values: [],
  })
}
