/** Converts the values of settings into the options of each part of the program. */

import type { CallerShare } from '../core/access/database-shares.ts'
import type { FeedSettings } from '../core/feed/feed.ts'
import type { Retention } from '../core/history/retention.ts'
import type { KeyLimits } from '../counters/allowances.ts'
import type { ImageLimits } from '../domain/ports/images.ts'
import type { Schedule } from '../domain/ports/schedule.ts'
import type { AssetSettings, FileSettings, KeySettings, Limits, SecuritySettings } from '../domain/ports/settings.ts'
import type {
  CacheSettings,
  HttpSettings,
  PressureSettings,
  RateSettings,
  RetirementSettings,
} from '../http/settings.ts'
import type { ProvidersSettings } from '../identity/settings.ts'
import type { MailSettings } from '../mail/settings.ts'
import type { AddressLists } from '../outbound/addresses.ts'
import type { RealtimeSettings } from '../realtime/settings.ts'
import type { EmbeddedDatabaseOptions, ServerOptions } from '../sql/database.ts'
import type { MySqlServerOptions } from '../sql/wire/mysql/open.ts'
import type { LocationsOptions } from '../storage/locations.ts'
import type { TelemetrySettings } from '../telemetry/settings.ts'
import type { Environment } from './environment.ts'
import { ConfigError } from './error.ts'
import { toCache, toKeyLimits, toPressure, toRates, toRedis } from './limits.ts'
import { toMail } from './mail.ts'
import type { Misspelt } from './misspelt.ts'
import { toRealtime, toWebhooks, type WebhookOptions } from './server/feed.ts'
import { toAddressLists, toFiles, toImages } from './server/files.ts'
import { toHttp } from './server/http.ts'
import { type ReadReplicas, toDatabase, toReplicas } from './server/servers.ts'
import type { Values } from './settings.ts'
import { toTelemetry } from './telemetry.ts'

export type Config = {
  readonly http: HttpSettings & { readonly host: string; readonly port: number }
  readonly shutdownTimeout: number
  /** Text for search engines; null = they may read nothing. */
  readonly robots: string | null
  /** Maximum size in bytes of a file with rows to import. */
  readonly maxImport: number
  readonly dataDir: string
  readonly database: EmbeddedDatabaseOptions | ServerOptions | MySqlServerOptions
  readonly replicas: ReadReplicas | null
  /** Share of the database connections that one caller may use. */
  readonly share: CallerShare
  readonly storage: LocationsOptions
  readonly files: FileSettings
  /** When abandoned objects in storage are removed. */
  readonly cleanup: Schedule
  readonly importAddresses: AddressLists
  readonly excludeTables: readonly string[]
  readonly projectName: string
  /** Folder of extensions; null = none. */
  readonly extensions: string | null
  /** Whether clients may name system collections with the prefix `directus_`. */
  readonly systemAliases: boolean
  /** Version of the platform whose current API the server has. */
  readonly compatibleVersion: string
  /** Whether agents are served by the Model Context Protocol. */
  readonly agents: boolean
  /** Prefix of the names of system collections in the current generation. */
  readonly systemPrefix: string
  /** Whether the first administrator is created by a request. */
  readonly leavesSetup: boolean
  /** Null = none is created at the start. */
  readonly admin: { readonly email: string; readonly password: string | null; readonly token: string | null } | null
  /** Null = use the generated secret in the data directory. */
  readonly secret: string | null
  readonly security: Omit<SecuritySettings, 'secret'>
  readonly mail: MailSettings
  readonly providers: ProvidersSettings
  readonly limits: Limits
  /** What is kept under an `Idempotency-Key`. */
  readonly keys: KeySettings
  /** Null = history is never deleted. */
  readonly retention: Retention | null
  /** `perCaller`: subscriptions of one user, or of one address. */
  readonly feed: FeedSettings & { readonly perCaller: number }
  readonly webhooks: WebhookOptions
  /** Null = no live connections. */
  readonly realtime: RealtimeSettings | null
  readonly rates: RateSettings
  /** Limits of API keys without limits of their own. */
  readonly keyLimits: KeyLimits
  /** Null = no load shedding. */
  readonly pressure: PressureSettings | null
  /** Null = no response cache. */
  readonly cache: CacheSettings | null
  readonly retirement: RetirementSettings
  /** Null = the use of operations and fields is not counted. `retention`: milliseconds; null = for ever. */
  readonly usage: { readonly retention: number | null } | null
  /** Null = nothing is measured or traced. */
  readonly telemetry: TelemetrySettings | null
  /** Null = Redis is not used. */
  readonly redis: string | null
  readonly images: ImageLimits
  readonly assets: AssetSettings
  /** Key of the default project; `_` is another name of it. */
  readonly projectKey: string
  /** Where further projects are configured; null = there is only the default project. */
  readonly projects: ProjectsSettings | null
  /** Environment variables that are probably misspelt settings. */
  readonly misspelt: readonly Misspelt[]
  readonly log: { readonly level: Values['LOG_LEVEL']; readonly style: 'pretty' | 'raw' }
}

