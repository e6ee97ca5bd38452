/**
 * A statement whose rows are lists of column texts, sent past the driver's own query. That one copies its
 * settings, has the server describe the columns anew each time and builds a result around the rows: a fifth
 * of what a small read costs here, and some of what it costs the server. The driver's contract for this
 * (`submit` and one `handle…` per message, as its cursors use it) is held in place by `text-query.test.ts`.
 */
import pg from 'pg'
import type { Rows, Statement } from '../domain/context.ts'

/** What of the driver's connection a query needs. */
type Wire = {
  readonly stream: { cork(): void; uncork(): void }
  /** Texts by name: known to the server, and on their way to it. */
  readonly parsedStatements: { [name: string]: string | undefined }
  readonly submittedNamedStatements: { [name: string]: string | undefined }
  parse(message: { text: string; name: string }): void
  bind(message: { statement: string; values: readonly unknown[]; valueMapper: (value: unknown) => unknown }): void
  execute(): void
  close(message: { type: 'S'; name: string }): void
  sync(): void
}

type Row = readonly (string | null)[]

/** Sends the statement; resolves with its rows. */
export const queryTexts = (client: pg.PoolClient, statement: Statement): Promise<Rows> =>
  new Promise((resolve, reject) => void client.query(new TextQuery(statement, resolve, reject) as never))

class TextQuery {
  readonly text: string
  readonly name: string
  private readonly values: readonly unknown[]
  private readonly rows: Row[] = []
  private count = 0
  private readonly resolve: (rows: Rows) => void
  private readonly reject: (error: unknown) => void

  constructor({ text, name = '', values }: Statement, resolve: (rows: Rows) => void, reject: (error: unknown) => void) {
    this.text = text
    this.name = name
    this.values = values
    this.resolve = resolve
    this.reject = reject
  }

  /** Everything goes out in one piece, the end of the exchange included. */
  submit(wire: Wire): null {
    wire.stream.cork()
    try {
      this.prepare(wire)
      if (this.bind(wire)) wire.execute()
      wire.sync()
    } finally {
      wire.stream.uncork()
    }
    return null
  }

  private prepare(wire: Wire): void {
    const { name, text } = this
    if (name !== '' && (wire.parsedStatements[name] ?? wire.submittedNamedStatements[name]) !== undefined) return
    wire.parse({ text, name })
    if (name !== '') wire.submittedNamedStatements[name] = text
  }

  private bind(wire: Wire): boolean {
    try {
      wire.bind({ statement: this.name, values: this.values, valueMapper: toParameter })
      return true
    } catch (error) {
      wire.close({ type: 'S', name: this.name })
      this.reject(error)
      return false
    }
  }

  handleDataRow({ fields }: { readonly fields: Row }): void {
    this.rows.push(fields)
  }

  /** The tag ends in the number of rows: `SELECT 25`, `INSERT 0 3`. */
  handleCommandComplete({ text }: { readonly text: string }): void {
    this.count = Number(text.slice(text.lastIndexOf(' ') + 1)) || 0
  }

  handleReadyForQuery(): void {
    this.resolve({ rows: this.rows, count: this.count })
  }

  handleError(error: unknown): void {
    this.reject(error)
  }

  handleEmptyQuery(): void {}
}

const { utils } = pg as unknown as { readonly utils: { readonly prepareValue: (value: unknown) => unknown } }

/** The driver would write a Date in the process's own time zone. */
export const toParameter = (value: unknown): unknown =>
  typeof value === 'string' ? value : utils.prepareValue(value instanceof Date ? value.toISOString() : value)
