/** The parts of a project: its schema, actors, storage, feed, mails, limits, and the work in the background. */
import packageJson from '../../package.json' with { type: 'json' }
import { clock, ids } from '../clock-and-ids.ts'
import type { Config } from '../config/sections.ts'
import { createAuthenticator } from '../core/access/authenticator.ts'
import { createDatabaseShares } from '../core/access/database-shares.ts'
import { type Announcements, announce, receiveAnnouncements } from '../core/announcements.ts'
import { deleteExpiredKeys } from '../core/batch/once-by-key.ts'
import { createFeed } from '../core/feed/feed.ts'
import { createSubscriptions } from '../core/feed/subscriptions.ts'
import { deleteHistoryBySchedule } from '../core/history/retention.ts'
import { createSchemaCache } from '../core/model/schema.ts'
import { keepObjects } from '../core/objects/keep-objects.ts'
import { createApiUsage } from '../core/server/api-usage.ts'
import { createUsage, type Usage } from '../core/usage/usage.ts'
import { createWebhooks } from '../core/webhooks/webhooks.ts'
import type { Log } from '../domain/ports/context.ts'
import type { ServerFacts } from '../domain/ports/server-facts.ts'
import { createProviders } from '../identity/providers.ts'
import type { ProvidersSettings } from '../identity/settings.ts'
import { type LimitsAndCaches, openLimitsAndCaches } from '../limits-and-caches.ts'
import { createOutbox } from '../mail/mail.ts'
import { createAddressRule } from '../outbound/addresses.ts'
import { createBoundedFetch } from '../outbound/bounded-fetch.ts'
import { createOutbound } from '../outbound/client.ts'
import { createWebhookSender } from '../outbound/webhook-sender.ts'
import type { SocketSettings } from '../realtime/settings.ts'
import type { OpenDatabase } from '../sql/database.ts'
import { sqlRows } from '../sql/run/sql-rows.ts'
import { openLocations } from '../storage/locations.ts'
import type { Dependencies, Project } from './project.ts'

type OpenedProject = Pick<Project, 'key' | 'config' | 'db' | 'security'>
type ProjectParts = Omit<Project, keyof OpenedProject | 'log' | 'admin' | 'hasAdminToken' | 'secretFile'>

/** Opens what a project consists of, in the order in which the parts need each other. */
export async function openParts(
  { key, config, db, security }: OpenedProject,
  around: Dependencies,
): Promise<ProjectParts> {
  const { log, pressure, otherNames, outbound: replacement, telemetry } = around
  const announcements = await receiveAnnouncements(db)
  const schema = await createSchemaCache(db, { exclude: config.excludeTables, log, announcements, otherNames })
  const actors = { db, rows: sqlRows, schema: schema.current, clock, project: key, security, log }
  const authenticator = createAuthenticator(actors)
  announcements.on('access', () => {
    authenticator.forget()
    around.onAccess?.()
  })
  const storage = await openLocations(config.storage)
  const load = pressure?.withDatabase(db.waitingTime) ?? null
  const protection = await openLimitsAndCaches(config, { project: key, log, pressure: load, telemetry })
  purgeWithChanges(protection, announcements)
  const toWeb = { ...createOutbound(createAddressRule(config.importAddresses)), ...replacement }
  const outbound = { ...toWeb, ...telemetry?.outbound(toWeb) }
  const mail = createOutbox(config.mail, log)
  const feed = await createFeed(db, { announcements, log, settings: config.feed })
  const subscriptions = createSubscriptions(feed, config.feed)
  announcements.on('access', subscriptions.recheck)
  const { webhooks, closeWebhooks } = openWebhooks(
    { key, config, db, security },
    { ...around, announcements, feed, schema },
  )
  const identity = await openProviders(config.providers, log)
  const cleanup = startCleanup({ config, db }, { storage, log, announcements })
  const usage = createApiUsage(db, { log, clock })
  const clientUsage = config.usage === null ? null : createUsage(db, { log, clock, retention: config.usage.retention })
  return {
    ...protection,
    shares: createDatabaseShares(db, config.share),
    schema,
    authenticator,
    storage,
    feed,
    subscriptions,
    webhooks,
    outbound,
    mail,
    providers: identity.providers,
    usage,
    clientUsage,
    server: toServerFacts({ config, db, protection, clientUsage }, around),
    forgetActors: forgettingActors(db, authenticator.forget),
    async close(left) {
      // Listeners of a project whose file is removed get no other notice.
      subscriptions.close()
      await closeWebhooks(left())
      await feed.close()
      protection.close()
      await mail.close(left())
      await usage.close()
      await clientUsage?.close()
      await cleanup.close()
      await schema.close()
      await outbound.close()
      await identity.close()
      storage.close()
      await db.close(left())
    },
  }
}

