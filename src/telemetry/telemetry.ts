/** Metrics and traces behind one port. */
import type { Telemetry } from '../domain/ports/telemetry.ts'
import type { Metrics } from './metrics.ts'
import { observeDatabase } from './observe-database.ts'
import type { RunningStatement, SlowLog } from './slow-statements.ts'
import type { TracedRequest, Traces } from './traces.ts'

export type Instruments = {
  readonly metrics: Metrics | null
  readonly traces: Traces | null
  readonly slow: SlowLog | null
}

const untraced: TracedRequest = { trace: null, leave: null, end: () => undefined }

/** Labels of a request without an operation: pages, unknown paths, and every request until it is routed. */
const none = 'none'

export function createTelemetry({ metrics, traces, slow }: Instruments): Telemetry {
  const isTimed = metrics !== null || slow !== null
  return {
    request(incoming, work) {
      if (traces === null) return work(probeOf(untraced, metrics))
      traces.request(incoming, (traced) => work(probeOf(traced, metrics)))
    },
    database: (db, project) =>
      observeDatabase(db, (of, run) => {
        const traced =
          traces === null
            ? () => run(of.statement)
            : () => traces.statement({ ...of, project, dialect: db.dialect }, run)
        return isTimed ? timed({ metrics, slow }, { ...of, project, db }, traced) : traced()
      }),
    outbound: (outbound) =>
      traces === null
        ? outbound
        : {
            fetchFile: (address, options) =>
              traces.outbound('fetchFile', () =>
                outbound.fetchFile(address, { ...options, headers: traces.headers() }),
              ),
          },
    webhooks: (send) =>
      traces === null
        ? send
        : (request) =>
            traces.outbound('sendWebhook', () =>
              send({ ...request, headers: { ...traces.headers(), ...request.headers } }),
            ),
    cached: (project, isHit) => metrics?.cached(project, isHit),
    delivered: (project, outcome, seconds) => metrics?.delivered(project, outcome, seconds),
  }
}

function probeOf(traced: TracedRequest, metrics: Metrics | null): Parameters<Parameters<Telemetry['request']>[1]>[0] {
  const started = performance.now()
  const labels = { project: none, generation: none, operation: none }
  metrics?.began()
  return {
    trace: traced.trace,
    leave: traced.leave,
    isFor(generation, operation) {
      Object.assign(labels, { generation, operation })
    },
    isOf(project) {
      labels.project = project
    },
    end({ status, isAborted }) {
      const { project, generation, operation } = labels
      metrics?.ended({ ...labels, status, isAborted, seconds: (performance.now() - started) / 1000 })
      const attributes = { 'tandem.project': project, 'tandem.generation': generation, 'tandem.operation': operation }
      const name = operation === none ? null : `${generation} ${operation}`
      traced.end({ name, attributes, status, isAborted })
    },
  }
}

async function timed<T>(
  { metrics, slow }: Pick<Instruments, 'metrics' | 'slow'>,
  { db, statement, task, project }: RunningStatement,
  run: () => Promise<T>,
): Promise<T> {
  const started = performance.now()
  let hasFailed = true
  try {
    const result = await run()
    hasFailed = false
    return result
  } finally {
    const ms = performance.now() - started
    metrics?.ran({ project, task, hasFailed, seconds: ms / 1000 })
    slow?.({ db, statement, task, project, ms })
  }
}
