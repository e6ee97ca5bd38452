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

/** Whether the driver's own query sends the statement, which reads values as those of JavaScript. */
export const isAlone = ({ rows = 'object' }: Statement): boolean => rows === 'object'

/** Sends such a statement. */
export async function sendAlone(client: pg.PoolClient, { text, values, name }: Statement): Promise<Rows> {
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
    submitQuery(client, new Exchange(client, [answers.map((answer) => toPart(client, answer))]))
  } catch (error) {
    for (const { reject } of answers) reject(error)
  }
  return answers.map(({ promise }) => promise)
}

/** Sends the statements in one message, each apart: one that fails, or whose values cannot be sent, is alone in it. */
export function sendApart(client: pg.PoolClient, questions: readonly Question[]): void {
  const groups = questions.flatMap((question) => {
    if (isAlone(question.statement)) {
      sendAlone(client, question.statement).then(question.resolve, question.reject)
      return []
    }
    try {
      return [[toPart(client, question)]]
    } catch (error) {
      question.reject(error)
      return []
    }
  })
  if (groups.length > 0) submitQuery(client, new Exchange(client, groups))
}

const unprepared = new WeakSet<object>()

/** For connections through a pooler: the next statement may run on another session, without the prepared statements of this one. */
export const sendWithoutNames = (client: pg.ClientBase): void => void unprepared.add(client)

/** By the names of prepared statements, whose columns never change: the server rejects one after such a change. */
const describedOn = memoizeBy((_wire: Wire) => new Map<string, Columns>())

/** A statement in flight, and the part of its result that was received. */
type Part = {
  readonly question: Question
  readonly name: string
  readonly values: readonly unknown[]
  readonly rows: unknown[]
  /** The server must parse it. */
  isParsed: boolean
  columns: Columns | null
  tag: string
}

/** Throws if a value cannot be serialised. */
const toPart = (client: pg.PoolClient, question: Question): Part => ({
  question,
  name: unprepared.has(client) ? '' : (question.statement.name ?? ''),
  values: question.statement.values.map(toParameter),
  rows: [],
  isParsed: false,
  columns: null,
  tag: '',
})

/** The driver would write a Date in the time zone of the process. */
const toParameter = (value: unknown): unknown =>
  typeof value === 'string' ? value : toDriverParameter(value instanceof Date ? value.toISOString() : value)

/** The statements of one message, in groups that end with a Sync: a failed one is the end of its group. */
class Exchange {
  private readonly client: pg.PoolClient
  private readonly groups: readonly (readonly Part[])[]
  private wire: Wire | null = null
  /** The group whose result is received, and the place in it. */
  private group = 0
  private at = 0

  constructor(client: pg.PoolClient, groups: readonly (readonly Part[])[]) {
    this.client = client
    this.groups = groups
  }

  /** The driver records parsed statements under this name: the first one that is not parsed yet. */
  get name(): string {
    return this.unparsed()?.name ?? ''
  }

  get text(): string {
    return this.unparsed()?.question.statement.text ?? ''
  }

  private unparsed(): Part | undefined {
    return this.current().find((part) => part.isParsed && this.wire?.submittedNamedStatements[part.name] !== undefined)
  }

  private current(): readonly Part[] {
    return this.groups[this.group] ?? []
  }

  /** Called again for each further Sync, when all is sent. */
  submit(wire: Wire): unknown {
    if (this.wire !== null) return null
    this.wire = wire
    wire.stream.cork()
    for (const group of this.groups) {
      for (const part of group) write(wire, part)
      wire.sync()
    }
    wire.stream.uncork()
    return null
  }

  handleRowDescription({ fields }: { readonly fields: readonly DescribedField[] }): void {
    const part = this.current()[this.at]
    if (part === undefined || this.wire === null) return
    part.columns = toColumns(fields)
    if (part.name !== '') describedOn(this.wire).set(part.name, part.columns)
  }

  handleDataRow({ fields }: { readonly fields: readonly (string | null)[] }): void {
    const part = this.current()[this.at]
    part?.rows.push(part.columns === null ? fields : toObject(part.columns, fields))
  }

  handleCommandComplete({ text }: { readonly text: string }): void {
    const part = this.current()[this.at]
    if (part !== undefined) part.tag = text
    this.at += 1
  }

  /** Not earlier: deferred constraints can fail at the Sync. */
  handleReadyForQuery(): void {
    for (const part of this.current()) complete(part)
    this.goOn()
  }

  handleError(error: unknown): void {
    const parts = this.current()
    const isAtSync = this.at === parts.length
    for (const [index, part] of parts.entries()) {
      if (index < this.at && !isAtSync) complete(part)
      else part.question.reject(error)
      if (part.isParsed) delete this.wire?.submittedNamedStatements[part.name]
    }
    this.goOn()
  }

  handleEmptyQuery(): void {}

  /** For the driver a query ends with a Sync: later messages belong to the next one. */
  private goOn(): void {
    this.group += 1
    this.at = 0
    if (this.group < this.groups.length) submitQuery(this.client, this)
  }
}

function write(wire: Wire, part: Part): void {
  const { name, values } = part
  const { text, rows } = part.question.statement
  if (name === '' || (wire.parsedStatements[name] ?? wire.submittedNamedStatements[name]) === undefined) {
    wire.parse({ text, name })
    if (name !== '') wire.submittedNamedStatements[name] = text
    part.isParsed = name !== ''
  }
  wire.bind({ statement: name, values })
  if (rows === 'plain') {
    part.columns = describedOn(wire).get(name) ?? null
    if (part.columns === null) wire.describe({ type: 'P', name: '' })
  }
  wire.execute()
}

/** The command tag ends with the number of rows: `SELECT 25`, `INSERT 0 3`. */
const complete = ({ rows, tag, question }: Part): void =>
  question.resolve({ rows, count: Number(tag.slice(tag.lastIndexOf(' ') + 1)) || 0 })
