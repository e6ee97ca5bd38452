import { DatabaseError } from 'pg'
import type { Database } from '../../domain/ports/context.ts'
import { type Failure, TandemError } from '../../domain/rights/errors.ts'
import type { ColumnPlan, Ddl } from '../dialects/ddl-plan.ts'
import { dialectOf } from '../dialects/dialects.ts'
import { isOfGeometry } from '../errors/errors.ts'

/** The object of a change, for error messages. `types`: the current and the planned type. */
export type DdlTarget = {
  readonly collection: string
  readonly field?: string
  readonly types?: { readonly from: string; readonly to: string }
}

/** Runs the statements of a change. */
export async function runDdl(db: Database, target: DdlTarget, write: (ddl: Ddl) => readonly string[]): Promise<void> {
  for (const text of write(dialectOf(db).ddl)) {
    try {
      await db.run({ text, values: [] })
    } catch (error) {
      throw toDdlError(error, target)
    }
  }
}

export async function dropColumn(db: Database, table: string, column: string): Promise<void> {
  const foreignKeys = (await dialectOf(db).ddl.foreignKeysWith?.(db, table, column)) ?? []
  await runDdl(db, { collection: table, field: column }, (ddl) => ddl.dropColumn(table, column, foreignKeys))
}

/** Statements that change one column. */
export type ColumnDdl = { readonly target: DdlTarget; readonly texts: readonly string[] }

/**
 * Changes columns of a table in as few statements as possible. If that fails, the columns are changed one by one to find
 * the one that causes the error.
 */
export async function runColumnDdl(db: Database, table: string, columns: readonly ColumnDdl[]): Promise<void> {
  const texts = columns.flatMap((column) => column.texts)
  const all = (inner: Database, target: DdlTarget) => runDdl(inner, target, (ddl) => ddl.merged(table, texts))
  if (texts.length === 0) return
  if (columns.length === 1) return all(db, columns[0]?.target ?? { collection: table })
  await oneByOne(
    () => db.transaction((inner) => all(inner, { collection: table })),
    columns.map((column) => () => runDdl(db, column.target, () => column.texts)),
  )
}

/** Throws if a column cannot be converted to its planned type, before any column is changed. */
export async function assertConvertible(
  db: Database,
  table: string,
  columns: readonly { readonly target: DdlTarget; readonly plan: ColumnPlan }[],
): Promise<void> {
  if (columns.length === 0) return
  const check = (inner: Database, target: DdlTarget, plans: readonly ColumnPlan[]) =>
    runDdl(inner, target, (ddl) => [ddl.converted(table, plans)])
  const plans = columns.map(({ plan }) => plan)
  await oneByOne(
    () => db.transaction((inner) => check(inner, { collection: table }, plans)),
    columns.map((column) => () => check(db, column.target, [column.plan])),
  )
}

/** Runs the whole; if the database rejects it, runs the parts one by one. Connection errors are not retried. */
async function oneByOne(whole: () => Promise<void>, parts: readonly (() => Promise<void>)[]): Promise<void> {
  try {
    await whole()
  } catch (error) {
    if (!(error instanceof TandemError) || error.failures.some(({ kind }) => kind === 'unavailable')) throw error
    for (const part of parts) await part()
  }
}

/** Statements that drop the unique or the non-unique indexes of a column. */
export async function indexRemoval(
  db: Database,
  { collection, field }: { readonly collection: string; readonly field: string },
  unique: boolean,
): Promise<readonly string[]> {
  const { ddl } = dialectOf(db)
  const indexes = await ddl.readIndexes(db, collection, field)
  return indexes.filter((each) => each.unique === unique).flatMap((index) => ddl.dropIndex(collection, index))
}

/** Serialises schema changes on all replicas until the end of the transaction. */
export async function lockSchema(db: Database): Promise<void> {
  const { ddl, migrationLock } = dialectOf(db)
  await db.run({ text: ddl.limitWaiting, values: [] })
  await db.run({ text: migrationLock, values: [] })
}

function toDdlError(error: unknown, target: DdlTarget): unknown {
  const cause = error instanceof TandemError ? error.cause : error
  if (!(cause instanceof DatabaseError)) return error
  const isUnknown = cause.code === '42704' && /"geo(metry|graphy)"/.test(cause.message)
  const translate = isUnknown ? noGeometry : isOfGeometry(cause) ? noConversion : failures[cause.code ?? '']
  const failure = translate?.(target)
  return failure === undefined ? error : new TandemError(failure, { cause })
}

type Translate = (target: DdlTarget) => Failure

const nameOf = ({ collection, field }: DdlTarget): string => field ?? collection

const columnOf = ({ collection, field }: DdlTarget) => ({ collection, field: field ?? null })

const refused =
  (reason: string): Translate =>
  (target) => ({ kind: 'invalid-payload', name: nameOf(target), reason: `"${nameOf(target)}": ${reason}` })

const exists = refused('The name is already used in the database')
const unconverted = refused('The values or the default cannot be converted to this type')

const notConverted =
  (reasonOf: (path: string, types: NonNullable<DdlTarget['types']>) => string): Translate =>
  (target) => {
    const { collection, field, types } = target
    if (types === undefined) return unconverted(target)
    const path = field === undefined ? collection : `${collection}.${field}`
    return { kind: 'invalid-payload', name: 'type', reason: reasonOf(path, types) }
  }

const noConversion = notConverted(
  (path, { from, to }) => `The values or the default of "${path}" cannot be converted from "${from}" to "${to}"`,
)
const noWay = notConverted(
  (path, { from, to }) => `The database has no conversion from "${from}" to "${to}", which "${path}" should become`,
)
const inUse = refused('Another object in the database, for example a view, depends on it')
const noGeometry = refused('Geometry fields need the PostGIS extension of the database')
const unsuited = refused('The database does not know the type, or does not support this operation for it')

const failures: { readonly [state: string]: Translate } = {
  '22001': (target) => ({ kind: 'value-too-long', ...columnOf(target) }),
  '22003': (target) => ({ kind: 'value-out-of-range', ...columnOf(target) }),
  '22007': noConversion,
  '22008': noConversion,
  '22P02': noConversion,
  '22023': noConversion,
  '23502': (target) => ({ kind: 'contains-null-values', ...columnOf(target) }),
  '23503': (target) => ({ kind: 'invalid-foreign-key', ...columnOf(target) }),
  '23505': (target) => ({ kind: 'not-unique', ...columnOf(target) }),
  '2BP01': inUse,
  '0A000': inUse,
  '42701': exists,
  '42710': exists,
  '42P07': exists,
  '42704': unsuited,
  '42P16': unsuited,
  '42804': noConversion,
  '42809': refused('The database does not support this for a view or another kind of table'),
  '42830': unsuited,
  '42846': noWay,
  '42501': refused('The database user has no permission for this change'),
  '54011': refused('The table has as many columns as the database allows'),
}
