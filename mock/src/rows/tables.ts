/** Tables in memory, with an undo log in place of transactions. */
import { keyOfRow } from '../../../src/domain/schema/row-keys.ts'
import type { Collection } from '../../../src/domain/schema/schema.ts'

/** From column to stored value; null is SQL's null. */
export type StoredRow = { readonly [column: string]: unknown }

/** A written row; undefined = none. */
export type Written = {
  readonly collection: string
  readonly key: string
  readonly before: StoredRow | undefined
  readonly after: StoredRow | undefined
}

export type Tables = {
  readonly all: (collection: string) => readonly StoredRow[]
  /** The row of a key as text. */
  readonly find: (collection: string, key: string) => StoredRow | undefined
  /** Adds a row, or replaces the one with the key `before`. Returns the key. */
  readonly put: (collection: Pick<Collection, 'name' | 'keyColumns'>, row: StoredRow, before?: string) => string
  readonly remove: (collection: string, key: string) => void
  readonly keyOf: (collection: string, row: StoredRow) => string | undefined
  /** The next number of a counted column. As in a database, a rollback does not give it back. */
  readonly next: (collection: string, column: string) => number
  /** Continues the numbers of a counted column behind a value that a client brings. */
  readonly pass: (collection: string, column: string, value: number) => void
  /** The numbers of a column continue after this one. */
  readonly count: (collection: string, column: string, last: number) => void
  readonly mark: () => number
  /** Undoes what was written since the mark. */
  readonly rollback: (mark: number) => void
  /** What was written since it was last asked for, in order. It cannot be undone any more. */
  readonly take: () => readonly Written[]
  /** Keeps the present rows and numbers. What it returns restores them. */
  readonly save: () => () => void
}

export function createTables(): Tables {
  const tables = new Map<string, Map<string, StoredRow>>()
  const counters = new Map<string, number>()
  const log: Written[] = []
  let unnamed = 0
  const tableOf = (name: string): Map<string, StoredRow> => {
    const cached = tables.get(name)
    if (cached !== undefined) return cached
    const made = new Map<string, StoredRow>()
    tables.set(name, made)
    return made
  }
  const set = (name: string, key: string, row: StoredRow | undefined): void => {
    const table = tableOf(name)
    log.push({ collection: name, key, before: table.get(key), after: row })
    if (row === undefined) table.delete(key)
    else table.set(key, row)
  }
  return {
    all: (name) => [...tableOf(name).values()],
    find: (name, key) => tableOf(name).get(key),
    put(collection, row, before) {
      const key = collection.keyColumns.length === 0 ? `row ${unnamed++}` : keyOfRow(collection, row)
      if (before !== undefined && before !== key) set(collection.name, before, undefined)
      set(collection.name, key, row)
      return key
    },
    remove: (name, key) => set(name, key, undefined),
    keyOf: (name, row) => [...tableOf(name)].find(([, each]) => each === row)?.[0],
    next(name, column) {
      const number = (counters.get(`${name}.${column}`) ?? 0) + 1
      counters.set(`${name}.${column}`, number)
      return number
    },
    pass(name, column, value) {
      if (value > (counters.get(`${name}.${column}`) ?? 0)) counters.set(`${name}.${column}`, value)
    },
    count: (name, column, last) => void counters.set(`${name}.${column}`, last),
    mark: () => log.length,
    rollback(mark) {
      for (const { collection, key, before } of log.splice(mark).toReversed()) {
        if (before === undefined) tableOf(collection).delete(key)
        else tableOf(collection).set(key, before)
      }
    },
    take: () => log.splice(0),
    save() {
      const rows = [...tables].map(([name, table]) => [name, [...table]] as const)
      const numbers = [...counters]
      return () => {
        tables.clear()
        counters.clear()
        log.length = 0
        for (const [name, entries] of rows) tables.set(name, new Map(entries))
        for (const [name, last] of numbers) counters.set(name, last)
      }
    },
  }
}
