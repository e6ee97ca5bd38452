/** Opens the configured metrics, traces and logs. Libraries are loaded only when used. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { trace } from '@opentelemetry/api'
import type { Log } from '../domain/ports/context.ts'
import type { Telemetry } from '../domain/ports/telemetry.ts'
import type { MetricSources } from './gauges.ts'
import { createMetrics, type Metrics } from './metrics.ts'
import type { MetricsSettings, TelemetrySettings } from './settings.ts'
import { createSlowLog, type PlanOf } from './slow-statements.ts'
import { createTelemetry } from './telemetry.ts'
import { createTraces } from './traces.ts'

export type OpenTelemetry = Telemetry & {
  /** The text of the metrics for a caller with this token; null for another one, or if another port answers. */
  readonly read: (authorization: string | undefined) => Promise<MetricsAnswer>
  /** The port of the server of its own; null without one. */
  readonly port: number | null
  readonly close: () => Promise<void>
}

/** `refused`: the token is missing or another one. `absent`: not answered here. */
export type MetricsAnswer = 'refused' | 'absent' | { readonly text: string; readonly type: string }

type Options = {
  readonly sources: MetricSources
  readonly log: Log
  readonly isToken: (input: string, expected: string) => boolean
  /** The plan of a read; null for other statements. */
  readonly planOf: PlanOf
}

export async function openTelemetry(
  { metrics: metricsSettings, traces, slow, plans }: TelemetrySettings,
  { sources, log, isToken, planOf }: Options,
): Promise<OpenTelemetry> {
  const metrics = metricsSettings === null ? null : createMetrics(sources)
  const endSdk = traces === null ? null : await startSdk(log)
  const telemetry = createTelemetry({
    metrics,
    traces: traces === null ? null : createTraces({ version: sources.version, comments: traces.comments }),
    slow: slow === null ? null : createSlowLog({ milliseconds: slow, log, planOf: plans ? planOf : null }),
  })
  const answer = (authorization: string | undefined): Promise<MetricsAnswer> =>
    read(metrics, metricsSettings, { authorization, isToken })
  const server = metricsSettings?.listen == null ? null : await serve(metricsSettings.listen, answer)
  return {
    ...telemetry,
    read: async (authorization) => (server === null ? answer(authorization) : 'absent'),
    port: server === null ? null : (server.address() as AddressInfo).port,
    async close() {
      server?.closeAllConnections()
      await new Promise<void>((resolve) => (server === null ? resolve() : server.close(() => resolve())))
      await endSdk?.()
    },
  }
}

type Caller = { readonly authorization: string | undefined; readonly isToken: Options['isToken'] }

async function read(
  metrics: Metrics | null,
  metricsSettings: MetricsSettings | null,
  { authorization = '', isToken }: Caller,
): Promise<MetricsAnswer> {
  if (metrics === null || metricsSettings === null) return 'absent'
  const [, input = ''] = /^bearer +(\S+)$/i.exec(authorization) ?? []
  if (metricsSettings.token !== null && !isToken(input, metricsSettings.token)) return 'refused'
  return metrics.read()
}

/** A server that has nothing but the metrics. */
async function serve(
  { host, port }: NonNullable<MetricsSettings['listen']>,
  answer: (authorization: string | undefined) => Promise<MetricsAnswer>,
): Promise<Server> {
  const server = createServer({ headersTimeout: 5000, requestTimeout: 5000 }, (req, res) => {
    const [path] = (req.url ?? '').split('?', 1)
    if (path !== '/metrics') return void res.writeHead(404).end()
    if (req.method !== 'GET' && req.method !== 'HEAD') return void res.writeHead(405, { allow: 'GET, HEAD' }).end()
    answer(req.headers.authorization).then(
      (metrics) => {
        if (typeof metrics === 'object') res.writeHead(200, { 'content-type': metrics.type }).end(metrics.text)
        else res.writeHead(401, { 'www-authenticate': 'Bearer' }).end()
      },
      () => void res.writeHead(500).end(),
    )
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen({ host, port }, resolve)
  })
  return server
}

/** The operator's package; not a dependency, because most servers are not traced and it is large. */
const sdkPackage = '@opentelemetry/sdk-node'

type Sdk = { readonly NodeSDK: new () => { start(): void; shutdown(): Promise<void> } }

/** Starts the SDK if it is installed and nobody has registered one. It reads `OTEL_*` itself. */
async function startSdk(log: Log): Promise<(() => Promise<void>) | null> {
  // A span that does not end is not exported.
  const probe = trace.getTracer('tandem').startSpan('probe')
  if (trace.isSpanContextValid(probe.spanContext())) return null
  try {
    const { NodeSDK } = (await import(sdkPackage)) as Sdk
    const sdk = new NodeSDK()
    sdk.start()
    return () => sdk.shutdown().catch((error: unknown) => log.warn({ err: error }, 'Traces could not be sent'))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error
    log.warn({}, `TRACING_ENABLED has no effect: no SDK is registered and ${sdkPackage} is not installed`)
    return null
  }
}
