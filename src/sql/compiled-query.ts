/**
 * A compiled statement, sent past the driver's own query. That one copies its settings, has the server
 * describe the columns anew each time and builds a result around the rows: a fifth of what a small read costs
 * here, and some of what it costs the server. The driver's contract for this (`submit` and one `handle…` per
 * message, as its cursors use it) is held in place by `compiled-query.test.ts`.
 */
import pg from 'pg'
import type { Rows, Statement } from '../domain/context.ts'
import { plainTypes } from './value-types.ts'

/** What of the driver's connection a query needs. */
type Wire = {
  readonly stream: { cork(): void; uncork(): void }
  /** Texts by name: known to the server, and on their way to it. */
  readonly parsedStatements: { [name: string]: string | undefined }
  readonly submittedNamedStatements: { [name: string]: string | undefined }
  parse(message: { text: string; name: string }): void
  bind(message: { statement: string; values: readonly unknown[]; valueMapper: (value: unknown) => unknown }): void
  describe(message: { type: 'P'; name: string }): void
  execute(): void
  close(message: { type: 'S'; name: string }): void
  sync(): void
}

type Row = readonly (string | null)[]

/** How rows become objects: the texts by name, and what each is read with. */
type Columns = {
  readonly empty: { readonly [name: string]: null }
  readonly readers: readonly (readonly [name: string, read: (text: string) => unknown])[]
}

/** A prepared statement has one description as long as its connection lives: the server refuses it after any change. */
const described = new WeakMap<Wire, Map<string, Columns>>()

/** Sends the statement; resolves with its rows, which are lists of texts or objects of wire forms. */
export const queryCompiled = (client: pg.PoolClient, statement: Statement): Promise<Rows> =>
  new Promise((resolve, reject) => void client.query(new CompiledQuery(statement, resolve, reject) as never))

class CompiledQuery {
  readonly text: string
  readonly name: string
  private readonly values: readonly unknown[]
  private readonly asObjects: boolean
  private columns: Columns | null = null
  private wire: Wire | null = null
  private readonly rows: unknown[] = []
  private count = 0
  private readonly resolve: (rows: Rows) => void
  private readonly reject: (error: unknown) => void

  constructor(statement: Statement, resolve: (rows: Rows) => void, reject: (error: unknown) => void) {
    const { text, name = '', values, rows } = statement
    this.asObjects = rows === 'plain'
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
      if (this.bind(wire)) {
        this.describe(wire)
        wire.execute()
      }
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

  private describe(wire: Wire): void {
    if (!this.asObjects) return
    this.wire = wire
    this.columns = described.get(wire)?.get(this.name) ?? null
    if (this.columns === null) wire.describe({ type: 'P', name: '' })
  }

  handleRowDescription({ fields }: { readonly fields: readonly { name: string; dataTypeID: number }[] }): void {
    const readers = fields.map(({ name, dataTypeID }) => [name, plainTypes.getTypeParser(dataTypeID)] as const)
    this.columns = { readers, empty: Object.fromEntries(readers.map(([name]) => [name, null])) }
    if (this.wire === null || this.name === '') return
    const known = described.get(this.wire) ?? new Map<string, Columns>()
    described.set(this.wire, known.set(this.name, this.columns))
  }

  handleDataRow({ fields }: { readonly fields: Row }): void {
    this.rows.push(this.columns === null ? fields : toObject(this.columns, fields))
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

/** A copy of an object that has all names already keeps its shape while they are filled in. */
function toObject({ empty, readers }: Columns, fields: Row): unknown {
  const row: { [name: string]: unknown } = { ...empty }
  for (let at = 0; at < readers.length; at += 1) {
    const text = fields[at]
    if (text == null) continue
    const [name, read] = readers[at] as Columns['readers'][number]
    row[name] = read(text)
  }
  return row
}

const { utils } = pg as unknown as { readonly utils: { readonly prepareValue: (value: unknown) => unknown } }

/** The driver would write a Date in the process's own time zone. */
export const toParameter = (value: unknown): unknown =>
  typeof value === 'string' ? value : utils.prepareValue(value instanceof Date ? value.toISOString() : value)
