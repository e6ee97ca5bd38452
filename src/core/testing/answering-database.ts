/** A database for tests of decisions: it answers each statement with the next of the given rows, and keeps the values. */
import type { Context, Database, Statement } from '../../domain/ports/context.ts'
import { testSchema } from '../../domain/testing/test-schema.ts'

export type Asked = Pick<Statement, 'text' | 'values'>

export type Answering = {
  readonly ctx: Context
  /** The values of each statement. */
  readonly asked: () => readonly (readonly unknown[])[]
  /** What was logged as a warning. */
  readonly warnings: readonly unknown[]
}

/** A context whose database answers with these rows, one list for each statement, and then with none. */
export function answering(answers: readonly (readonly unknown[])[], changes: Partial<Context>): Answering {
  const statements: Asked[] = []
  const warnings: unknown[] = []
  const run = (statement: Statement) => {
    const rows = answers[statements.length] ?? []
    statements.push(statement)
    return Promise.resolve({ rows, count: rows.length })
  }
  const db = { dialect: 'postgres', run } as unknown as Database
  const log = { warn: (...told: readonly unknown[]) => void warnings.push(told) }
  const ctx = { db, schema: testSchema, limits: {}, log, ...changes } as unknown as Context
  return { ctx, asked: () => statements.map(({ values }) => values), warnings }
}
