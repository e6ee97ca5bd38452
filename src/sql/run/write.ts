/**
 * Runs authorized writes: one statement each. Activity and revisions are written in the statement or collected in a
 * journal.
 */

import { LRUCache } from 'lru-cache'
import { entryOf, memoizeByBoth } from '../../domain/memoize.ts'
import type { Write } from '../../domain/ports/row-store.ts'
import type { Deferred, Journal } from '../../domain/ports/write-log.ts'
import { type Filter, matchAll } from '../../domain/query/filter.ts'
import type { Key } from '../../domain/query/key.ts'
import { TandemError } from '../../domain/rights/errors.ts'
import type { Collection, Schema } from '../../domain/schema/schema.ts'
import {
  type Build,
  bind,
  boundValues,
  createBuild,
  openLevel,
  tableName,
  typedColumn,
  whereText,
} from '../conditions/build.ts'
import { compileFilter } from '../conditions/compile-filter.ts'
import { keyCondition } from '../conditions/key-condition.ts'
import type { WriteText } from '../dialects/dialect.ts'
import { dialectOf } from '../dialects/dialects.ts'
import { quoteName, quoteText } from '../dialects/quoting.ts'
import { repeatedTransaction } from '../errors/conflicts.ts'
import { keyless } from '../errors/errors.ts'
import { writeName } from '../shapes/names.ts'
import { eventText, isNoted } from './events.ts'
import { actionOf, historyText, journalText, noteInJournal, writeJournal } from './history.ts'
import { withStoredNumbers } from './stored-numbers.ts'
import type { Sent, WriteContext } from './writes.ts'

/**
 * Runs one write. Returns the keys of the rows that it reached, as text; of an insert in the order given. Without
 * `deferred`, its history is written at once.
 */
export async function runWrite(ctx: WriteContext, write: Write, deferred: Deferred | null): Promise<readonly string[]> {
  if (deferred != null || dialectOf(ctx.db).historyInWrite) return sendOne(ctx, write, deferred?.journal ?? null)
  if (ctx.db.isInner !== true) return repeatedTransaction(ctx.db, (db) => runWrite({ ...ctx, db }, write, deferred))
  const journal: Journal = []
  const keys = await sendOne(ctx, write, journal)
  await writeJournal(ctx, journal, new Map())
  return keys
}

async function sendOne(ctx: WriteContext, input: Write, journal: Journal | null): Promise<readonly string[]> {
  const sent: Sent = { write: await withStoredNumbers(ctx, input), author: ctx, journal }
  const { text, name, build, template } = compiledFor(ctx, sent)
  const bindings = build.bindings.map((each) => (each.node === template ? { ...each, node: sent } : each))
  const values = boundValues({ ...build, bindings }, ctx)
  const answer = await ctx.db.run({ text, values, ...name, rows: 'array' })
  const rows = answer.rows as readonly Written[]
  if (!rows.every(isKeyed)) throw new TandemError(keyless)
  noteInJournal(sent, rows)
  noteStuckSequence(ctx, sent, rows)
  return rows.map(([key]) => key)
}

/** The columns whose values a sequence gives where clients bring none. */
function countedColumns({
  write,
}: Pick<Sent, 'write'>): readonly { readonly name: string; readonly bits: number | null }[] {
  if (write.kind !== 'insert') return []
  return [...write.collection.fields.values()].flatMap(({ type, column }) =>
    column?.autoIncrement === true && write.columns.includes(column.name) && countedTypes.has(type)
      ? [{ name: column.name, bits: type === 'decimal' ? null : column.precision }]
      : [],
  )
}

const countedTypes: ReadonlySet<string> = new Set(['integer', 'bigInteger', 'decimal'])

/** Tells the operator that later rows may get keys that are taken. The row of the client is written all the same. */
function noteStuckSequence({ log }: WriteContext, sent: Sent, rows: readonly Written[]): void {
  const columns = countedColumns(sent)
  if (columns.length === 0 || rows[0]?.at(-1)?.includes('denied') !== true) return
  const { collection } = sent.write
  const names = columns.map(({ name }) => name)
  const advice = 'The sequence of a column cannot be moved past keys of clients: grant USAGE and UPDATE on it'
  log.warn({ collection: collection.name, columns: names }, advice)
}

type Written = readonly [key: string | null, ...texts: readonly string[]]

const isKeyed = (row: Written): row is readonly [key: string, ...texts: readonly string[]] => row[0] !== null

/** `template` marks the bindings that are read from each write. The other bindings belong to the filter. */
type Compiled = {
  readonly text: string
  readonly name: { readonly name?: string }
  readonly build: Build
  readonly template: Sent
}