export type ProjectsSettings = {
  readonly folder: string
  /** Null = requests cannot manage projects. */
  readonly superAdminToken: string | null
  /** The configuration of a project: its own settings, and the server's for what it does not say. */
  readonly read: (own: Environment, replaced: readonly string[]) => Config
}

/** Converts all settings except those of storage locations and identity providers. Throws for values that contradict each other. */
export function toConfig(
  values: Values,
  dataDir: string,
): Omit<Config, 'storage' | 'providers' | 'projects' | 'misspelt'> {
  if (values.REFRESH_TOKEN_COOKIE_SAME_SITE === 'none' && values.REFRESH_TOKEN_COOKIE_SECURE === false) {
    throw new ConfigError('REFRESH_TOKEN_COOKIE_SECURE', 'true when REFRESH_TOKEN_COOKIE_SAME_SITE is none', 'false')
  }
  const database = toDatabase(values, dataDir)
  return {
    http: toHttp(values),
    shutdownTimeout: values.SERVER_SHUTDOWN_TIMEOUT,
    robots: values.ROBOTS_TXT,
    maxImport: values.IMPORT_MAX_FILE_SIZE,
    dataDir,
    database,
    replicas: database.kind === 'pg' ? toReplicas(values, database) : null,
    share: { part: values.DB_POOL_SHARE, acquireTimeout: values.DB_POOL_SHARE_WAIT, timeout: values.QUERY_TIMEOUT },
    files: toFiles(values),
    cleanup: values.TUS_CLEANUP_SCHEDULE,
    importAddresses: toAddressLists(values),
    excludeTables: values.DB_EXCLUDE_TABLES,
    projectName: values.PROJECT_NAME,
    projectKey: values.PROJECT_KEY,
    extensions: values.EXTENSIONS_PATH,
    systemAliases: values.SYSTEM_COLLECTION_ALIASES,
    systemPrefix: values.SYSTEM_COLLECTION_PREFIX,
    compatibleVersion: values.COMPATIBLE_VERSION,
    agents: values.MCP_ENABLED,
    leavesSetup: values.ADMIN_SETUP,
    admin: values.ADMIN_SETUP
      ? null
      : { email: values.ADMIN_EMAIL, password: values.ADMIN_PASSWORD, token: values.ADMIN_TOKEN },
    secret: values.SECRET,
    security: toSecurity(values),
    mail: toMail(values, dataDir),
    limits: toLimits(values),
    keys: { ttl: values.IDEMPOTENCY_TTL, most: values.IDEMPOTENCY_MAX_KEYS, largest: values.IDEMPOTENCY_MAX_ANSWER },
    retention: toRetention(values),
    webhooks: toWebhooks(values),
    feed: { retention: values.EVENTS_RETENTION, most: values.EVENTS_MAX, perCaller: values.EVENTS_CALLER_LIMIT },
    realtime: toRealtime(values),
    rates: toRates(values),
    keyLimits: toKeyLimits(values),
    pressure: toPressure(values),
    cache: toCache(values),
    retirement: toRetirement(values),
    usage: values.USAGE_ENABLED ? { retention: values.USAGE_RETENTION } : null,
    telemetry: toTelemetry(values),
    redis: toRedis(values, { notifies: database.kind !== 'mysql' }),
    images: toImages(values),
    assets: {
      maxAge: Math.floor(values.ASSETS_CACHE_TTL / 1000),
      revalidate: values.ASSETS_CACHE_REVALIDATE,
      openByHash: values.ASSETS_PRIVATE_HASH === 'open',
      openByName: values.ASSETS_FILE_NAMES === 'open',
      maxVariants: values.ASSETS_MAX_VARIANTS,
    },
    log: { level: values.LOG_LEVEL, style: values.LOG_STYLE ?? (process.stdout.isTTY ? 'pretty' : 'raw') },
  }
}

