/**
 * Sends compiled statements without the driver's own query class, which copies its settings, requests the column
 * descriptions each time and builds a result object: a fifth of the cost of a small read, and some cost on the server.
 * It also waits for each result before it sends the next statement, although a message costs more than most statements
 * in it. This code uses the driver's interface for custom queries (`submit`, and one `handle…` per message, as its
 * cursors do), which `compiled-query.test.ts` checks.
 */
import type pg from 'pg'
import type { Rows, Statement } from '../../domain/ports/context.ts'
import { submitQuery, toDriverParameter, type Wire } from './driver-internals.ts'
import { forConnection } from './unprepared.ts'
import { plainTypes } from './value-types.ts'

type Row = readonly (string | null)[]

/** Converts rows to objects: the texts by name, and the parser of each. */
type Columns = {
  readonly empty: { readonly [name: string]: null }
  readonly readers: readonly (readonly [name: string, read: (text: string) => unknown])[]
}

/**
 * The description of a prepared statement never changes on its connection: the server rejects the statement after a
 * change.
 */
const described = new WeakMap<Wire, Map<string, Columns>>()

/** Sends the statement. Returns its rows as lists of texts, or as objects of wire forms. */
export const queryCompiled = (client: pg.PoolClient, statement: Statement): Promise<Rows> =>
  queryTogether(client, [statement])[0] as Promise<Rows>

/**
 * Sends the statements in one message, and resolves each. They run in order; statements after a failed one are not
 * executed and fail too. Either all have names or none has.
 */
export function queryTogether(client: pg.PoolClient, statements: readonly Statement[]): readonly Promise<Rows>[] {
  const parts = statements.map((statement) => ({
    statement: forConnection(client, statement),
    ...Promise.withResolvers<Rows>(),
  }))
  const query = new CompiledQuery(parts.map(({ statement, resolve, reject }) => new Part(statement, resolve, reject)))
  submitQuery(client, query)
  return parts.map(({ promise }) => promise)
}

/** One statement and its result. */
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

  /** The command tag ends with the number of rows: `SELECT 25`, `INSERT 0 3`. */
  done(): void {
    this.resolve({ rows: this.rows, count: Number(this.tag.slice(this.tag.lastIndexOf(' ') + 1)) || 0 })
  }
}

export class CompiledQuery {
  private readonly parts: readonly Part[]
  private at = 0
  private wire: Wire | null = null
  /** Statements that the server must parse. */
  private readonly parsing: Part[] = []

  constructor(parts: readonly Part[]) {
    this.parts = parts
  }

  /** The driver records parsed statements under this name: the first one that is not parsed yet. */
  get name(): string {
    return this.unparsed()?.name ?? ''
  }

  get text(): string {
    return this.unparsed()?.text ?? ''
  }

  private unparsed(): Part | undefined {
    return this.parsing.find(({ name }) => this.wire?.submittedNamedStatements[name] !== undefined)
  }

  /** Everything is sent in one message, the Sync included. Nothing is sent if values cannot be serialised. */
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
    const cache = described.get(this.wire) ?? new Map<string, Columns>()
    described.set(this.wire, cache.set(part.name, part.columns))
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

  /** Not earlier: deferred constraints can fail at the Sync. */
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

/** A copy of an object that has all properties keeps its hidden class while they are set. */
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

/** The driver would write a Date in the time zone of the process. */
export const toParameter = (value: unknown): unknown =>
  typeof value === 'string' ? value : toDriverParameter(value instanceof Date ? value.toISOString() : value)
