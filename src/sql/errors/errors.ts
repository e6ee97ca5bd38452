/** Translates errors of the driver and the server. The original text is only logged (`cause`). */
import { DatabaseError } from 'pg'
import { isSystemName } from '../../domain/model/system-collections.ts'
import { type Failure, TandemError } from '../../domain/rights/errors.ts'
import { failureOfRaised, isRaised } from './raised.ts'
import { unavailable } from './unavailable.ts'

/** The error to throw for a failed statement or connection. An unknown error (a bug) is not translated. */
export function toTandemError(error: unknown): unknown {
  if (error instanceof TandemError) return error
  const failure = toFailure(error)
  return failure === null ? error : new TandemError(failure, { cause: error })
}

/** True if the connection cannot be used any more. */
export function isBrokenConnection(error: unknown): boolean {
  if (error instanceof DatabaseError) return brokenStates.test(error.code ?? '') && !isRaised(error)
  if (!(error instanceof Error)) return false
  return networkCodes.test((error as NodeJS.ErrnoException).code ?? '') || driverTexts.test(error.message)
}

/** A prepared statement that the server has forgotten, or whose result type has changed: it must be prepared again. */
export function isStaleStatement(error: unknown): boolean {
  if (!(error instanceof DatabaseError) || isRaised(error)) return false
  return error.code === '26000' || (error.code === '0A000' && error.routine === 'RevalidateCachedQuery')
}

/** Serialization failure and deadlock, by SQLSTATE. */
const conflicts: ReadonlySet<unknown> = new Set(['40001', '40P01'])

/** True if the database ended the transaction because of a conflict with another one. A retry can succeed. */
export const isConflict = (error: unknown): boolean =>
  error instanceof TandemError &&
  (isConflict(error.cause) ||
    (error.cause instanceof Error && 'code' in error.cause && conflicts.has(error.cause.code)))

/**
 * True if the schema has changed since the statement was compiled: a table or column is missing or has another type.
 */
export function isOutdated(error: unknown): boolean {
  if (error instanceof TandemError) return isOutdated(error.cause)
  if (!(error instanceof DatabaseError) || isRaised(error)) return false
  const failure = toFailure(error)
  if (failure === unreadable || failure === rejected || failure === failedFunction) return false
  return error.code?.startsWith('42') === true || isStaleStatement(error)
}

function toFailure(error: unknown): Failure | null {
  if (isBrokenConnection(error)) return unavailable('The database connection was lost or could not be opened')
  if (!(error instanceof DatabaseError)) return null
  const raised = failureOfRaised(error)
  if (raised !== null) return raised
  if (isOfValue(error)) return unreadable
  const state = error.code ?? ''
  if (isOfFunction(error) && state.startsWith('42')) return failedFunction
  const translate = exactStates[state] ?? classes[state.slice(0, 2)]
  return translate?.(error) ?? (isOfFunction(error) ? failedFunction : null)
}

/** Whether the error comes from a statement inside a function, such as a trigger, and not from a statement of Tandem. */
const isOfFunction = ({ internalQuery, where }: DatabaseError): boolean =>
  internalQuery !== undefined || where !== undefined

const failedFunction: Failure = { kind: 'unprocessable', reason: 'A function of the database failed' }

/** Connection exceptions, shutdown, crash, start-up, dropped database, idle transaction, forced disconnects. */
const brokenStates = /^(08...|57P0[1-5]|25P0[34])$/

const networkCodes =
  /^(ECONNRESET|ECONNREFUSED|ECONNABORTED|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENETDOWN|ENOTFOUND|EAI_AGAIN|ENOENT)$/

/** The driver reports these as errors without a code. */
const driverTexts =
  /^(Connection terminated|Client has encountered a connection error|Client was closed|timeout exceeded when trying to connect|Cannot use a pool after|Query read timeout|The embedded database|The server does not support SSL|There was an error establishing an SSL)/

type Translate = (error: DatabaseError) => Failure | null

const columnFacts = (error: DatabaseError) => ({ collection: error.table ?? null, field: fieldOf(error) })

