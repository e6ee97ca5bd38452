/** What the server tells about itself: whether it is well, and which project it serves. */
import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import type { Context, ServerFacts } from '../../domain/ports/context.ts'
import { readShownSettings } from '../../sql/statements/settings.ts'

/** The result of looking at everything that an answer depends on. */
export type Health = { readonly status: HealthStatus; readonly checks: readonly HealthCheck[] }

/** `warn` is slow, `error` does not work. */
type HealthStatus = 'ok' | 'warn' | 'error'

/** One part and how long it took to answer. */
type HealthCheck = {
  readonly component: 'database' | 'storage' | 'server'
  readonly status: HealthStatus
  readonly milliseconds: number
  /** From here on slow. */
  readonly threshold: number
  /** Why it does not work; for administrators only. */
  readonly reason: string | null
}

const patience = 4000

/** Asks database and storage for a sign of life, both at once, each for at most four seconds. */
export async function checkHealth(ctx: { readonly server: ServerFacts }): Promise<Health> {
  const { server } = ctx
  const checks = await Promise.all([
    checkPart('database', 150, () => server.pingDatabase()),
    checkPart('storage', 750, () => access(server.dataDir, constants.R_OK | constants.W_OK)),
    checkPart('server', 150, async () => {
      if (!server.isReady()) throw new Error('stopping')
    }),
  ])
  return { status: worst(checks), checks }
}

async function checkPart(
  component: HealthCheck['component'],
  threshold: number,
  ask: () => Promise<void>,
): Promise<HealthCheck> {
  const started = performance.now()
  const reason = await withPatience(ask).then(
    () => null,
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  )
  const milliseconds = Math.round((performance.now() - started) * 1000) / 1000
  const status = reason !== null ? 'error' : milliseconds > threshold ? 'warn' : 'ok'
  return { component, status, milliseconds, threshold, reason }
}

async function withPatience(ask: () => Promise<void>): Promise<void> {
  const timeout = Promise.withResolvers<never>()
  const timer = setTimeout(() => timeout.reject(new Error(`no answer within ${patience} ms`)), patience)
  try {
    await Promise.race([ask(), timeout.promise])
  } finally {
    clearTimeout(timer)
  }
}

function worst(checks: readonly HealthCheck[]): HealthStatus {
  if (checks.some((check) => check.status === 'error')) return 'error'
  return checks.some((check) => check.status === 'warn') ? 'warn' : 'ok'
}

/** What the settings say about the project, in core names; nothing here is secret. */
export async function readPublicSettings(ctx: Pick<Context, 'db'>): Promise<{ readonly [setting: string]: unknown }> {
  return (await readShownSettings(ctx.db)) ?? { project_name: 'Tandem' }
}