const toLimits = (values: Values): Config['limits'] => ({
  strict: values.STRICT_QUERY,
  queryDefault: Math.min(values.QUERY_LIMIT_DEFAULT, values.QUERY_LIMIT_MAX ?? Number.POSITIVE_INFINITY),
  queryMax: values.QUERY_LIMIT_MAX,
  depth: values.MAX_RELATIONAL_DEPTH,
  batch: values.MAX_BATCH_MUTATION,
  perKey: toKeyLimits(values),
  batchTime: values.BATCH_TIMEOUT,
  cost: { repeats: values.QUERY_MAX_REPEATS, rows: values.QUERY_MAX_ROWS, cells: values.QUERY_MAX_CELLS },
  documents: {
    introspection: values.GRAPHQL_INTROSPECTION,
    tokens: values.GRAPHQL_QUERY_TOKEN_LIMIT,
    depth: values.GRAPHQL_MAX_DEPTH,
    aliases: values.GRAPHQL_MAX_ALIASES,
    rootFields: values.GRAPHQL_MAX_ROOT_FIELDS,
    directives: values.GRAPHQL_MAX_DIRECTIVES,
    persisted:
      values.GRAPHQL_DOCUMENTS === null
        ? null
        : { texts: values.GRAPHQL_DOCUMENTS, isOnly: values.GRAPHQL_DOCUMENTS_ONLY },
  },
})

function toRetirement(values: Values): RetirementSettings {
  const { LEGACY_ENABLED: isServed, LEGACY_DEPRECATION: since, LEGACY_SUNSET: sunset } = values
  if (sunset === null) return { isServed, since, sunset }
  if (since === null) throw new ConfigError('LEGACY_SUNSET', 'LEGACY_DEPRECATION beside it', 'none')
  if (sunset < since) throw new ConfigError('LEGACY_SUNSET', 'no date before LEGACY_DEPRECATION', sunset.toISOString())
  return { isServed, since, sunset }
}

function toRetention(values: Values): Retention | null {
  if (!values.RETENTION_ENABLED) return null
  return {
    schedule: values.RETENTION_SCHEDULE,
    batch: values.RETENTION_BATCH,
    activity: values.ACTIVITY_RETENTION,
    revisions: values.REVISIONS_RETENTION,
  }
}

function toSecurity(values: Values): Config['security'] {
  const least = 8 * values.HASH_PARALLELISM
  if (values.HASH_MEMORY_COST < least) {
    const expected = `at least 8 for each lane (${least}) with HASH_PARALLELISM=${values.HASH_PARALLELISM}`
    throw new ConfigError('HASH_MEMORY_COST', expected, String(values.HASH_MEMORY_COST))
  }
  return {
    accessTtl: values.ACCESS_TOKEN_TTL,
    refreshTtl: values.REFRESH_TOKEN_TTL,
    loginStall: values.LOGIN_STALL_TIME,
    accounts: {
      registrationStall: values.REGISTER_STALL_TIME,
      passwordReset: { ttl: values.PASSWORD_RESET_TOKEN_TTL, pages: values.PASSWORD_RESET_URL_ALLOW_LIST },
      invitation: { ttl: values.USER_INVITE_TOKEN_TTL, pages: values.USER_INVITE_URL_ALLOW_LIST },
      registration: { ttl: values.EMAIL_VERIFICATION_TOKEN_TTL, pages: values.USER_REGISTER_URL_ALLOW_LIST },
    },
    hash: {
      memory: values.HASH_MEMORY_COST,
      passes: values.HASH_TIME_COST,
      parallelism: values.HASH_PARALLELISM,
      length: values.HASH_LENGTH,
    },
    cookie: {
      name: values.REFRESH_TOKEN_COOKIE_NAME,
      domain: values.REFRESH_TOKEN_COOKIE_DOMAIN,
      // Browsers reject cookies with SameSite=None that are not secure.
      secure: values.REFRESH_TOKEN_COOKIE_SECURE ?? (values.REFRESH_TOKEN_COOKIE_SAME_SITE === 'none' ? true : null),
      sameSite: values.REFRESH_TOKEN_COOKIE_SAME_SITE,
    },
  }
}
