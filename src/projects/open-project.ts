/** A project: everything that is built from one configuration, from its database to its limits. */
import packageJson from '../../package.json' with { type: 'json' }
import { clock, ids } from '../clock-and-ids.ts'
import { loadSecret } from '../config/config.ts'
import { makeDataDir, openConfigured } from '../config/database.ts'
import type { Config } from '../config/sections.ts'
import { type Authenticator, createAuthenticator } from '../core/access/authenticator.ts'
import { createDatabaseShares, type DatabaseShares } from '../core/access/database-shares.ts'
import { type Announcements, announce, receiveAnnouncements } from '../core/announcements.ts'
import { deleteExpiredKeys } from '../core/batch/expired-keys.ts'
import { createFeed, type OpenFeed } from '../core/feed/feed.ts'
import { createSubscriptions, type OpenSubscriptions } from '../core/feed/subscriptions.ts'
import { deleteHistoryBySchedule } from '../core/history/retention.ts'
import { createSchemaCache, type SchemaCache } from '../core/model/schema.ts'
import { keepObjects } from '../core/objects/keep-objects.ts'
import { ensureAdminToken, type TokenOutcome } from '../core/server/admin-token.ts'
import { type ApiUsage, createApiUsage } from '../core/server/api-usage.ts'
import { bootstrap, type FirstAdministrator } from '../core/server/bootstrap.ts'
import { createUsage, type Usage } from '../core/usage/usage.ts'
import { createWebhooks, type OpenWebhooks } from '../core/webhooks/webhooks.ts'
import type { Log, ServerFacts } from '../domain/ports/context.ts'
import type { Outbound } from '../domain/ports/outbound.ts'
import type { Projects } from '../domain/ports/projects.ts'
import type { Providers } from '../domain/ports/providers.ts'
import type { SecuritySettings } from '../domain/ports/settings.ts'
import type { Telemetry } from '../domain/ports/telemetry.ts'
import type { WebhookViews } from '../domain/ports/webhooks.ts'
import type { OtherNames } from '../domain/schema/schema.ts'
import type { Pressure } from '../http/app/admission.ts'
import { createProviders } from '../identity/providers.ts'
import type { ProvidersSettings } from '../identity/settings.ts'
import { type LimitsAndCaches, openLimitsAndCaches } from '../limits-and-caches.ts'
import { createOutbox, type Outbox } from '../mail/mail.ts'
import { createAddressRule } from '../outbound/addresses.ts'
import { createBoundedFetch } from '../outbound/bounded-fetch.ts'
import { createOutbound } from '../outbound/client.ts'
import { createWebhookSender } from '../outbound/webhook-sender.ts'
import type { SocketSettings } from '../realtime/settings.ts'
import type { OpenDatabase } from '../sql/database.ts'
import { sqlRows } from '../sql/run/sql-rows.ts'
import { migrate } from '../sql/schema/migrate.ts'
import { isAdministered } from '../sql/statements/access.ts'
import { setProjectName } from '../sql/statements/settings.ts'
import { type OpenLocations, openLocations } from '../storage/locations.ts'
import { hashToken } from '../tokens/opaque.ts'
import { hashPassword } from '../tokens/password.ts'

/** What requests for a project are answered from. */
export type Project = Omit<LimitsAndCaches, 'close'> & {
  readonly key: string
  readonly config: Config
  readonly log: Log
  readonly db: OpenDatabase
  /** What a caller has of it. */
  readonly shares: DatabaseShares
  readonly schema: SchemaCache
  readonly authenticator: Authenticator
  /** Changes for those who listen. */
  readonly feed: OpenFeed
  readonly subscriptions: OpenSubscriptions
  /** Deliveries of changes to receivers. */
  readonly webhooks: OpenWebhooks
  readonly security: SecuritySettings
  readonly storage: OpenLocations
  readonly outbound: ReturnType<typeof createOutbound>
  readonly mail: Outbox
  readonly providers: Providers
  readonly server: ServerFacts
  readonly forgetActors: () => Promise<void>
  /** Counts calls of operations that will be turned off. */
  readonly usage: ApiUsage
  /** Counts which clients use which fields; null = nothing is counted. */
  readonly clientUsage: Usage | null
  /** The administrator created by this start; null if one existed. */
  readonly admin: FirstAdministrator | null
  /** Whether the token of the settings is that of the administrator. */
  readonly hasAdminToken: boolean
  /** File of the generated secret; null if a secret is configured. */
  readonly secretFile: string | null
  /** Ends its work. `left` says how many milliseconds there are. */
  readonly close: (left: () => number) => Promise<void>
}

/** The parts of the process that projects use. */
export type Dependencies = {
  readonly log: Log
  /** Names of fields in stored permissions, of all generations. */
  readonly otherNames: OtherNames
  /** How items look in each form of webhooks. */
  readonly webhookViews: WebhookViews
  readonly server: Pick<ServerFacts, 'publicUrl' | 'address' | 'instance' | 'isReady' | 'extensions'>
  readonly pressure: Pressure | null
  /** Null = nothing is observed. */
  readonly telemetry: Telemetry | null
  /** Rights, sessions or users of a project have changed, on any replica. */
  readonly onAccess?: () => void
  /** Absent where requests cannot manage projects. */
  readonly projects?: Projects
  /** Replaces requests to the web. */
  readonly outbound?: Outbound
}

