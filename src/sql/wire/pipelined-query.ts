/**
 * Sends compiled statements in one message, each with its own Sync, so that a failed statement does not affect the
 * others.
 */
import type pg from 'pg'
import type { Rows, Statement } from '../../domain/ports/context.ts'
import { CompiledQuery, Part, toParameter } from './compiled-query.ts'
import { submitQuery, type Wire } from './driver-internals.ts'
import { forConnection } from './unprepared.ts'

/** A statement, and the callbacks for its result. */
export type Question = {
  readonly statement: Statement
  readonly resolve: (rows: Rows) => void
  readonly reject: (error: unknown) => void
}

/** Sends all statements; results come in order. A statement whose values cannot be serialised is not sent. */
export function queryPipelined(client: pg.PoolClient, questions: readonly Question[]): void {
  let next: PipelinedQuery | null = null
  for (const question of questions.toReversed()) {
    const query = toQuery(client, question, next)
    if (query !== null) next = query
  }
  if (next !== null) submitQuery(client, next)
}

function toQuery(client: pg.PoolClient, question: Question, next: PipelinedQuery | null): PipelinedQuery | null {
  const { statement } = question
  try {
    const sendable = { ...forConnection(client, statement), values: statement.values.map(toParameter) }
    const part = new Part(sendable, question.resolve, question.reject)
    return new PipelinedQuery(client, part, next)
  } catch (error) {
    question.reject(error)
    return null
  }
}

/** The driver submits one query after another. The first one sends all others, whose own `submit` then does nothing. */
class PipelinedQuery extends CompiledQuery {
  private readonly client: pg.PoolClient
  private readonly next: PipelinedQuery | null
  private isSent = false

  constructor(client: pg.PoolClient, part: Part, next: PipelinedQuery | null) {
    super([part])
    this.client = client
    this.next = next
  }

  override submit(wire: Wire): unknown {
    if (this.isSent) return null
    wire.stream.cork()
    try {
      this.send(wire)
    } finally {
      wire.stream.uncork()
    }
    return null
  }

  private send(wire: Wire): void {
    this.isSent = true
    super.submit(wire)
    this.next?.send(wire)
  }

  override handleReadyForQuery(): void {
    super.handleReadyForQuery()
    this.goOn()
  }

  override handleError(error: unknown): void {
    super.handleError(error)
    this.goOn()
  }

  /** Later messages of the server belong to the next statement. */
  private goOn(): void {
    if (this.next !== null) submitQuery(this.client, this.next)
  }
}
