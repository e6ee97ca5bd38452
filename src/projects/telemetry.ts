/** Metrics and traces of the process: what they are read from, and who may read them. */
import packageJson from '../../package.json' with { type: 'json' }
import { ids } from '../clock-and-ids.ts'
import type { Log } from '../domain/ports/context.ts'
import type { Images } from '../domain/ports/images.ts'
import type { Page } from '../http/app/served-generation.ts'
import { empty, text, withHeaders } from '../http/reply/reply.ts'
import { readPlan } from '../sql/run/plan-reads.ts'
import { isRead } from '../sql/shapes/is-read.ts'
import { countSessions } from '../sql/statements/accounts/sessions.ts'
import { readWebhookLag } from '../sql/statements/webhooks/webhooks.ts'
import type { OpenTelemetry } from '../telemetry/open.ts'
import type { TelemetrySettings } from '../telemetry/settings.ts'
import { loginQueue, requestQueue } from '../tokens/hash-turns.ts'
import { equalTokens } from '../tokens/opaque.ts'
import type { Registry } from './registry.ts'

/** Sources of metrics that are created after the telemetry. */
export type Observed = { registry: Pick<Registry, 'values'> | null; images: Pick<Images, 'jobs'> | null }

/** Opens what the settings ask for; null = nothing is observed, at no cost. */
export async function openProcessTelemetry(
  settings: TelemetrySettings | null,
  { observed, log }: { readonly observed: Observed; readonly log: Log },
): Promise<OpenTelemetry | null> {
  if (settings === null) return null
  const { openTelemetry } = await import('../telemetry/open.ts')
  const secret = ids.token(32)
  return openTelemetry(settings, {
    log,
    // Without its asker: the plan is read when the request may have ended, which must not cancel it.
    planOf: async (db, statement) => {
      const { text, values, texts } = statement
      return isRead(statement) && texts === undefined ? readPlan(db, { text, values }) : null
    },
    isToken: (input, expected) => equalTokens(input, expected, secret),
    sources: {
      version: packageJson.version,
      projects: () =>
        [...(observed.registry?.values() ?? [])].map(({ key, db }) => ({
          key,
          pool: () => db.pool(),
          ping: () => db.ping(),
          sessions: () => countSessions(db, new Date()),
          feed: () => readWebhookLag(db, new Date()),
        })),
      queues: {
        login: loginQueue.state,
        hashing: requestQueue.state,
        images: () => observed.images?.jobs() ?? { running: 0, waiting: 0 },
      },
    },
  })
}

/** `/metrics` of the main server. */
export const createMetricsPage =
  (telemetry: Pick<OpenTelemetry, 'read'>): Page =>
  async (path, { headers }) => {
    if (path !== '/metrics') return null
    const metrics = await telemetry.read(headers['authorization'] as string | undefined)
    if (metrics === 'absent') return null
    if (metrics === 'refused') return withHeaders(empty(401), { 'www-authenticate': 'Bearer' })
    return withHeaders(text(metrics.text, metrics.type), { 'cache-control': 'no-store' })
  }
