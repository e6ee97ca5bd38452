/** Runs changes of tables, and says in our words what the database has against one. */
import { DatabaseError } from 'pg'
import type { Database } from '../domain/context.ts'
import { type Failure, TandemError } from '../domain/errors.ts'
import type { Ddl } from './ddl-plan.ts'
import { dialectOf } from './dialects.ts'

/** What a change is about, for errors. */
export type DdlPlace = { readonly collection: string; readonly field?: string }

/** Runs what the vendor's `Ddl` writes for the change. */
export async function runDdl(db: Database, place: DdlPlace, write: (ddl: Ddl) => readonly string[]): Promise<void> {
  for (const text of write(dialectOf(db).ddl)) {
    try {
      await db.run({ text, values: [] })
    } catch (error) {
      throw toDdlError(error, place)
    }
  }
}

/** Takes the indexes of a column away that are unique, or those that are not. */
export async function dropIndexes(db: Database, place: Required<DdlPlace>, unique: boolean): Promise<void> {
  const { ddl } = dialectOf(db)
  const indexes = await ddl.readIndexes(db, place.collection, place.field)
  for (const index of indexes.filter((each) => each.unique === unique)) {
    await runDdl(db, place, () => ddl.dropIndex(place.collection, index))
  }
}

/** Makes all changes of the schema take turns, on all replicas, until the transaction ends. */
export async function lockSchema(db: Database): Promise<void> {
  const { ddl, migrationLock } = dialectOf(db)
  await db.run({ text: ddl.limitWaiting, values: [] })
  await db.run({ text: migrationLock, values: [] })
}

function toDdlError(error: unknown, place: DdlPlace): unknown {
  const cause = error instanceof TandemError ? error.cause : error
  if (!(cause instanceof DatabaseError)) return error
  const failure = failures[cause.code ?? '']?.(place)
  return failure === undefined ? error : new TandemError(failure, { cause })
}

type Translate = (place: DdlPlace) => Failure

const nameOf = ({ collection, field }: DdlPlace): string => field ?? collection

const columnOf = ({ collection, field }: DdlPlace) => ({ collection, field: field ?? null })

const refused =
  (reason: string): Translate =>
  (place) => ({ kind: 'invalid-payload', name: nameOf(place), reason: `"${nameOf(place)}": ${reason}` })

const exists = refused('The database has something of this name already')
const noConversion = refused('The values or the default cannot be converted to this type')
const inUse = refused('Something else in the database, a view perhaps, depends on it')
const unsuited = refused('The database does not know the type, or cannot do this with it')

const failures: { readonly [state: string]: Translate } = {
  '22001': (place) => ({ kind: 'value-too-long', ...columnOf(place) }),
  '22003': (place) => ({ kind: 'value-out-of-range', ...columnOf(place) }),
  '22007': noConversion,
  '22008': noConversion,
  '22P02': noConversion,
  '23502': (place) => ({ kind: 'contains-null-values', ...columnOf(place) }),
  '23503': (place) => ({ kind: 'invalid-foreign-key', ...columnOf(place) }),
  '23505': (place) => ({ kind: 'not-unique', ...columnOf(place) }),
  '2BP01': inUse,
  '0A000': inUse,
  '42701': exists,
  '42710': exists,
  '42P07': exists,
  '42704': unsuited,
  '42P16': unsuited,
  '42804': noConversion,
  '42830': unsuited,
  '42846': noConversion,
  '42501': refused('The database user may not change it'),
  '54011': refused('The table has as many columns as the database allows'),
}
