/**
 * Errors of MariaDB and MySQL as errors with a standard SQLSTATE, and with table, column and constraint, of which
 * `sql/errors/errors.ts` makes those of this program.
 */
import { DatabaseError } from 'pg'
import { tooLong } from '../../dialects/mysql/json.ts'

type ErrorState = {
  readonly errno?: number
  readonly sqlState?: string
  readonly code?: string
  readonly message: string
}

/** Facts from an error message beside its state; `internalQuery` and `routine` are those of errors in functions. */
type ErrorLocation = {
  readonly table?: string
  readonly column?: string
  readonly constraint?: string
  readonly detail?: string
  readonly internalQuery?: string
  readonly routine?: string
}

type Reader = (message: string, sql: string) => ErrorLocation

const nothing: Reader = () => ({})

const ofFunction: ErrorLocation = { internalQuery: 'of a trigger or function' }

/** A trigger or function raised it on purpose. */
const raised: Reader = () => ({ routine: 'exec_stmt_raise' })

/** A statement that does not have the name was not sent: the error is that of a trigger or function. */
const missing: Reader = (message, sql) => {
  const full = /(?:'|FUNCTION |PROCEDURE )([^']+?)(?:'| does not exist)/.exec(message)?.[1]
  const last = full?.slice(full.lastIndexOf('.') + 1)
  return last === undefined || sql.toLowerCase().includes(last.toLowerCase()) ? {} : ofFunction
}

/** Written values are no subqueries. */
const severalRows: Reader = (_message, sql) => (writtenTable(sql) === null ? {} : ofFunction)

/** A name in the quotes that the mode of the session gives it. */
const name = '["`\']((?:[^"`\']|""|``)+)["`\']'

const column: Reader = (message) => {
  const full = new RegExp(`column (?:${name}|\`\`)\\.${name}\\.${name}`, 'i').exec(message)
  // Values of an update pass through a table without a database.
  if (full !== null)
    return { ...(full[1] === undefined ? {} : { table: full[2] as string }), column: full[3] as string }
  const short = new RegExp(`(?:column|field) ${name}`, 'i').exec(message)?.[1]
  return short === undefined ? {} : { column: short }
}

/** `Duplicate entry 'x' for key 'name'`; MySQL writes the table before the name. */
const duplicate: Reader = (message) => {
  const [, value = '', key = ''] = /entry '(.*)' for key '(.*)'/s.exec(message) ?? []
  const constraint = key.slice(key.lastIndexOf('.') + 1)
  return { constraint, detail: value }
}

/** `a foreign key constraint fails ("db"."child", CONSTRAINT "n" FOREIGN KEY ("a") REFERENCES "parent" ("id"))`, without values. */
const reference: Reader = (message) => {
  const key = `\\((.*?)\\) REFERENCES ${name} \\((.*?)\\)`
  const child = new RegExp(`\\(${name}\\.${name}, CONSTRAINT ${name} FOREIGN KEY ${key}`).exec(message)
  if (child === null) return {}
  const [, , table = '', constraint = '', columns = '', parent = '', keyColumns = ''] = child
  const isMissing = message.startsWith('Cannot add')
  const tail = isMissing ? `is not present in table "${parent}".` : `is still referenced from table "${table}".`
  const names = (isMissing ? columns : keyColumns).replaceAll(/["`]/g, '')
  return { table, constraint, detail: `Key (${names})=() ${tail}` }
}

const check: Reader = (message) => {
  const [, own, , table] = new RegExp(`CONSTRAINT ${name} failed for ${name}\\.${name}`).exec(message) ?? []
  const [, violated] = new RegExp(`constraint ${name} is violated`, 'i').exec(message) ?? []
  const constraint = own ?? violated
  return { ...(constraint === undefined ? {} : { constraint }), ...(table === undefined ? {} : { table }) }
}

/** The column that the statement changes, if it changes one. */
const changed: Reader = (_message, sql) => {
  const [column, ...others] = [...sql.matchAll(/\bmodify column "((?:[^"]|"")+)"/g)].map(([, quoted]) => quoted)
  return column === undefined || others.length > 0 ? {} : { column: column.replaceAll('""', '"') }
}

/** A change of a table calls a longer text a truncated value. */
const isCut = (errno: number, sql: string): boolean =>
  errno === 1265 && /^\s*alter table .*\bmodify column "(?:[^"]|"")+" (var)?char\b/is.test(sql)