type Cleaning = Pick<Project, 'storage' | 'log'> & { readonly announcements: Announcements }

/** Deletes what has expired: stored objects without a row, answers kept for keys of requests, and history. */
function startCleanup({ config, db }: Pick<Project, 'config' | 'db'>, { storage, log, announcements }: Cleaning) {
  const objects = keepObjects({ db, storage, log }, { announcements, schedule: config.cleanup })
  const endKeys = deleteExpiredKeys(db, log)
  const endRetention = config.retention === null ? null : deleteHistoryBySchedule(db, config.retention, { clock, log })
  return {
    async close(): Promise<void> {
      await endKeys()
      await endRetention?.()
      await objects.close()
    },
  }
}

/** Makes cached actors invalid, here and on the other replicas. */
const forgettingActors = (db: OpenDatabase, forget: () => void) => async (): Promise<void> => {
  forget()
  await announce(db, 'access')
}

type HookOptions = Dependencies & Pick<Project, 'feed' | 'schema'> & { readonly announcements: Announcements }

/** Receivers may be on the internet, and in networks that the operator allows. */
function openWebhooks({ key, config, db }: OpenedProject, around: HookOptions) {
  const { log, feed, schema, announcements, webhookViews: views, telemetry } = around
  const { allowedAddresses: allowed, ...settings } = config.webhooks
  const sender = createWebhookSender(createAddressRule({ denied: [], allowed }), {
    timeout: settings.timeout,
    connections: settings.concurrency,
  })
  const webhooks = createWebhooks({
    db,
    rows: sqlRows,
    log,
    feed,
    announcements,
    views,
    clock,
    ids,
    settings,
    schema: () => schema.current(),
    limits: config.limits,
    send: telemetry?.webhooks(sender.send) ?? sender.send,
    chance: Math.random,
    userAgent: `Tandem/${packageJson.version}`,
    observe: (outcome, seconds) => telemetry?.delivered(key, outcome, seconds),
  })
  const closeWebhooks = async (left: number): Promise<void> => {
    await webhooks.close(left)
    await sender.close()
  }
  return { webhooks, closeWebhooks }
}

/** Limit in bytes of an answer of an identity provider. */
const mostOfProvider = 1_000_000

/** Identity providers may be on the internet, and in networks that the operator allows. */
async function openProviders(settings: ProvidersSettings, log: Log) {
  const isAllowed = createAddressRule({ denied: [], allowed: settings.allowedAddresses })
  const { timeout } = settings
  const { fetch, close } = createBoundedFetch({ isAllowed, timeout, most: mostOfProvider, service: 'provider' })
  return { providers: await createProviders(settings, { fetch, warn: log.warn }), close }
}

type Served = {
  readonly config: Config
  readonly db: OpenDatabase
  readonly protection: LimitsAndCaches
  readonly clientUsage: Usage | null
}

const toServerFacts = (
  { config, db, protection, clientUsage }: Served,
  { server, projects }: Dependencies,
): ServerFacts => ({
  ...server,
  version: packageJson.version,
  maxImport: config.maxImport,
  dataDir: config.dataDir,
  rates: protection.rates,
  purgeAnswers: protection.purgeAnswers,
  leavesSetup: config.leavesSetup,
  agents: config.agents,
  sockets: toSocketFacts(config),
  systemAliases: config.systemAliases,
  compatibleVersion: config.compatibleVersion,
  pingDatabase: () => db.ping(),
  ...(protection.pingRedis === undefined ? {} : { pingRedis: protection.pingRedis }),
  ...(projects === undefined ? {} : { projects }),
  ...(clientUsage === null ? {} : { flushUsage: clientUsage.flush }),
})

const toDoorFacts = ({ auth, path }: SocketSettings) => ({ authentication: auth, path })

function toSocketFacts({ realtime }: Config): ServerFacts['sockets'] {
  if (realtime === null) return null
  const { rest, graphql, heartbeat } = realtime
  return {
    rest: rest === null ? false : toDoorFacts(rest),
    graphql: graphql === null ? false : toDoorFacts(graphql),
    heartbeat: heartbeat === null ? false : heartbeat / 1000,
  }
}

/** Changes of any replica. */
function purgeWithChanges({ responseCache }: LimitsAndCaches, announcements: Announcements): void {
  if (responseCache === null) return
  for (const topic of ['schema', 'access'] as const) announcements.on(topic, () => void responseCache.cache.purge())
  announcements.on('rows', (_from, tags) => void responseCache.cache.purge(tags ?? undefined))
}