/** The column that the server names, or the first column of the key in its detail: `Key (email)=(…) already exists.` */
function fieldOf(error: DatabaseError): string | null {
  if (error.column !== undefined) return error.column
  const key = /\((.+?)\)=\(/.exec(error.detail ?? '')?.[1]
  const first = key?.split(', ')[0]
  // The column of an index on an expression such as `lower(email::text)`.
  return first === undefined ? null : first.replace(/^\w+\(+(\w+).*$/, '$1').replace(/^"(.*)"$/, '$1')
}

const invalidValue = (reason: string): Translate => {
  return (error) => ({ kind: 'invalid-payload', ...(error.column === undefined ? {} : { name: error.column }), reason })
}

/** Names of system constraints mean nothing to clients. */
const constraintOf = ({ constraint, table }: DatabaseError) =>
  constraint === undefined || isSystemName(table ?? '') ? {} : { constraint }

const notUnique: Translate = (error) => ({ kind: 'not-unique', ...columnFacts(error), ...constraintOf(error) })
/** A trigger that stands for an insertion into a view can leave out the key of the new row. */
export const keyless: Failure = {
  kind: 'unprocessable',
  reason: 'The database gives no key of the new row. A trigger of a view has to return it',
}

const nullValue: Translate = (error) =>
  error.table === 'platform_activity' && error.column === 'item' ? keyless : { kind: 'not-null', ...columnFacts(error) }

const badReference: Translate = (error) => ({
  kind: 'invalid-foreign-key',
  ...columnFacts(error),
  ...constraintOf(error),
})

const brokenCheck: Translate = (error) => {
  const constraint: string | undefined = constraintOf(error).constraint
  const condition = constraint === undefined ? 'a condition' : `the condition "${constraint}"`
  return { kind: 'invalid-payload', reason: `A value breaks ${condition} of the database` }
}

const busy: Translate = () => unavailable('The database is too busy to answer')

/** For example, a deletion from a table whose rules make the database do something else instead. */
const unsupported: Translate = (error) =>
  isStaleStatement(error) ? null : { kind: 'unprocessable', reason: 'The database does not support this for its rows' }

const exactStates: { readonly [state: string]: Translate } = {
  '23001': badReference,
  '23502': nullValue,
  '23503': badReference,
  '23505': notUnique,
  '23P01': notUnique,
  '23514': brokenCheck,
  '0A000': unsupported,
  '22001': (error) => ({ kind: 'value-too-long', ...columnFacts(error) }),
  '2200H': () => ({ kind: 'unprocessable', reason: 'No automatic key is left: the last one is taken' }),
  '22003': (error) => ({ kind: 'value-out-of-range', ...columnFacts(error) }),
  '22007': invalidValue('Expected a valid date or time'),
  '22008': invalidValue('Expected a date or time in the range that the database holds'),
  '22021': invalidValue('Expected text of valid characters without NUL'),
  '22P05': invalidValue('Expected text of valid characters without NUL'),
  '22P02': invalidValue('Expected a value of the type of its column'),
  '428C9': invalidValue('Expected no value for a column that the database computes'),
  '25006': () => unavailable('The database is read-only at present'),
  '40001': () => unavailable('The change conflicts with a concurrent change'),
  '40P01': () => unavailable('The change conflicts with a concurrent change'),
  // Statements are compiled for the schema at the start of the request.
  '42703': () => unavailable('The schema has changed during the request'),
  '42P01': () => unavailable('The schema has changed during the request'),
  '54000': () => ({ kind: 'unprocessable', reason: 'The request is too large for the database' }),
  '54001': () => ({ kind: 'unprocessable', reason: 'The request is nested too deeply for the database' }),
  '55000': () => ({ kind: 'unprocessable', reason: 'What the view is made of is missing in the database' }),
  '55P03': busy,
  '57014': () => unavailable('The database took too long to answer'),
  XX000: (error) => (isOfGeometry(error) ? badGeometry(error) : isOfHstore(error) ? unreadable : null),
  // Rows that the policies of a table do not admit. Otherwise the server lacks a right, which clients cannot help.
  '42501': ({ routine }) => (routine === 'ExecWithCheckOptions' ? rejected : null),
}

/** Errors of PostGIS about values have a general state, so they are recognised by their source files. */
export const isOfGeometry = ({ code, file = '' }: DatabaseError): boolean =>
  code === 'XX000' && /^(lwgeom|gserialized|geography|postgis)/.test(file)

/** Errors of hstore about texts that it cannot parse, before Postgres 16. */
const isOfHstore = ({ file = '' }: DatabaseError): boolean => file.endsWith('hstore_io.c')

/** Errors of types about a text: no such table, type, function or schema; an invalid name; invalid syntax. */
const ofTexts: ReadonlySet<string> = new Set(['42P01', '42704', '42883', '42725', '42601', '42602', '42622', '3F000'])

/**
 * Types that name objects of the database, such as regclass, refuse a text with the states of statements. Those about
 * a statement have a position and no context; those of statements in functions have a position of their own. `guc.c`
 * speaks of settings of the database. Types without texts have functions all the same that should read one.
 */
const isOfValue = ({ code = '', file = '', routine = '', ...rest }: DatabaseError): boolean =>
  ofTexts.has(code)
    ? isOutsideStatement(rest) && !file.endsWith('guc.c')
    : (code === '0A000' && file.endsWith('namespace.c')) ||
      (/0A000|XX000/.test(code) && /(_|^gtsvector)in$/.test(routine))

type ErrorPosition = Pick<DatabaseError, 'position' | 'internalPosition' | 'where'>

const isOutsideStatement = ({ position, internalPosition, where }: ErrorPosition): boolean =>
  internalPosition === undefined && (position === undefined || where !== undefined)

const badGeometry = invalidValue('Expected a valid geometry')

const unreadable: Failure = { kind: 'invalid-payload', reason: 'Expected a value of the type of its column' }

const rejected: Failure = { kind: 'unprocessable', reason: 'A trigger or rule of the database rejects the change' }

/** The error of all other states of a class. */
const classes: { readonly [prefix: string]: Translate } = {
  '22': invalidValue('Expected a value that the database can hold'),
  '23': () => rejected,
  '44': () => rejected,
  '53': busy,
  P0: () => failedFunction,
}
