/** A database for tests of decisions: it answers statements with given rows, and keeps what it was asked. */
import type { Context, Database, Statement } from '../../domain/ports/context.ts'
import type { LockRequest } from '../../domain/ports/row-store.ts'
import type { Query } from '../../domain/query/query.ts'
import { coreView } from '../../domain/schema/core-view.ts'
import { testSchema } from '../../domain/testing/test-schema.ts'

type Rows = readonly unknown[]

export type Answering = {
  readonly ctx: Context
  /** The values of each statement. */
  readonly asked: () => readonly Rows[]
  readonly texts: () => readonly string[]
  /** The reads of items. */
  readonly looks: readonly Query[]
  readonly locks: readonly LockRequest[]
  readonly warnings: readonly Rows[]
}

/**
 * A context inside a transaction. `answers`: the rows of each statement in order, then none, or the rows by the text of
 * the statement. `found`: how many items a read finds.
 */
export function answering(
  answers: readonly Rows[] | ((text: string) => Rows | Error),
  { found = 1, ...changes }: Partial<Context> & { readonly found?: number },
): Answering {
  const statements: Statement[] = []
  const warnings: Rows[] = []
  const looks: Query[] = []
  const locks: LockRequest[] = []
  const run = async (statement: Statement) => {
    const rows = typeof answers === 'function' ? answers(statement.text) : (answers[statements.length] ?? [])
    statements.push(statement)
    if (rows instanceof Error) throw rows
    return { rows, count: rows.length }
  }
  const readRows = async (_ctx: unknown, query: Query) => {
    looks.push(query)
    return Array.from({ length: found }, () => ({ id: 1 }))
  }
  const rows: Partial<Context['rows']> = {
    readRows,
    read: async (ctx, query) => {
      const read = await readRows(ctx, query)
      return { pieces: [JSON.stringify(read)], rowCount: read.length, counts: {} }
    },
    readOne: async (ctx, query) => {
      const [first] = await readRows(ctx, query)
      return first === undefined ? null : { json: JSON.stringify(first) }
    },
    lock: async (_ctx, _collection, request) => {
      locks.push(request)
      return []
    },
  }
  const db = { dialect: 'postgres', isInner: true, run } as unknown as Database
  const log = { warn: (...told: Rows) => void warnings.push(told) }
  const schema = changes.schema ?? testSchema
  const whole = { db, rows, schema, view: coreView(schema), limits: {}, log, request: { ip: null }, effects: new Set() }
  return {
    ctx: { ...whole, ...changes } as unknown as Context,
    asked: () => statements.map(({ values }) => values),
    texts: () => statements.map(({ text }) => text),
    looks,
    locks,
    warnings,
  }
}
