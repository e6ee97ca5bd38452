/**
 * Compiled statements, sent past the driver's own query. That one copies its settings, has the server
 * describe the columns anew each time and builds a result around the rows: a fifth of what a small read costs
 * here, and some of what it costs the server. It also waits for each answer before it sends the next statement,
 * and a message of its own costs more than most statements in it. The driver's contract for this (`submit` and
 * one `handle…` per message, as its cursors use it) is held in place by `compiled-query.test.ts`.
 */
import pg from 'pg'
import type { Rows, Statement } from '../../domain/ports/context.ts'
import { plainTypes } from './value-types.ts'

/** What of the driver's connection a query needs. */
export type Wire = {
  readonly stream: { cork(): void; uncork(): void }
  /** Texts by name: known to the server, and on their way to it. */
  readonly parsedStatements: { [name: string]: string | undefined }
  readonly submittedNamedStatements: { [name: string]: string | undefined }
  parse(message: { text: string; name: string }): void
  bind(message: { statement: string; values: readonly unknown[] }): void
  describe(message: { type: 'P'; name: string }): void
  execute(): void
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
  queryTogether(client, [statement])[0] as Promise<Rows>

/**
 * Sends the statements in one piece, and resolves each. They are done in order; what comes after one that failed is
 * not done and fails with it. Either all have names or none has.
 */
export function queryTogether(client: pg.PoolClient, statements: readonly Statement[]): readonly Promise<Rows>[] {
  const parts = statements.map((statement) => ({ statement, ...Promise.withResolvers<Rows>() }))
  const query = new CompiledQuery(parts.map(({ statement, resolve, reject }) => new Part(statement, resolve, reject)))
  client.query(query as never)
  return parts.map(({ promise }) => promise)
}

/** One statement and its answer. */
export class Part {
  readonly text: string
  readonly name: string
  readonly values: readonly unknown[]
  readonly asObjects: boolean
  readonly rows: unknown[] = []
  columns: Columns | null = null
  tag = ''
  readonly resolve: (rows: Rows) => void
  readonly reject: (error: unknown) => void

  constructor(statement: Statement, resolve: (rows: Rows) => void, reject: (error: unknown) => void) {
    const { text, name = '', values, rows } = statement
    this.asObjects = rows === 'plain'
    this.text = text
    this.name = name
    this.values = values
    this.resolve = resolve
    this.reject = reject
  }

  /** The tag ends in the number of rows: `SELECT 25`, `INSERT 0 3`. */
  done(): void {
    this.resolve({ rows: this.rows, count: Number(this.tag.slice(this.tag.lastIndexOf(' ') + 1)) || 0 })
  }
}

export class CompiledQuery {
  private readonly parts: readonly Part[]
  private at = 0
  private wire: Wire | null = null
  /** Parts that the server is asked to parse. */
  private readonly parsing: Part[] = []

  constructor(parts: readonly Part[]) {
    this.parts = parts
  }

  /** The driver notes under these what the server says to have parsed: the first that it has not. */
  get name(): string {
    return this.unparsed()?.name ?? ''
  }

  get text(): string {
    return this.unparsed()?.text ?? ''
  }

  private unparsed(): Part | undefined {
    return this.parsing.find(({ name }) => this.wire?.submittedNamedStatements[name] !== undefined)
  }

  /** Everything goes out in one piece, the end of the exchange included. Nothing goes where values cannot. */
  submit(wire: Wire): unknown {
    this.wire = wire
    let values: readonly (readonly unknown[])[]
    try {
      values = this.parts.map((part) => part.values.map(toParameter))
    } catch (error) {
      return error
    }
    wire.stream.cork()
    try {
      for (const [index, part] of this.parts.entries()) {
        this.prepare(wire, part)
        wire.bind({ statement: part.name, values: values[index] ?? [] })
        if (part.asObjects) describe(wire, part)
        wire.execute()
      }
      wire.sync()
    } finally {
      wire.stream.uncork()
    }
    return null
  }

  private prepare(wire: Wire, part: Part): void {
    const { name, text } = part
    if (name !== '' && (wire.parsedStatements[name] ?? wire.submittedNamedStatements[name]) !== undefined) return
    wire.parse({ text, name })
    if (name === '') return
    wire.submittedNamedStatements[name] = text
    this.parsing.push(part)
  }

  handleRowDescription({ fields }: { readonly fields: readonly { name: string; dataTypeID: number }[] }): void {
    const part = this.parts[this.at]
    if (part === undefined || this.wire === null) return
    const readers = fields.map(({ name, dataTypeID }) => [name, plainTypes.getTypeParser(dataTypeID)] as const)
    part.columns = { readers, empty: Object.fromEntries(readers.map(([name]) => [name, null])) }
    if (part.name === '') return
    const known = described.get(this.wire) ?? new Map<string, Columns>()
    described.set(this.wire, known.set(part.name, part.columns))
  }

  handleDataRow({ fields }: { readonly fields: Row }): void {
    const part = this.parts[this.at]
    part?.rows.push(part.columns === null ? fields : toObject(part.columns, fields))
  }

  handleCommandComplete({ text }: { readonly text: string }): void {
    const part = this.parts[this.at]
    if (part !== undefined) part.tag = text
    this.at += 1
  }

  /** Not before: what a statement has put off may fail at the end of the exchange. */
  handleReadyForQuery(): void {
    for (const part of this.parts) part.done()
  }

  handleError(error: unknown): void {
    const isLate = this.at === this.parts.length
    for (const [index, part] of this.parts.entries()) {
      if (index < this.at && !isLate) part.done()
      else part.reject(error)
    }
    for (const { name } of this.parsing) delete this.wire?.submittedNamedStatements[name]
  }

  handleEmptyQuery(): void {}
}

function describe(wire: Wire, part: Part): void {
  part.columns = described.get(wire)?.get(part.name) ?? null
  if (part.columns === null) wire.describe({ type: 'P', name: '' })
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