/** Opens the database and prepares everything. `given` replaces the configured database. */
export async function openProject(
  key: string,
  config: Config,
  { given, ...around }: Dependencies & { readonly given?: OpenDatabase },
): Promise<Project> {
  const log = key === '_' ? around.log : named(around.log, key)
  await makeDataDir(config.dataDir)
  const { secret, kept } = loadSecret(config)
  const security = { ...config.security, secret }
  const opened = given ?? (await openConfigured(config, log))
  const db = around.telemetry?.database(opened, key) ?? opened
  try {
    await migrate(db, log)
    const admin = await createFirstAdministrator(db, config, security)
    const hasAdminToken = await checkAdminToken(db, config, { secret, log })
    const parts = await openParts({ key, config, db, security }, { ...around, log })
    return { ...parts, key, config, log, db, security, admin, hasAdminToken, secretFile: kept }
  } catch (error) {
    await db.close()
    throw error
  }
}

/** Adds the project to every line. */
function named(log: Log, project: string): Log {
  const say =
    (level: keyof Log): Log[keyof Log] =>
    (detail, message) =>
      log[level]({ project, ...detail }, message)
  return { debug: say('debug'), info: say('info'), warn: say('warn'), error: say('error') }
}

async function createFirstAdministrator(
  db: OpenDatabase,
  { admin, projectName }: Config,
  security: SecuritySettings,
): Promise<FirstAdministrator | null> {
  if (admin !== null)
    return bootstrap(db, {
      ...admin,
      projectName,
      ids,
      hashPassword: (password) => hashPassword(password, security.hash),
      hashToken: (token) => hashToken(token, security.secret),
    })
  if (!(await isAdministered(db))) await setProjectName(db, projectName)
  return null
}

/** Says what became of the token of the settings where it is not that of the administrator from the beginning. */
async function checkAdminToken(
  db: OpenDatabase,
  { admin }: Config,
  { secret, log }: { readonly secret: string; readonly log: Log },
): Promise<boolean> {
  if (admin === null || admin.token === null) return false
  const { email, token } = admin
  const outcome = await ensureAdminToken(db, { email, tokenHash: hashToken(token, secret) })
  if (outcome === 'present') return true
  if (outcome === 'given') log.info({}, `ADMIN_TOKEN is now the static token of ${email}`)
  else log.warn({}, `ADMIN_TOKEN was not set: ${obstacles(email)[outcome]}`)
  return outcome === 'given'
}

const obstacles = (email: string): Record<Exclude<TokenOutcome, 'given' | 'present'>, string> => ({
  another: `${email} has another static token. To replace it, run: npm run tandem -- token --email ${email} --set TOKEN`,
  taken: 'another user has this token. Choose another one',
  'no-administrator': `${email} is not an active administrator. Set ADMIN_EMAIL to the address of one, or run: npm run tandem -- token --email ADDRESS --set TOKEN`,
})

type Opened = Pick<Project, 'key' | 'config' | 'db' | 'security'>
type Parts = Omit<Project, keyof Opened | 'log' | 'admin' | 'hasAdminToken' | 'secretFile'>

async function openParts({ key, config, db, security }: Opened, around: Dependencies): Promise<Parts> {
  const { log, pressure, otherNames, outbound: input, telemetry } = around
  const announcements = await receiveAnnouncements(db)
  const schema = await createSchemaCache(db, { exclude: config.excludeTables, log, announcements, otherNames })
  const authenticator = createAuthenticator({
    db,
    rows: sqlRows,
    schema: schema.current,
    clock,
    project: key,
    security,
    log,
  })
  announcements.on('access', () => {
    authenticator.forget()
    around.onAccess?.()
  })
  const storage = await openLocations(config.storage)
  const load = pressure?.withDatabase(db.waitingTime) ?? null
  const protection = await openLimitsAndCaches(config, { project: key, log, pressure: load, telemetry })
  purgeWithChanges(protection, announcements)
  const toWeb = { ...createOutbound(createAddressRule(config.importAddresses)), ...input }
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
  const objects = keepObjects({ db, storage, log }, { announcements, schedule: config.cleanup })
  const usage = createApiUsage(db, { log, clock })
  const clientUsage = config.usage === null ? null : createUsage(db, { log, clock, retention: config.usage.retention })
  const endKeys = deleteExpiredKeys(db, log)
  const endRetention = config.retention === null ? null : deleteHistoryBySchedule(db, config.retention, { clock, log })
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
    async forgetActors() {
      authenticator.forget()
      await announce(db, 'access')
    },
    async close(left) {
      // Nothing else tells the listeners of a project whose file is removed.
      subscriptions.close()
      await endKeys()
      await endRetention?.()
      await closeWebhooks(left())
      await feed.close()
      protection.close()
      await mail.close(left())
      await usage.close()
      await clientUsage?.close()
      await objects.close()
      await schema.close()
      await outbound.close()
      await identity.close()
      storage.close()
      await db.close(left())
    },
  }
}

type Hooking = Dependencies & Pick<Project, 'feed' | 'schema'> & { readonly announcements: Announcements }

/** Receivers may be on the internet, and where the operator says. */
function openWebhooks({ key, config, db }: Opened, around: Hooking) {
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
    send: sender.send,
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

/** Identity providers may be on the internet, and where the operator says. */
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
function purgeWithChanges({ keeping }: LimitsAndCaches, announcements: Announcements): void {
  if (keeping === null) return
  for (const topic of ['schema', 'access'] as const) announcements.on(topic, () => void keeping.cache.purge())
  announcements.on('rows', (_from, tags) => void keeping.cache.purge(tags ?? undefined))
}
