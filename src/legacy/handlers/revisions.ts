/** Revisions of an item, with the names and formats of this generation. */

import { findReadGrant } from '../../authz/grants.ts'
import { revertItem } from '../../core/history/revisions.ts'
import { keysOfNumbers, numbersOf } from '../../core/items/identity-keys.ts'
import { isVisible } from '../../core/rows/has-row.ts'
import { findKey, notFound } from '../../core/rows/keys.ts'
import { readItems } from '../../core/rows/read-items.ts'
import { exactNumber, withDigits } from '../../domain/conditions/exact-numbers.ts'
import { refuseQuery } from '../../domain/conditions/literals.ts'
import type { Context, ReadContext } from '../../domain/ports/context.ts'
import { toRows } from '../../domain/ports/row-store.ts'
import { and, compare, equals, type Filter, matchNone } from '../../domain/query/filter.ts'
import type { Query, Selected } from '../../domain/query/query.ts'
import { rowsOf } from '../../domain/query/rows-of.ts'
import { csvEntries } from '../../domain/schema/csv-entries.ts'
import { isIdentityCollection } from '../../domain/schema/identity.ts'
import type { Codec, FieldView } from '../../domain/schema/view.ts'
import { readCollection } from '../model/collection-names.ts'
import { visibleScope } from '../wire/collections.ts'
import { collectionNamed } from '../wire/parse-scope.ts'
import { type Parameters, parseQuery, type Read, splitKeys } from '../wire/query.ts'
import type { Rows } from '../wire/serialize.ts'
import { ownCollection, ownId, readRecorded, unmarked, withParents } from './recorded-items.ts'

const revisions = 'platform_revisions'

/** The row whose history is read: its key in the history, and the key that clients know. */
type Subject = { readonly collection: string; readonly item: string; readonly shown: string }

/** Finds the row for a caller who may read it; otherwise throws `item-not-found`. */
export async function subjectOf(ctx: Context, name: string, id: string): Promise<Subject> {
  const found = await findSubject(ctx, name, id)
  if (found?.isVisible !== true) throw notFound(name)
  return found.subject
}

/**
 * As `subjectOf`, also for a deleted row of a caller who may read every row. Null for several keys, and for a text that
 * is no key: they have no revisions.
 */
export async function historyOf(ctx: Context, name: string, id: string): Promise<Subject | null> {
  const found = await findSubject(ctx, name, id)
  if (found === null) return null
  const { subject, isVisible: isThere } = found
  if (isThere || (await wasDeleted(ctx, subject))) return subject
  if (splitKeys(id).length > 1) return null
  throw notFound(name)
}

async function findSubject(ctx: Context, name: string, id: string) {
  const collection = collectionNamed(ctx, name)
  const isNumbered = isIdentityCollection(name)
  if (isNumbered && !/^\d{1,9}$/.test(id)) return null
  const [stored = id] = isNumbered ? await keysOfNumbers(ctx, { collection: name, action: 'read' }, [id]) : []
  const key = findKey(collection, stored)
  if (key === null) return null
  const item = await ctx.rows.recordedKey(ctx, collection, key)
  const subject: Subject = { collection: name, item, shown: String(isNumbered ? Number(id) : key) }
  return { subject, isVisible: await isVisible(ctx, collection, key) }
}

/** Whether revisions remain, for a caller whose rights ask nothing of a row. */
async function wasDeleted(ctx: Context, subject: Subject): Promise<boolean> {
  if (findReadGrant(ctx.actor, ctx.schema, subject.collection)?.rows.kind !== 'all') return false
  const wanted = parseQuery({ fields: 'id', limit: '1' }, revisions, visibleScope(ctx))
  return (await readItems(ctx, within(wanted.query, subject))).rowCount > 0
}

type RevisionRequest = { readonly subject: Subject | null; readonly parameters: Parameters }

/** Lists the revisions by the list parameters; the first is the creation. */
export async function readRevisions(
  ctx: ReadContext,
  { subject, parameters }: RevisionRequest,
): Promise<{ read: Read; rows: Rows }> {
  const wanted = parseQuery(parameters, revisions, visibleScope(ctx))
  const read: Read = { ...wanted, query: within(wanted.query, subject) }
  return { read, rows: await readShown(ctx, read.query, 'item') }
}

/** Reads the revision at a position: 0 is the creation, -1 the one before the newest. */
export async function readRevision(
  ctx: ReadContext,
  { subject, parameters, offset }: RevisionRequest & { readonly offset: string },
): Promise<{ read: Read; rows: Rows }> {
  if (!/^-?\d{1,9}$/.test(offset)) return refuseQuery('offset', 'a whole number', offset)
  const index = Number(offset)
  const wanted = parseQuery(parameters, revisions, visibleScope(ctx))
  const query: Query = {
    ...within(wanted.query, subject),
    sort: [{ kind: 'field', path: [], field: 'id', descending: index < 0 }],
    page: { limit: 1, offset: Math.abs(index) },
  }
  const read: Read = { ...wanted, query, single: true }
  return { read, rows: await readShown(ctx, query, 'item') }
}

/** Reverts the row to a revision; contents of files and properties derived from them stay. */
export async function revertTo(ctx: Context, subject: Subject, revision: string): Promise<void> {
  const wanted = parseQuery({ fields: 'id', limit: '1' }, revisions, visibleScope(ctx))
  const id = /^\d{1,9}$/.test(revision)
    ? await readItems(ctx, { ...wanted.query, filter: and(ofSubject(subject), equals('id', Number(revision))) })
    : null
  if (id === null || id.rowCount === 0) throw notFound(revisions)
  await revertItem(ctx, Number(revision))
}

/** Excludes content versions, which this generation does not have. */
const ofItself: Filter = compare('version', 'null')

