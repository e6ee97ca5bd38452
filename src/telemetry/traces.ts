/**
 * Traces by the public API of OpenTelemetry. Who exports them is not decided here: without a registered SDK the API
 * does nothing.
 */
import {
  type Attributes,
  context,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api'
import type { Statement } from '../domain/ports/context.ts'
import type { IncomingRequest, RequestProbe } from '../domain/ports/telemetry.ts'

export type TracedRequest = Pick<RequestProbe, 'trace' | 'leave'> & {
  readonly end: (outcome: TracedOutcome) => void
}

export type TracedOutcome = {
  /** `generation operation`; null for a request without an operation. */
  readonly name: string | null
  readonly attributes: Attributes
  readonly status: number
  readonly isAborted: boolean
}

export type Traces = {
  readonly request: (incoming: IncomingRequest, work: (request: TracedRequest) => void) => void
  /** Runs the statement as a span of its task. */
  readonly statement: <T>(of: TracedStatement, run: (statement: Statement) => Promise<T>) => Promise<T>
  /** Headers that let another server continue the trace. */
  readonly headers: () => { readonly [name: string]: string }
  /** Runs the work as a span of a request to another server. */
  readonly outbound: <T>(name: string, work: () => Promise<T>) => Promise<T>
}

export type TracedStatement = {
  readonly statement: Statement
  readonly task: string
  readonly project: string
  readonly dialect: string
}

/** `comments`: statements name the trace in a comment, and are then not prepared. */
export type TraceOptions = { readonly version: string; readonly comments: boolean }

export function createTraces({ version, comments }: TraceOptions): Traces {
  const tracer = trace.getTracer('tandem', version)
  return {
    request: (incoming, work) => traceRequest(tracer, incoming, work),
    statement: ({ statement, task, project, dialect }, run) => {
      const system = systemNames.get(dialect) ?? 'postgresql'
      const attributes = { 'db.system.name': system, 'db.operation.name': task, 'tandem.project': project }
      return inSpan(tracer, { name: task, kind: SpanKind.CLIENT, attributes }, (span) =>
        run(comments ? withComment(statement, span) : statement),
      )
    },
    headers: () => {
      const headers: { [name: string]: string } = {}
      propagation.inject(context.active(), headers)
      return headers
    },
    outbound: (name, work) => inSpan(tracer, { name, kind: SpanKind.CLIENT, attributes: {} }, work),
  }
}

/** Dialects whose server has another name in the conventions of OpenTelemetry. */
const systemNames: ReadonlyMap<string, string> = new Map([
  ['mysql', 'mariadb'],
  ['mysql8', 'mysql'],
])

/** The trace of the client goes on, if it sent one that is well-formed. */
function traceRequest(tracer: Tracer, { method, headers }: IncomingRequest, work: (to: TracedRequest) => void): void {
  const parent = propagation.extract(ROOT_CONTEXT, headers)
  const span = tracer.startSpan(
    method,
    { kind: SpanKind.SERVER, attributes: { 'http.request.method': method } },
    parent,
  )
  const { traceId, spanId, traceFlags } = span.spanContext()
  const isRecorded = trace.isSpanContextValid(span.spanContext())
  const traced: TracedRequest = {
    trace: isRecorded ? { id: traceId, span: spanId, isSampled: (traceFlags & 1) === 1 } : null,
    leave: span.isRecording() ? (station) => void span.addEvent(station) : null,
    end: (outcome) => endRequest(span, method, outcome),
  }
  context.with(trace.setSpan(parent, span), () => work(traced))
}

function endRequest(span: Span, method: string, { name, attributes, status, isAborted }: TracedOutcome): void {
  if (name !== null) span.updateName(`${method} ${name}`)
  span.setAttributes({ ...attributes, 'http.response.status_code': status, ...(isAborted ? { aborted: true } : {}) })
  if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
  span.end()
}

type SpanOptions = { readonly name: string; readonly kind: SpanKind; readonly attributes: Attributes }

/** The message of an error is not recorded: it may contain values. */
function inSpan<T>(
  tracer: Tracer,
  { name, kind, attributes }: SpanOptions,
  work: (span: Span) => Promise<T>,
): Promise<T> {
  return tracer.startActiveSpan(name, { kind, attributes }, async (span) => {
    try {
      return await work(span)
    } catch (error) {
      span.setStatus({ code: SpanStatusCode.ERROR })
      span.setAttribute('error.type', error instanceof Error ? error.name : 'error')
      throw error
    } finally {
      span.end()
    }
  })
}

/** The name of a prepared statement belongs to its text, which is different each time. */
function withComment({ name: _name, ...statement }: Statement, span: Span): Statement {
  const { traceId, spanId, traceFlags } = span.spanContext()
  const comment = `/*traceparent='00-${traceId}-${spanId}-0${traceFlags & 1}'*/`
  return { ...statement, text: `${statement.text} ${comment}` }
}
