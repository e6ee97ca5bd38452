/** The database of the mock: rows in memory, and no SQL. */

import type { Context, Database } from '../../../src/domain/ports/context.ts'
import {
  type Foreign,
  type KeyLookup,
  type LockRequest,
  rowTextOf,
  toRows,
} from '../../../src/domain/ports/row-store.ts'
import { keyOfRow } from '../../../src/domain/schema/row-keys.ts'
import type { Collection } from '../../../src/domain/schema/schema.ts'
import { createStore } from '../tasks/store.ts'
import { tasks } from '../tasks/tasks.ts'
import { textOf } from './compare.ts'
import type { Env, StoreContext } from './env.ts'
import { collectionOf, fieldOf } from './links.ts'
import { judge, read as readQuery } from './read.ts'
import { release } from './references.ts'
import { plain } from './stored.ts'
import type { StoredRow, Tables } from './tables.ts'
import { write } from './write.ts'

/** `own`: what tasks are done with, whoever asks. */
export function createDatabase(own: Env): Pick<Context, 'db' | 'rows'> {
  const { tables } = own
  const store = createStore(own)
  const open: Database = {
    dialect: 'memory',
    async run({ task = '', text, values }) {
      const work = tasks[task]
      if (work === undefined) throw new Error(`The mock runs no SQL: ${text.slice(0, 100)}`)
      const rows = work(store, ...(values.map(asText) as never[]))
      return { rows, count: rows.length }
    },
    runLast: async () => undefined,
    async transaction(work) {
      const mark = tables.mark()
      try {
        return await work({ ...open, isInner: true })
      } catch (error) {
        tables.rollback(mark)
        throw error
      }
    },
  }
  return { db: open, rows: createRows(own) }
}

/** Moments are texts in stored rows. */
const asText = (value: unknown): unknown => (value instanceof Date ? value.toISOString() : value)

/** There is no history. After a failed write a transaction does nothing more. */
function createRows(own: Env): Context['rows'] {
  const { tables, uuid } = own
  const failed = new WeakSet<Database>()
  const env = (ctx: StoreContext & Pick<Context, 'db'>): Env => {
    assertRunning(ctx)
    return { ...ctx, tables, uuid }
  }
  const assertRunning = ({ db }: Pick<Context, 'db'>): void => {
    if (failed.has(db)) throw new Error('The transaction has failed')
  }
  const read: Context['rows']['read'] = async (ctx, query) => readQuery(env(ctx), query)
  const readRows: Context['rows']['readRows'] = async (ctx, query) => toRows(await read(ctx, query))
  return {
    read,
    async readOne(ctx, query) {
      const result = await read(ctx, query)
      if (result.rowCount === 0) return null
      return { json: rowTextOf(result), ...(result.tag === undefined ? {} : { tag: result.tag }) }
    },
    readRows,
    readPages: async (ctx, query, onPage) => onPage(await readRows(ctx, query)),
    async readBeside(ctx, query, beside) {
      const [row] = await readRows(ctx, query)
      return row === undefined ? null : { row, beside: await beside.read(ctx.db) }
    },
    match: async (ctx, query) => judge(env(ctx), query),
    async write(ctx, input) {
      try {
        return write(env(ctx), input)
      } catch (error) {
        if (ctx.db.isInner === true) failed.add(ctx.db)
        throw error
      }
    },
    writeHistory: async () => undefined,
    toStored: async (_ctx, _collection, rows) => rows,
    lock: async (ctx, collection, request) => (assertRunning(ctx), locked(tables, collection, request)),
    conflicting: async (ctx, collection, sought) => (assertRunning(ctx), conflicting(tables, collection, sought)),
    highest: async (ctx, collection, of) => (assertRunning(ctx), highest(tables, collection, of)),
    move: absent,
    deleteAboutMissing: async (ctx, about, collection) => (
      assertRunning(ctx), deleteAboutMissing(own, about, collection)
    ),
    takes: async () => true,
    recordedKey: async (_ctx, _collection, key) => String(key),
  }
}

const absent = async (): Promise<never> => {
  throw new Error('The mock does not sort by hand')
}

function deleteAboutMissing(env: Env, about: string, collection: Collection): number {
  const presentKeys = new Set(env.tables.all(collection.name).map((row) => keyOfRow(collection, row)))
  const holder = collectionOf(env.schema, about)
  const gone = env.tables
    .all(about)
    .filter((row) => row['collection'] === collection.name && !presentKeys.has(plain(row['item'])))
    .map((row) => ({ key: keyOfRow(holder, row), row }))
  release(env, holder, gone)
  return gone.length
}

function locked(tables: Tables, collection: Collection, { keys, foreign, fields }: LockRequest) {
  const wanted = new Set(keys.map(plain))
  const refers = (row: StoredRow): boolean =>
    foreign.some(
      ({ field, parents }) => row[field] != null && parents.some((parent) => plain(parent) === plain(row[field])),
    )
  return tables
    .all(collection.name)
    .map((row) => ({ key: keyOfRow(collection, row), row }))
    .filter(({ key, row }) => wanted.has(key) || refers(row))
    .toSorted((left, right) => compareTexts(left.key, right.key))
    .map(({ key, row }) => ({
      key,
      fields: new Map(
        fields.map((name) => [name, row[name] == null ? null : textOf(fieldOf(collection, name), row[name])]),
      ),
    }))
}

function conflicting(tables: Tables, collection: Collection, { columns, rows }: KeyLookup) {
  const keys = new Map<number, string>()
  for (const row of tables.all(collection.name)) {
    for (const [position, input] of rows.entries()) {
      const isSame = (name: string): boolean => row[name] != null && plain(row[name]) === plain(input[name])
      if (columns.every(isSame)) keys.set(position, keyOfRow(collection, row))
    }
  }
  return keys
}

/** Numbers by their size, texts by their letters. */
function compareTexts(left: string, right: string): number {
  const numbers = Number(left) - Number(right)
  if (!Number.isNaN(numbers)) return numbers
  return left < right ? -1 : left > right ? 1 : 0
}

function highest(
  tables: Tables,
  collection: Collection,
  { field, foreign }: { readonly field: string; readonly foreign: Foreign },
) {
  const parents = new Set(foreign.parents.map(plain))
  const greatest = new Map<string, number>()
  for (const row of tables.all(collection.name)) {
    const parent = plain(row[foreign.field])
    if (row[foreign.field] == null || !parents.has(parent)) continue
    const number = row[field] == null ? 0 : Number(row[field])
    greatest.set(parent, Math.max(greatest.get(parent) ?? number, number))
  }
  return greatest
}
