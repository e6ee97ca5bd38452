/** The recorded event of a write: each row before and after it. */
import type { Write } from '../../domain/ports/row-store.ts'
import type { FieldType } from '../../domain/query/field-types.ts'
import { numberedBy } from '../../domain/schema/identity.ts'
import type { Collection, Field } from '../../domain/schema/schema.ts'
import { type Build, storedType } from '../conditions/build.ts'
import type { Entry, EventText } from '../dialects/dialect.ts'
import { quoteName, quoteText } from '../dialects/quoting.ts'
import { type Author, actions, type Sent } from './writes.ts'

/** Whether the write is recorded. */
export const isNoted = ({ feed }: Pick<Author, 'feed'>, { collection }: Write): boolean =>
  feed !== undefined && collection.keyColumns.length > 0 && feed.records(collection.name)

/** The event part of a write statement; null if the write is not recorded. */
export function eventText(build: Build, { author, write }: Sent): EventText | null {
  if (!isNoted(author, write)) return null
  const { collection, kind } = write
  const schema = build.schema.collections.get('platform_activity')?.table?.schema ?? null
  return {
    events: `${schema === null ? '' : `${quoteName(schema)}.`}${quoteName('platform_events')}`,
    action: quoteText(actions[kind]),
    collection: quoteText(collection.name),
    row: (row) => recordedColumns(build, collection, row),
    isWhole: ![...collection.fields.values()].some((field) => field.column !== null && isSecret(field)),
    isLikeHistory: [...collection.fields.values()].every(isLikeHistory),
    isTable: lockable.has(collection.table?.kind ?? 'table'),
  }
}

/** Whether the value of history, read as JSON of a row, is that of the column. */
function isLikeHistory(field: Field): boolean {
  if (field.column === null) return true
  if (isSecret(field) || numberedBy(field) !== null || field.name !== field.column.name) return false
  return plainTypes[field.type]?.test(field.column.dataType) ?? false
}

const characters = /^(text|character)/
const plainTypes: { readonly [Type in FieldType]?: RegExp } = {
  string: characters,
  text: characters,
  uuid: /^uuid$/,
  boolean: /^boolean$/,
  integer: /^(smallint|integer)$/,
  bigInteger: /^bigint$/,
  float: /^(real|double precision)$/,
  decimal: /^numeric/,
  date: /^date$/,
  dateTime: /^timestamp.*without time zone$/,
  timestamp: /^timestamp.*with time zone$/,
  json: /^jsonb?$/,
}

/** All columns by their names. Of a secret only that there is one. */
function recordedColumns({ dialect }: Build, collection: Collection, row: string): readonly Entry[] {
  return [...collection.fields.values()].flatMap((field): readonly Entry[] => {
    if (field.column === null) return []
    const name = quoteName(field.column.name)
    const key = field.column.name
    if (!isSecret(field)) return [{ key, ...dialect.storedValue(`${row}.${name}`, storedType(field)) }]
    const shown = `case when ${row}.${name} <> '' then '***' end`
    return texts.test(field.column.dataType) ? [{ key, sql: shown, json: 'text' }] : []
  })
}

const lockable: ReadonlySet<string> = new Set(['table', 'partition'])

const texts = /char|text/

const isSecret = ({ concealed, type }: Field): boolean => concealed || type === 'hash'
