/**
 * Sends statements on a connection. Compiled statements go past the driver's own query class, which copies its settings,
 * requests the column descriptions each time and builds a result object: a fifth of the cost of a small read, and some
 * cost on the server. It also waits for each result before it sends the next statement, although a message costs more
 * than most statements in it. Here several go in one message, by the driver's interface for custom queries (`submit`,
 * and one `handle…` per message), which its cursors use too.
 */
import type pg from 'pg'
import { memoizeBy } from '../../domain/memoize.ts'
import type { Rows, Statement } from '../../domain/ports/context.ts'
import { type Columns, type DescribedField, objectTypes, toColumns, toObject } from '../dialects/postgres-values.ts'
import { submitQuery, toDriverParameter, type Wire } from './driver-internals.ts'

/** A statement, and the callbacks for its result. */
export type Question = {
  readonly statement: Statement
  readonly resolve: (rows: Rows) => void
  readonly reject: (error: unknown) => void
}

/** Sends one statement. Returns its rows as lists of texts, objects of wire forms, or objects of JavaScript values. */
export async function send(client: pg.PoolClient, statement: Statement): Promise<Rows> {
  if ((statement.rows ?? 'object') !== 'object') return sendTogether(client, [statement])[0] as Promise<Rows>
  const { text, values, name } = statement
  const query: pg.QueryConfig = { text, types: objectTypes }
  if (values.length > 0) query.values = values.map(toParameter)
  if (name !== undefined && !unprepared.has(client)) query.name = name
  // A text with several statements returns a list of results; the last one counts.
  const answer = (await client.query(query)) as pg.QueryResult | pg.QueryResult[]
  const result = Array.isArray(answer) ? answer.at(-1) : answer
  return { rows: result?.rows ?? [], count: result?.rowCount ?? result?.rows.length ?? 0 }
}

/**
 * Sends the statements in one message, and resolves each. They run in order; statements after a failed one are not
 * executed and fail too. Either all have names or none has.
 */
export function sendTogether(client: pg.PoolClient, statements: readonly Statement[]): readonly Promise<Rows>[] {
  const answers = statements.map((statement) => ({ statement, ...Promise.withResolvers<Rows>() }))
  try {
    const parts = answers.map((answer) => toPart(client, answer))
    submitQuery(client, new Exchange(client, parts, false))
  } catch (error) {
    for (const { reject } of answers) reject(error)
  }
  return answers.map(({ promise }) => promise)
}

/** Sends the statements in one message, each apart: one that fails, or whose values cannot be sent, is alone in it. */
export function sendApart(client: pg.PoolClient, questions: readonly Question[]): void {
  const parts = questions.flatMap((question) => {
    try {
      return [toPart(client, question)]
    } catch (error) {
      question.reject(error)
      return []
    }
  })
  if (parts.length > 0) submitQuery(client, new Exchange(client, parts, true))
}

const unprepared = new WeakSet<object>()

/** For connections through a pooler: the next statement may run on another session, without the prepared statements of this one. */
export const sendWithoutNames = (client: pg.ClientBase): void => void unprepared.add(client)

/** By the names of prepared statements, whose columns never change: the server rejects one after such a change. */
const describedOn = memoizeBy((_wire: Wire) => new Map<string, Columns>())

/** A statement in flight, and the part of its result that was received. */
type Part = Pick<Question, 'resolve' | 'reject'> & {
  readonly text: string
  readonly name: string
  readonly values: readonly unknown[]
  readonly asObjects: boolean
  readonly rows: unknown[]
  /** The server must parse it. */
  isParsed: boolean
  columns: Columns | null
  tag: string
}

/** Throws if a value cannot be serialised. */
const toPart = (client: pg.PoolClient, { statement, resolve, reject }: Question): Part => ({
  text: statement.text,
  name: unprepared.has(client) ? '' : (statement.name ?? ''),
  values: statement.values.map(toParameter),
  asObjects: statement.rows === 'plain',
  rows: [],
  isParsed: false,
  columns: null,
  tag: '',
  resolve,
  reject,
})

/** The driver would write a Date in the time zone of the process. */
const toParameter = (value: unknown): unknown =>
  typeof value === 'string' ? value : toDriverParameter(value instanceof Date ? value.toISOString() : value)

/** The statements of one message: apart, each with a Sync of its own; else with one for all. */
class Exchange {
  private readonly client: pg.PoolClient
  private readonly parts: readonly Part[]
  private readonly isApart: boolean
  private wire: Wire | null = null
  /** The statements up to the next Sync: those before `at` are complete, up to a failed one. */
  private first = 0
  private end: number
  private at = 0

  constructor(client: pg.PoolClient, parts: readonly Part[], isApart: boolean) {
    this.client = client
    this.parts = parts
    this.isApart = isApart
    this.end = isApart ? 1 : parts.length
  }

  /** The driver records parsed statements under this name: the first one that is not parsed yet. */
  get name(): string {
    return this.unparsed()?.name ?? ''
  }

  get text(): string {
    return this.unparsed()?.text ?? ''
  }

  private unparsed(): Part | undefined {
    const isUnparsed = ({ isParsed, name }: Part): boolean =>
      isParsed && this.wire?.submittedNamedStatements[name] !== undefined
    return this.current().find(isUnparsed)
  }

  private current(): readonly Part[] {
    return this.parts.slice(this.first, this.end)
  }

  /** Called again for each further Sync, when all is sent. */
  submit(wire: Wire): unknown {
    if (this.wire !== null) return null
    this.wire = wire
    wire.stream.cork()
    for (const part of this.parts) {
      write(wire, part)
      if (this.isApart) wire.sync()
    }
    if (!this.isApart) wire.sync()
    wire.stream.uncork()
    return null
  }

  handleRowDescription({ fields }: { readonly fields: readonly DescribedField[] }): void {
    const part = this.parts[this.at]
    if (part === undefined || this.wire === null) return
    part.columns = toColumns(fields)
    if (part.name !== '') describedOn(this.wire).set(part.name, part.columns)
  }

  handleDataRow({ fields }: { readonly fields: readonly (string | null)[] }): void {
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
    for (const part of this.current()) complete(part)
    this.goOn()
  }

  handleError(error: unknown): void {
    const isAtSync = this.at === this.end
    for (const [index, part] of this.current().entries()) {
      if (this.first + index < this.at && !isAtSync) complete(part)
      else part.reject(error)
      if (part.isParsed) delete this.wire?.submittedNamedStatements[part.name]
    }
    this.goOn()
  }

  handleEmptyQuery(): void {}

  /** For the driver a query ends with a Sync: later messages belong to the next one. */
  private goOn(): void {
    if (this.end === this.parts.length) return
    this.first = this.end
    this.at = this.end
    this.end += 1
    submitQuery(this.client, this)
  }
}

function write(wire: Wire, part: Part): void {
  const { name, text, values, asObjects } = part
  if (name === '' || (wire.parsedStatements[name] ?? wire.submittedNamedStatements[name]) === undefined) {
    wire.parse({ text, name })
    if (name !== '') wire.submittedNamedStatements[name] = text
    part.isParsed = name !== ''
  }
  wire.bind({ statement: name, values })
  if (asObjects) {
    part.columns = describedOn(wire).get(name) ?? null
    if (part.columns === null) wire.describe({ type: 'P', name: '' })
  }
  wire.execute()
}

/** The command tag ends with the number of rows: `SELECT 25`, `INSERT 0 3`. */
const complete = ({ rows, tag, resolve }: Part): void =>
  resolve({ rows, count: Number(tag.slice(tag.lastIndexOf(' ') + 1)) || 0 })