const ofSubject = (subject: Subject | null): Filter =>
  subject === null ? matchNone : and(equals('collection', subject.collection), equals('item', subject.item), ofItself)

const within = (query: Query, subject: Subject | null): Query => ({
  ...query,
  filter: and(query.filter, ofSubject(subject)),
})

type Row = { readonly [name: string]: unknown }

/** Lists revisions of all collections, each with the fields that the caller may read. */
export async function readAllRevisions(ctx: ReadContext, read: Read): Promise<{ read: Read; rows: Rows }> {
  const query = { ...read.query, filter: and(read.query.filter, ofItself) }
  return { read, rows: await readShown(ctx, query, 'all') }
}

/** `of`: an item that the caller may read, or items of which that is not known. */
async function readShown(ctx: ReadContext, query: Query, of: 'item' | 'all'): Promise<Rows> {
  const { rows: recorded, items } = await readRecorded(ctx, query)
  const rows = await withContents(ctx, recorded)
  const names = new Set(rows.map((row) => String(row[ownCollection])))
  const fields = new Map([...names].map((name) => [name, shownFields(ctx, readCollection(ctx, name), of)]))
  const numbers = await readNumbers(ctx, rows, [...fields.values()].flat())
  const named = rows.map((row) => inNames(unmarked(row), fields.get(String(row[ownCollection])) ?? [], numbers))
  return { ...items, pieces: [JSON.stringify(await withParents(ctx, named))] }
}

/** Converts the states in a row to the names and formats of this generation. */
function inNames(row: Row, fields: readonly FieldView[], numbers: Numbers): Row {
  const toShown = (stored: unknown): Row | null => (isRow(stored) ? inForm(stored, fields, numbers) : null)
  return {
    ...row,
    ...('data' in row ? { data: toShown(row['data']) } : {}),
    ...('delta' in row ? { delta: toShown(row['delta']) } : {}),
  }
}

const isRow = (value: unknown): value is Row => typeof value === 'object' && value !== null

const contents = ['data', 'delta'] as const

/** With the states that the rights on revisions leave out where only a part of the item's fields may be read: `inNames` takes that part. */
async function withContents(ctx: ReadContext, rows: readonly Row[]): Promise<readonly Row[]> {
  const lacking = rows.filter((row) => contents.some((name) => row[name] === null))
  if (lacking.length === 0) return rows
  const selection = ['id', ...contents].map((key): Selected => ({ kind: 'field', key, field: key }))
  const ids = lacking.map((row) => Number(row[ownId]))
  const filter = compare('id', 'in', ids)
  const whole = await readItems({ ...ctx, actor: { kind: 'system' } }, { ...rowsOf(revisions, selection), filter })
  const stored = new Map(toRows(whole).map((row) => [Number(row['id']), row]))
  return rows.map((row) => {
    const record = stored.get(Number(row[ownId])) ?? {}
    const wanted = contents
      .filter((name) => name in row)
      .map((name) => [name, row[name] ?? record[name] ?? null] as const)
    return { ...row, ...Object.fromEntries(wanted) }
  })
}

/** The fields that the caller may read in every row, or in the one that it may read. */
function shownFields(
  ctx: Pick<Context, 'schema' | 'view' | 'actor'>,
  collection: string,
  of: 'item' | 'all',
): readonly FieldView[] {
  const grant = findReadGrant(ctx.actor, ctx.schema, collection)
  if (of === 'all' && grant?.rows.kind !== 'all') return []
  const fields = [...(ctx.view.byCore.get(collection)?.fields.values() ?? [])]
  return fields.filter(({ field, codec }) => codec.kind !== 'file-facts' && grant?.fields.get(field)?.guard === null)
}

type Numbers = ReadonlyMap<unknown, number>

/** Renames the fields, with integers for related system rows. */
const inForm = (stored: Row, fields: readonly FieldView[], numbers: Numbers): Row =>
  Object.fromEntries(
    fields.flatMap(({ name, field, codec }) =>
      Object.hasOwn(stored, field) ? [[name, toForm(stored[field], codec, numbers)] as const] : [],
    ),
  )

/** Converts exact stored values to the formats of this generation: numbers that a double cannot hold are text. */
function toForm(stored: unknown, codec: Codec, numbers: Numbers): unknown {
  // What is a list in the other generation, and one word here.
  const value = codec.kind === 'words' && Array.isArray(stored) ? stored.join(',') : stored
  if (typeof value !== 'string') return codec.kind === 'json' ? value : withDigits(value)
  switch (codec.kind) {
    case 'number-of':
      return numbers.get(value) ?? null
    case 'number':
      return toNumber(value)
    case 'offset-datetime':
      return value.replace(/(\.\d+)?Z$/, '+00:00')
    case 'plain-datetime':
      return value.slice(0, 19).replace('T', ' ')
    case 'words':
      return Object.hasOwn(codec.words, value) ? (codec.words[value] ?? value) : value
    case 'csv':
      return csvEntries(value)
    default:
      return value
  }
}

const toNumber = (text: string): unknown => (Number.isFinite(Number(text)) ? withDigits(exactNumber(text)) : text)

/** Reads the integers of users, roles, files and folders in the rows. */
async function readNumbers(
  ctx: Pick<Context, 'db'>,
  rows: readonly Row[],
  fields: readonly FieldView[],
): Promise<Numbers> {
  const links = fields.filter(({ codec }) => codec.kind === 'number-of')
  const states = rows.flatMap(({ data, delta }) => [data, delta]).filter(isRow)
  const keys = states
    .flatMap((state) => links.map(({ field }) => state[field]))
    .filter((key) => typeof key === 'string')
  return numbersOf(ctx, keys)
}
