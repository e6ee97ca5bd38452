/** Health of the server, the public facts of its project, and upkeep: migrations and caches. */
import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import { isUnlimited } from '../../authz/grants.ts'
import type { Context } from '../../domain/ports/context.ts'
import type { ServerFacts } from '../../domain/ports/server-facts.ts'
import { TandemError } from '../../domain/rights/errors.ts'
import { migrate } from '../../sql/schema/migrate.ts'
import { readShownSettings, type ShownSettings } from '../../sql/statements/settings.ts'
import { announce } from '../announcements.ts'
import { assertAdministrator } from '../model/schema-change.ts'

export type Health = { readonly status: HealthStatus; readonly checks: readonly HealthCheck[] }

/** `warn`: slow. `error`: not available. */
type HealthStatus = 'ok' | 'warn' | 'error'

/** One part and its response time. */
type HealthCheck = {
  /** `storage` is the data folder, `storage-NAME` a location. */
  readonly component: string
  readonly status: HealthStatus
  readonly milliseconds: number
  /** Response times above it are slow. */
  readonly threshold: number
  /** Reason of the failure; for administrators only. */
  readonly reason: string | null
}

const checkTimeout = 4000

/** Checks all components concurrently, each for at most four seconds. */
export async function checkHealth(ctx: Pick<Context, 'server' | 'storage'>): Promise<Health> {
  const { server, storage } = ctx
  const checks = await Promise.all([
    ...checkTraffic(server),
    checkPart('storage', 750, () => access(server.dataDir, constants.R_OK | constants.W_OK)),
    ...[...storage.locations].map(([name, location]) =>
      checkPart(`storage-${name}`, 1500, async () => void (await location.stat(absentObject))),
    ),
    ...(server.pingRedis === undefined ? [] : [checkPart('redis', 50, server.pingRedis).then(tolerated)]),
  ])
  return { status: worstStatus(checks), checks }
}

/**
 * Checks what every request needs. A storage that fails is no reason to send requests elsewhere: the other replicas have
 * the same.
 */
export async function checkReadiness({ server }: { readonly server: ServerFacts }): Promise<Health> {
  const checks = await Promise.all(checkTraffic(server))
  return { status: worstStatus(checks), checks }
}

/** A key that no file has: its absence is an answer of the location. */
const absentObject = 'health-check'

const checkTraffic = (server: ServerFacts): readonly Promise<HealthCheck>[] => [
  checkPart('database', 150, () => server.pingDatabase()),
  checkPart('server', 150, async () => {
    if (!server.isReady()) throw new Error('stopping')
  }),
]

/** The server works without the component, though less well. */
const tolerated = (check: HealthCheck): HealthCheck => (check.status === 'error' ? { ...check, status: 'warn' } : check)

async function checkPart(
  component: HealthCheck['component'],
  threshold: number,
  ask: () => Promise<void>,
): Promise<HealthCheck> {
  const started = performance.now()
  const reason = await withTimeout(ask).then(
    () => null,
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  )
  const milliseconds = Math.round((performance.now() - started) * 1000) / 1000
  const status = reason !== null ? 'error' : milliseconds > threshold ? 'warn' : 'ok'
  return { component, status, milliseconds, threshold, reason }
}

async function withTimeout(ask: () => Promise<void>): Promise<void> {
  const timeout = Promise.withResolvers<never>()
  const timer = setTimeout(() => timeout.reject(new Error(`no answer within ${checkTimeout} ms`)), checkTimeout)
  try {
    await Promise.race([ask(), timeout.promise])
  } finally {
    clearTimeout(timer)
  }
}

function worstStatus(checks: readonly HealthCheck[]): HealthStatus {
  if (checks.some((check) => check.status === 'error')) return 'error'
  return checks.some((check) => check.status === 'warn') ? 'warn' : 'ok'
}

export type PublicSettings = Pick<ShownSettings, 'project_name'> & Partial<ShownSettings>

/** The public project settings, in core names. They contain no secrets. */
export async function readPublicSettings(ctx: Pick<Context, 'db'>): Promise<PublicSettings> {
  return (await readShownSettings(ctx.db)) ?? { project_name: 'Tandem' }
}

/** Runs missing migrations and loads the schema again. Administrators only. */
export async function updateDatabase(ctx: Pick<Context, 'db' | 'actor' | 'log' | 'schemas'>): Promise<void> {
  assertAdministrator(ctx)
  await migrate(ctx.db, ctx.log)
  await ctx.schemas.refresh()
}

type CacheContext = Pick<Context, 'actor' | 'server' | 'db' | 'schemas' | 'forgetActors'>

/** Clears the caches of all replicas. `system`: schema and rights too. Administrators only. */
export async function clearCaches(ctx: CacheContext, { system }: { readonly system: boolean }): Promise<void> {
  if (!isUnlimited(ctx.actor)) throw new TandemError({ kind: 'forbidden' })
  await ctx.server.purgeAnswers()
  await announce(ctx.db, 'rows')
  if (!system) return
  await ctx.schemas.refresh()
  await announce(ctx.db, 'schema')
  await ctx.forgetActors()
}
