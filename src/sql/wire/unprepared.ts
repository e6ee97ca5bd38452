/** Connections that lead through a pooler: the next statement may run on another session, which knows no names. */
import type pg from 'pg'
import type { Statement } from '../../domain/ports/context.ts'

const unprepared = new WeakSet<object>()

/** From now on the statements of the connection are sent without names. */
export const sendWithoutNames = (client: pg.ClientBase): void => void unprepared.add(client)

/** The statement as it can be sent on the connection. */
export function forConnection(client: pg.ClientBase, statement: Statement): Statement {
  if (statement.name === undefined || !unprepared.has(client)) return statement
  const { name: _name, ...unnamed } = statement
  return unnamed
}