/** Numbers of errors by their state, whose messages name neither table nor column. */
const plainErrors: { readonly [state: string]: readonly number[] } = {
  '0A000': [1288, 1393, 1394, 1395, 1471],
  '22003': [1690],
  '22007': [1411],
  '2200H': [167, 1467],
  '22012': [1365],
  // Triggers and functions may give a column a value of another reference system.
  '22023': [1416, 3643],
  '22P02': [3140, 4038],
  '23502': [1907],
  '23505': [1169],
  '25006': [1290, 1792],
  '28000': [1045],
  '2BP01': [1832, 1833, 1834, 3730],
  '3B001': [1305],
  '40001': [1020],
  '40P01': [1213],
  '42501': [1044, 1142],
  '42701': [1060],
  '42704': [1091],
  '42710': [1304, 1359, 1826],
  '42P07': [1050, 1061],
  '42P16': [1170],
  '44000': [1369],
  '53200': [1206],
  '53300': [1040, 1203, 1226],
  '54000': [1071, 1153, 1301],
  '54011': [1117, 1118],
  '55000': [1356, 1449],
  '55P03': [1205],
  '57014': [1317, 1969, 3024],
  '57P01': [1053, 1927],
}

const plainStates = new Map(
  Object.entries(plainErrors).flatMap(([state, numbers]) => numbers.map((errno) => [errno, state] as const)),
)

/** Errors with something to read in their messages. */
const states: { readonly [errno: number]: readonly [state: string, read: Reader] } = {
  1048: ['23502', column],
  1054: ['42703', missing],
  1062: ['23505', duplicate],
  1138: ['23502', changed],
  1146: ['42P01', missing],
  1172: ['21000', () => ofFunction],
  1216: ['23503', reference],
  1217: ['23503', reference],
  1242: ['21000', severalRows],
  1264: ['22003', column],
  1265: ['22P02', column],
  1348: ['428C9', column],
  1364: ['23502', column],
  1366: ['22P02', column],
  1406: ['22001', column],
  1451: ['23503', reference],
  1452: ['23503', reference],
  1906: ['428C9', column],
  3105: ['428C9', column],
  3819: ['23514', check],
  4025: ['23514', check],
}

/** Servers of MySQL 8 write a binary log by default. */
const triggersRefused = 1419
const howToAllowTriggers =
  'The server writes a binary log, and its users may make triggers only with the right SUPER: ' +
  'set log_bin_trust_function_creators = 1 on the server (SET PERSIST on MySQL), or grant SUPER, and start again'

/** Any other error, such as that of a lost connection, is returned as it is. */
export function toDatabaseError(error: unknown, sql = ''): unknown {
  if (!(error instanceof Error)) return error
  const failure = error as Error & ErrorState
  if (
    failure.code === 'PROTOCOL_CONNECTION_LOST' ||
    /closed state|Connection lost|Can't add new command/.test(failure.message)
  ) {
    return new Error(`Connection terminated: ${failure.message}`, { cause: error })
  }
  if (failure.errno === undefined || failure.sqlState === undefined) return error
  const [state, read] = isCut(failure.errno, sql)
    ? (['22001', column] as const)
    : stateOf(failure, failure.errno, failure.sqlState)
  const message = failure.errno === triggersRefused ? howToAllowTriggers : failure.message
  const made = new DatabaseError(message, message.length, 'error')
  // It is about the statement. The server names no place in it.
  return Object.assign(
    made,
    { severity: 'ERROR', code: state, position: '1', cause: error },
    read(failure.message, sql),
  )
}

function stateOf(failure: Error & ErrorState, errno: number, sqlState: string): readonly [state: string, read: Reader] {
  if (failure.message.includes(`'${tooLong}'`)) return ['54000', nothing]
  if (errno === 1644) return [sqlState, raised]
  // Functions and savepoints that are not there have one number.
  if (errno === 1305 && !failure.message.startsWith('SAVEPOINT')) return ['42883', missing]
  if (errno === 1292) return [stateOfIncorrect(failure.message), column]
  // The general state is that of errors of the server.
  const general = isTwice(failure) ? '42710' : sqlState === 'HY000' ? 'XX000' : sqlState
  return states[errno] ?? [plainStates.get(errno) ?? general, nothing]
}

/** The server has one error for values that are no date and for dates that the column does not hold. */
function stateOfIncorrect(message: string): string {
  const [, type = '', value = ''] = /^(.*?): '(.*)/s.exec(message) ?? []
  if (!/date|time|year/i.test(type)) return '22P02'
  return /^-?\d+-\d\d-\d\d/.test(value) ? '22008' : '22007'
}

/** A constraint of that name exists. */
const isTwice = ({ errno, message }: ErrorState): boolean => errno === 1005 && /errno: 121\b/.test(message)

/** Whether it is the error of a unique key, whose columns the server does not name. */
export const isDuplicate = (error: unknown): error is DatabaseError & { readonly constraint: string } =>
  error instanceof DatabaseError && error.code === '23505' && error.constraint !== undefined

/** The table that the statement writes. */
export const writtenTable = (sql: string): string | null =>
  /^\s*update json_table\(.*? straight_join ("?)([^"\s(]+)\1/is.exec(sql)?.[2] ??
  /^\s*(?:insert(?: ignore)? into|update|delete from|replace into)\s+("?)([^"\s(]+)\1/i.exec(sql)?.[2] ??
  null
