/** The metrics of the process, in the form of Prometheus. Labels are operations, tasks and projects: all are bounded. */
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { addGauges, type MetricSources } from './gauges.ts'

export type Metrics = {
  readonly began: () => void
  readonly ended: (request: EndedRequest) => void
  readonly ran: (statement: RunStatement) => void
  readonly cached: (project: string, isHit: boolean) => void
  readonly delivered: (project: string, outcome: string, seconds: number) => void
  /** The text of the answer, and its media type. */
  readonly read: () => Promise<{ readonly text: string; readonly type: string }>
}

export type EndedRequest = {
  readonly project: string
  readonly generation: string
  readonly operation: string
  readonly status: number
  readonly isAborted: boolean
  readonly seconds: number
}

export type RunStatement = {
  readonly project: string
  readonly task: string
  readonly seconds: number
  readonly hasFailed: boolean
}

/** Seconds. */
const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** Creates a registry of its own, so that several servers can be in one process. */
export function createMetrics(sources: MetricSources): Metrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  new Gauge({ name: 'tandem_build_info', help: 'The running version.', labelNames: ['version'], registers }).set(
    { version: sources.version },
    1,
  )
  const request = requestMetrics(registers)
  const statement = statementMetrics(registers)
  const cache = new Counter({
    name: 'tandem_response_cache_reads_total',
    help: 'Reads that the response cache could have answered, and whether it did.',
    labelNames: ['project', 'outcome'],
    registers,
  })
  const delivery = new Histogram({
    name: 'tandem_webhook_attempt_duration_seconds',
    help: 'Time of requests to receivers of webhooks by outcome: delivered, failed (tried again later) or dead (given up).',
    labelNames: ['project', 'outcome'],
    buckets,
    registers,
  })
  addGauges(registry, sources)
  return {
    ...request,
    ...statement,
    cached: (project, isHit) => cache.inc({ project, outcome: isHit ? 'hit' : 'miss' }),
    delivered: (project, outcome, seconds) => delivery.observe({ project, outcome }, seconds),
    read: async () => ({ text: await registry.metrics(), type: registry.contentType }),
  }
}

function requestMetrics(registers: Registry[]): Pick<Metrics, 'began' | 'ended'> {
  const labelNames = ['project', 'generation', 'operation'] as const
  const running = new Gauge({ name: 'tandem_requests_in_flight', help: 'Requests under way.', registers })
  const total = new Counter({
    name: 'tandem_requests_total',
    help: 'Requests by operation and status; status "aborted": the client did not wait for the answer.',
    labelNames: [...labelNames, 'status'],
    registers,
  })
  const duration = new Histogram({
    name: 'tandem_request_duration_seconds',
    help: 'Time from the first byte of a request to the last of its answer.',
    labelNames,
    buckets,
    registers,
  })
  return {
    began: () => running.inc(),
    ended({ project, generation, operation, status, isAborted, seconds }) {
      running.dec()
      total.inc({ project, generation, operation, status: isAborted ? 'aborted' : String(status) })
      duration.observe({ project, generation, operation }, seconds)
    },
  }
}

function statementMetrics(registers: Registry[]): Pick<Metrics, 'ran'> {
  const labelNames = ['project', 'task'] as const
  const duration = new Histogram({
    name: 'tandem_statement_duration_seconds',
    help: 'Time of statements by what they do, the wait for a connection included.',
    labelNames,
    buckets,
    registers,
  })
  const failed = new Counter({
    name: 'tandem_statement_errors_total',
    help: 'Statements that failed.',
    labelNames,
    registers,
  })
  return {
    ran({ project, task, seconds, hasFailed }) {
      duration.observe({ project, task }, seconds)
      if (hasFailed) failed.inc({ project, task })
    },
  }
}