/** By the schema and the row filter, and gone with either of them; then by shape. */
const shapesOf = memoizeByBoth(
  (_schema: Schema, _filter: Filter) => new LRUCache<string, Compiled>({ max: mostShapes }),
)
const mostShapes = 500

function compiledFor(ctx: WriteContext, sent: Sent): Compiled {
  const { write } = sent
  const filter = write.kind === 'insert' ? matchAll : write.where
  return entryOf<string, Compiled>(shapesOf(ctx.schema, filter), shapeOf(ctx, sent), () => compile(ctx, lasting(sent)))
}

/** Statements live longer than requests, and keep neither their values nor their connections. */
function lasting({ write, author, journal }: Sent): Sent {
  const { actor, clock, request, feed } = author
  return {
    write: emptyWrite(write),
    author: { actor, clock, request, ...(feed === undefined ? {} : { feed }) },
    journal: journal === null ? null : [],
  }
}

function emptyWrite(write: Write): Write {
  const few = <T>(empty: T): readonly T[] => (isOfMany(write) ? [empty, empty] : [empty])
  switch (write.kind) {
    case 'insert':
    case 'update-each':
      return { ...write, rows: few({}), deltas: few({}) }
    case 'update':
      return { ...write, keys: few(''), row: {}, delta: {} }
    case 'delete':
      return { ...write, keys: few('') }
  }
}

function shapeOf({ db, view }: WriteContext, { write, author, journal }: Sent): string {
  const { actor, request } = author
  const columns = write.kind === 'delete' ? [] : write.columns
  const { skip = false } = request.history ?? {}
  const touches = 'touches' in write && write.touches
  const parts = [db.dialect, view.name, actor.kind === 'user', write.kind, write.collection.name]
  return JSON.stringify([
    ...parts,
    isOfMany(write),
    actionOf(author, write),
    skip,
    journal === null,
    touches,
    isNoted(author, write),
    columns,
  ])
}

const isOfMany = (write: Write): boolean => ('keys' in write ? write.keys : write.rows).length > 1

function compile({ db, schema, view }: WriteContext, template: Sent): Compiled {
  const dialect = dialectOf(db)
  const build = createBuild({ schema, view, dialect })
  const text = statementText(build, template)
  return { text, name: writeName(dialect, text), build, template }
}

/** The parts that statements of all kinds have. */
function planOf(build: Build, sent: Sent, alias: string): WriteText {
  const { write } = sent
  const { collection } = write
  return {
    table: tableName(collection),
    alias,
    keys: collection.keyColumns.map((name) => ({
      ...typedColumn(collection, name),
      preset: defaultOf(collection, name),
    })),
    columns: write.kind === 'delete' ? [] : write.columns.map((name) => typedColumn(collection, name)),
    history: historyText(build, sent),
    journal: journalText(build, sent),
    events: eventText(build, sent),
    counted: countedColumns(sent).map(({ name, bits }) => ({
      column: quoteName(name),
      table: quoteText(tableName(collection)),
      name: quoteText(name),
      bits,
    })),
  }
}

const defaultOf = ({ fields }: Collection, name: string): string | null =>
  [...fields.values()].find(({ column }) => column?.name === name)?.column?.defaultExpression ?? null

function statementText(build: Build, sent: Sent): string {
  const { write } = sent
  const { collection } = write
  const { writes } = build.dialect
  const { alias, ...level } = openLevel(build, collection.name)
  const plan = planOf(build, sent, alias)
  const many = isOfMany(write)
  const bound = (read: (sent: Sent) => unknown) => bind(build, sent, read)
  const json = (name: 'row' | 'rows') => bound(({ write }) => JSON.stringify(name in write ? write[name as never] : []))
  const where = (filter: Filter) =>
    whereText([compileFilter(build, { alias, ...level }, filter)]).replace(/^ where /, ' and ')
  const listed = (keys: readonly Key[]) => (many ? keys : keys[0])
  const keyed = () =>
    keyCondition(build, collection, {
      prefix: `${alias}.`,
      many,
      bound: (part) => bound(({ write }) => ('keys' in write ? listed(write.keys.map(part)) : null)),
    })
  switch (write.kind) {
    case 'insert':
      return writes.insert(plan, { rows: json('rows'), many })
    case 'update':
      return writes.update(plan, { rows: json('row'), match: keyed(), where: where(write.where) })
    case 'update-each':
      return writes.update(plan, { rows: json('rows'), match: null, where: where(write.where) })
    case 'delete':
      return writes.delete(plan, `${keyed()}${where(write.where)}`)
  }
}
