/** Errors that functions of the database raise on purpose (`raise exception`). Their texts are meant for the caller. */
import type { DatabaseError } from 'pg'
import type { Failure } from '../../domain/rights/errors.ts'

/** The classes of SQLSTATE that Postgres documents (appendix A). All others belong to functions of the database. */
const documented: ReadonlySet<string> = new Set(
  (
    '00 01 02 03 08 09 0A 0B 0F 0L 0P 0Z 10 20 21 22 23 24 25 26 27 28 2B 2D 2F 34 38 39 3B 3D 3F 40 42 44 53 54 55 57 ' +
    '58 72 F0 HV P0 XX'
  ).split(' '),
)

/** With any state: PL/pgSQL names its RAISE statement as the origin. Other languages have a state of their own. */
export const isRaised = ({ code = '', routine }: Pick<DatabaseError, 'code' | 'routine'>): boolean =>
  routine === 'exec_stmt_raise' || code === 'P0001' || (code.length === 5 && !documented.has(code.slice(0, 2)))

/** States that say more than their text: about a key, or that a retry can succeed. */
const explainedStates = /^(23001|23502|23503|23505|23P01|25006|40001|40P01|55P03|57014|53...)$/

/** States of values that cannot be used, which have the same status without `raise`. */
const ofValues = /^(22...|23514)$/

/** Null for errors that are not raised, and for those whose state decides what they mean. */
export function failureOfRaised(error: DatabaseError): Failure | null {
  const { code = '', column, message } = error
  if (!isRaised(error) || explainedStates.test(code)) return null
  const reason = message.slice(0, longest)
  if (code === '42501') return { kind: 'forbidden', reason }
  if (ofValues.test(code)) return { kind: 'invalid-payload', ...(column === undefined ? {} : { name: column }), reason }
  return { kind: 'unprocessable', reason }
}

const longest = 2000
