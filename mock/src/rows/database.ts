/** The database of the mock: rows in memory, and no SQL. */

import type { Database } from '../../../src/domain/ports/context.ts'
import type { LockRequest, RowStore, StoreContext } from '../../../src/domain/ports/row-store.ts'
import { keyOfRow } from '../../../src/domain/schema/row-keys.ts'
import type { Collection } from '../../../src/domain/schema/schema.ts'
import { createStore } from '../tasks/store.ts'
import { tasks } from '../tasks/tasks.ts'
import { textOf } from './compare.ts'
import type { Env } from './env.ts'
import { collectionOf, fieldOf } from './links.ts'
import { judge, read } from './read.ts'
import { release } from './references.ts'
import { plain } from './stored.ts'
import type { StoredRow, Tables } from './tables.ts'
import { write } from './write.ts'

/** `own`: what tasks are done with, whoever asks. */
export function createDatabase(own: Env): Database {
  const { tables, uuid } = own
  const env = (ctx: StoreContext) => ({ ...ctx, tables, uuid })
  const store = createStore(own)
  const rows: RowStore = {
    read: (ctx, query) => read(env(ctx), query),
    judge: (ctx, query) => judge(env(ctx), query),
    write: (ctx, given) => write(env(ctx), given),
    lock: (_ctx, collection, request) => locked(tables, collection, request),
    conflicting: (_ctx, collection, given) => conflicting(tables, collection, given),
    highest: (_ctx, collection, of) => highest(tables, collection, of),
    deleteAboutMissing: (_ctx, about, collection) => deleteAboutMissing(own, about, collection),
  }
  const open = (rows: RowStore): Database => ({
    dialect: 'memory',
    rows,
    async run({ task = '', text, values }) {
      const work = tasks[task]
      if (work === undefined) throw new Error(`The mock runs no SQL: ${text.slice(0, 100)}`)
      const found = work(store, ...(values.map(asText) as never[]))
      return { rows: found, count: found.length }
    },
    runLast: async () => undefined,
    async transaction(work) {
      const mark = tables.mark()
      try {
        return await work({ ...open(endingWithFailure(rows)), isInner: true })
      } catch (error) {
        tables.rollback(mark)
        throw error
      }
    },
  })
  return open(rows)
}

/** Moments are texts in stored rows. */
const asText = (value: unknown): unknown => (value instanceof Date ? value.toISOString() : value)

/** After a failed write a transaction does nothing more. */
function endingWithFailure(rows: RowStore): RowStore {
  let failed = false
  const running = (): void => {
    if (failed) throw new Error('The transaction has failed')
  }
  return {
    read: (...given) => (running(), rows.read(...given)),
    judge: (...given) => (running(), rows.judge(...given)),
    lock: (...given) => (running(), rows.lock(...given)),
    conflicting: (...given) => (running(), rows.conflicting(...given)),
    highest: (...given) => (running(), rows.highest(...given)),
    deleteAboutMissing: (...given) => (running(), rows.deleteAboutMissing(...given)),
    write(...given) {
      running()
      try {
        return rows.write(...given)
      } catch (error) {
        failed = true
        throw error
      }
    },
  }
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

function conflicting(
  tables: Tables,
  collection: Collection,
  { columns, rows }: Parameters<RowStore['conflicting']>[2],
) {
  const found = new Map<number, string>()
  for (const row of tables.all(collection.name)) {
    for (const [position, given] of rows.entries()) {
      const isSame = (name: string): boolean => row[name] != null && plain(row[name]) === plain(given[name])
      if (columns.every(isSame)) found.set(position, keyOfRow(collection, row))
    }
  }
  return found
}

/** Numbers by their size, texts by their letters. */
function compareTexts(left: string, right: string): number {
  const numbers = Number(left) - Number(right)
  if (!Number.isNaN(numbers)) return numbers
  return left < right ? -1 : left > right ? 1 : 0
}

function highest(tables: Tables, collection: Collection, { field, foreign }: Parameters<RowStore['highest']>[2]) {
  const parents = new Set(foreign.parents.map(plain))
  const found = new Map<string, number>()
  for (const row of tables.all(collection.name)) {
    const parent = plain(row[foreign.field])
    if (row[foreign.field] == null || !parents.has(parent)) continue
    const number = row[field] == null ? 0 : Number(row[field])
    found.set(parent, Math.max(found.get(parent) ?? number, number))
  }
  return found
}
