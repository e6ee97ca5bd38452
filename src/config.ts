/** Configuration: the only reader of `process.env`. The table of settings is in `config-settings.ts`. */
import { chmodSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseEnv } from 'node:util'
import type { Setting } from './config-kinds.ts'
import { settingList, type Values } from './config-settings.ts'
import { toLocations } from './config-storage.ts'
import type { Retention } from './core/retention.ts'
import type { AssetSettings, FileSettings, Limits, SecuritySettings } from './domain/context.ts'
import type { ImageLimits } from './domain/images.ts'
import type { CacheSettings, CorsSettings, HttpSettings, PressureSettings, RateSettings } from './http/settings.ts'
import type { MailSettings } from './mail/settings.ts'
import { isNetwork } from './outbound/addresses.ts'
import type { EmbeddedDatabaseOptions, ServerOptions } from './sql/database.ts'
import type { LocationsOptions } from './storage/locations.ts'

/** Everything that one start needs to know, checked and typed. */
export type Config = {
  readonly http: HttpSettings & { readonly host: string; readonly port: number }
  readonly shutdownTimeout: number
  /** Bytes of a file of rows to import. */
  readonly maxImport: number
  readonly dataDir: string
  readonly database: EmbeddedDatabaseOptions | ServerOptions
  readonly storage: LocationsOptions
  readonly files: FileSettings
  /** Addresses that nothing is fetched from. */
  readonly importDenied: readonly string[]
  readonly excludeTables: readonly string[]
  readonly projectName: string
  readonly admin: { readonly email: string; readonly password: string | null; readonly token: string | null }
  /** Null = the one kept in the data directory. */
  readonly secret: string | null
  readonly security: Omit<SecuritySettings, 'secret'>
  readonly mail: MailSettings
  readonly limits: Limits
  /** Null = history is kept. */
  readonly retention: Retention | null
  readonly rates: RateSettings
  /** Null = requests are served however long that takes. */
  readonly pressure: PressureSettings | null
  /** Null = every answer is made anew. */
  readonly cache: CacheSettings | null
  /** Null = nothing is kept in Redis. */
  readonly redis: string | null
  readonly images: ImageLimits
  readonly assets: AssetSettings
  readonly log: { readonly level: Values['LOG_LEVEL']; readonly style: 'pretty' | 'raw' }
}

/** A setting has a value it cannot have. The message is one line that names it and holds no secret. */
export class ConfigError extends Error {
  constructor(name: string, expected: string, got: string) {
    super(`${name}: expected ${expected}, got ${got}`)
    this.name = 'ConfigError'
  }
}

type Environment = { readonly [name: string]: string | undefined }

/** Reads the environment and the `.env` file of the folder (the environment wins), checks and types them. */
export function loadConfig(environment: Environment = process.env, folder: string = process.cwd()): Config {
  const merged = { ...readDotEnv(folder), ...withoutEmpty(environment) }
  const values = Object.fromEntries(settingList.map(([name, row]) => [name, readSetting(name, row, merged)]))
  const typed = values as unknown as Values
  const dataDir = resolve(folder, typed.DATA_DIR)
  const reading = {
    read: (name: string, row: Setting<unknown>) => readSetting(name, row, merged),
    refuse: (...[name, expected, got]: ConstructorParameters<typeof ConfigError>): never => {
      throw new ConfigError(name, expected, got)
    },
  }
  return { ...toConfig(typed, dataDir), storage: toLocations(typed.STORAGE_LOCATIONS, reading, { folder, dataDir }) }
}

/** The configured secret, or the one kept in the data directory, made at the first start. */
export function loadSecret(config: Config): { readonly secret: string; readonly kept: string | null } {
  if (config.secret !== null) return { secret: config.secret, kept: null }
  const file = join(config.dataDir, 'secret')
  return { secret: readOrCreate(file, randomSecret), kept: file }
}

const randomSecret = (): string => Buffer.from(crypto.getRandomValues(new Uint8Array(48))).toString('base64url')

/** Two processes that start at once agree: linking a finished file fails for the second, which then reads. */
function readOrCreate(file: string, make: () => string): string {
  const draft = `${file}.${process.pid}`
  try {
    mkdirSync(join(file, '..'), { recursive: true, mode: 0o700 })
    const present = readIfThere(file)
    if (present !== null) return present.trim()
    writeFileSync(draft, `${make()}\n`, { mode: 0o600 })
    chmodSync(draft, 0o600)
    try {
      linkSync(draft, file)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    } finally {
      rmSync(draft, { force: true })
    }
    return readFileSync(file, 'utf8').trim()
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? String(error)
    throw new ConfigError('SECRET', `a value, or a DATA_DIR to keep a generated one in`, `${reason} for ${file}`)
  }
}

function readDotEnv(folder: string): Environment {
  const text = readIfThere(join(folder, '.env'))
  return text === null ? {} : withoutEmpty(parseEnv(text))
}

function readIfThere(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

const withoutEmpty = (environment: Environment): Environment =>
  Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== undefined && value !== ''))

function readSetting(name: string, row: Setting<unknown>, environment: Environment): unknown {
  const raw = rawValue(name, environment) ?? row.fallback
  if (raw === null) return null
  const parsed = row.schema.safeParse(raw.trim())
  if (parsed.success) return parsed.data
  throw new ConfigError(name, row.expected, row.secret ? `${raw.length} characters` : JSON.stringify(raw.slice(0, 80)))
}

function rawValue(name: string, environment: Environment): string | null {
  const file = environment[`${name}_FILE`]
  const direct = environment[name]
  if (file === undefined) return direct ?? null
  if (direct !== undefined) throw new ConfigError(name, `either ${name} or ${name}_FILE`, 'both')
  try {
    return readFileSync(file, 'utf8').replace(/\r?\n$/, '')
  } catch (error) {
    throw new ConfigError(`${name}_FILE`, 'a readable file', `${(error as NodeJS.ErrnoException).code} for ${file}`)
  }
}

function toConfig(values: Values, dataDir: string): Omit<Config, 'storage'> {
  if (values.REFRESH_TOKEN_COOKIE_SAME_SITE === 'none' && !values.REFRESH_TOKEN_COOKIE_SECURE) {
    throw new ConfigError('REFRESH_TOKEN_COOKIE_SECURE', 'true when REFRESH_TOKEN_COOKIE_SAME_SITE is none', 'false')
  }
  return {
    http: toHttp(values),
    shutdownTimeout: values.SERVER_SHUTDOWN_TIMEOUT,
    maxImport: values.IMPORT_MAX_FILE_SIZE,
    dataDir,
    database: toDatabase(values, dataDir),
    files: toFiles(values),
    importDenied: values.IMPORT_IP_DENY_LIST,
    excludeTables: values.DB_EXCLUDE_TABLES,
    projectName: values.PROJECT_NAME,
    admin: { email: values.ADMIN_EMAIL, password: values.ADMIN_PASSWORD, token: values.ADMIN_TOKEN },
    secret: values.SECRET,
    security: toSecurity(values),
    mail: toMail(values, dataDir),
    limits: {
      queryDefault: Math.min(values.QUERY_LIMIT_DEFAULT, values.QUERY_LIMIT_MAX ?? Number.POSITIVE_INFINITY),
      queryMax: values.QUERY_LIMIT_MAX,
      depth: values.MAX_RELATIONAL_DEPTH,
      batch: values.MAX_BATCH_MUTATION,
    },
    retention: toRetention(values),
    rates: toRates(values),
    pressure: toPressure(values),
    cache: toCache(values),
    redis: toRedis(values),
    images: toImages(values),
    assets: {
      maxAge: Math.floor(values.ASSETS_CACHE_TTL / 1000),
      revalidate: values.ASSETS_CACHE_REVALIDATE,
      openByHash: values.ASSETS_PRIVATE_HASH === 'open',
    },
    log: { level: values.LOG_LEVEL, style: values.LOG_STYLE ?? (process.stdout.isTTY ? 'pretty' : 'raw') },
  }
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

function toImages(values: Values): ImageLimits {
  return {
    maxDimension: values.ASSETS_TRANSFORM_IMAGE_MAX_DIMENSION,
    maxOutputDimension: values.ASSETS_TRANSFORM_IMAGE_MAX_OUTPUT_DIMENSION,
    maxSteps: values.ASSETS_TRANSFORM_MAX_OPERATIONS,
    maxConcurrent: values.ASSETS_TRANSFORM_MAX_CONCURRENT,
    timeout: values.ASSETS_TRANSFORM_TIMEOUT,
    sensitivity: values.ASSETS_INVALID_IMAGE_SENSITIVITY_LEVEL,
  }
}

function toSecurity(values: Values): Config['security'] {
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
      secure: values.REFRESH_TOKEN_COOKIE_SECURE,
      sameSite: values.REFRESH_TOKEN_COOKIE_SAME_SITE,
    },
  }
}

function toRates(values: Values): RateSettings {
  const perAddress = { points: values.RATE_LIMITER_POINTS, seconds: values.RATE_LIMITER_DURATION }
  const altogether = { points: values.RATE_LIMITER_GLOBAL_POINTS, seconds: values.RATE_LIMITER_GLOBAL_DURATION }
  const logins = { points: values.RATE_LIMITER_LOGIN_POINTS, seconds: values.RATE_LIMITER_LOGIN_DURATION }
  return {
    perAddress: values.RATE_LIMITER_ENABLED ? perAddress : null,
    altogether: values.RATE_LIMITER_GLOBAL_ENABLED ? altogether : null,
    logins: values.RATE_LIMITER_LOGIN_ENABLED ? logins : null,
    shared: values.RATE_LIMITER_STORE === 'redis',
  }
}

function toPressure(values: Values): PressureSettings | null {
  if (!values.PRESSURE_LIMITER_ENABLED) return null
  return {
    interval: values.PRESSURE_LIMITER_SAMPLE_INTERVAL,
    maxUtilization: values.PRESSURE_LIMITER_MAX_EVENT_LOOP_UTILIZATION,
    maxDelay: values.PRESSURE_LIMITER_MAX_EVENT_LOOP_DELAY,
    maxRss: values.PRESSURE_LIMITER_MAX_MEMORY_RSS,
    maxHeap: values.PRESSURE_LIMITER_MAX_MEMORY_HEAP_USED,
    retryAfter: values.PRESSURE_LIMITER_RETRY_AFTER,
  }
}

function toCache(values: Values): CacheSettings | null {
  if (!values.CACHE_ENABLED) return null
  return {
    shared: values.CACHE_STORE === 'redis',
    namespace: values.CACHE_NAMESPACE,
    ttl: values.CACHE_TTL,
    autoPurge: values.CACHE_AUTO_PURGE,
    unpurged: values.CACHE_AUTO_PURGE_IGNORE_LIST,
    sharedMaxAge: values.CACHE_CONTROL_S_MAXAGE,
    skipAllowed: values.CACHE_SKIP_ALLOWED,
    statusHeader: values.CACHE_STATUS_HEADER?.toLowerCase() ?? null,
    maxSize: values.CACHE_VALUE_MAX_SIZE,
  }
}

/** The address of Redis, where something is kept there. */
function toRedis(values: Values): string | null {
  const user = ['RATE_LIMITER_STORE', 'CACHE_STORE'].find((name) => values[name as 'CACHE_STORE'] === 'redis')
  if (user === undefined) return null
  if (values.REDIS !== null) return values.REDIS
  if (values.REDIS_HOST === null)
    throw new ConfigError('REDIS', `an address (or REDIS_HOST) with ${user}=redis`, 'none')
  const url = new URL(`redis://${values.REDIS_HOST}:${values.REDIS_PORT}/${values.REDIS_DB}`)
  url.username = values.REDIS_USERNAME ?? ''
  url.password = values.REDIS_PASSWORD ?? ''
  return url.href
}

function toMail(values: Values, dataDir: string): MailSettings {
  return { from: values.EMAIL_FROM, verify: values.EMAIL_VERIFY_SETUP, transport: toTransport(values, dataDir) }
}

function toTransport(values: Values, dataDir: string): MailSettings['transport'] {
  switch (values.EMAIL_TRANSPORT) {
    case 'file':
      return { kind: 'file', folder: join(dataDir, 'mail') }
    case 'console':
      return { kind: 'console' }
    case 'sendmail':
      return { kind: 'sendmail', path: values.EMAIL_SENDMAIL_PATH, newline: values.EMAIL_SENDMAIL_NEW_LINE }
    case 'smtp': {
      const host = values.EMAIL_SMTP_HOST
      if (host === null) throw new ConfigError('EMAIL_SMTP_HOST', 'a value with EMAIL_TRANSPORT=smtp', 'nothing')
      return {
        kind: 'smtp',
        host,
        port: values.EMAIL_SMTP_PORT,
        user: values.EMAIL_SMTP_USER,
        password: values.EMAIL_SMTP_PASSWORD,
        pool: values.EMAIL_SMTP_POOL,
        secure: values.EMAIL_SMTP_SECURE,
        ignoreTls: values.EMAIL_SMTP_IGNORE_TLS,
        name: values.EMAIL_SMTP_NAME,
      }
    }
  }
}

function toFiles(values: Values): FileSettings {
  const wrong = values.IMPORT_IP_DENY_LIST.find((each) => !isNetwork(each))
  if (wrong !== undefined) throw new ConfigError('IMPORT_IP_DENY_LIST', 'addresses and networks', JSON.stringify(wrong))
  const maxSize = values.FILES_MAX_UPLOAD_SIZE
  return {
    maxSize,
    types: values.FILES_MIME_TYPE_ALLOW_LIST,
    metadata: values.FILE_METADATA_ALLOW_LIST,
    import: {
      timeout: values.IMPORT_TIMEOUT,
      maxSize: Math.min(values.IMPORT_MAX_FILE_SIZE, maxSize ?? Number.POSITIVE_INFINITY),
    },
  }
}

function toHttp(values: Values): Config['http'] {
  const origin = values.CORS_ORIGIN
  const cors: CorsSettings | null =
    values.CORS_ENABLED && origin !== false
      ? {
          origin,
          methods: values.CORS_METHODS,
          allowedHeaders: values.CORS_ALLOWED_HEADERS,
          exposedHeaders: values.CORS_EXPOSED_HEADERS,
          credentials: values.CORS_CREDENTIALS && origin !== true,
          maxAge: values.CORS_MAX_AGE,
        }
      : null
  return {
    host: values.HOST,
    port: values.PORT,
    publicUrl: values.PUBLIC_URL,
    maxPayload: values.MAX_PAYLOAD_SIZE,
    trustProxy: values.IP_TRUST_PROXY,
    strictQuery: values.STRICT_QUERY,
    validateResponses: values.VALIDATE_RESPONSES,
    cors,
    hsts: values.HSTS_ENABLED ? values.HSTS_MAX_AGE : null,
  }
}

function toDatabase(values: Values, dataDir: string): Config['database'] {
  if (values.DB_CLIENT === 'pglite') return { kind: 'pglite', dataDir }
  if (values.DB_POOL__MIN > values.DB_POOL__MAX) {
    throw new ConfigError('DB_POOL__MIN', `at most DB_POOL__MAX (${values.DB_POOL__MAX})`, String(values.DB_POOL__MIN))
  }
  const shared = {
    kind: 'pg',
    ssl: values.DB_SSL === 'no-verify' ? { rejectUnauthorized: false } : values.DB_SSL,
    pool: { min: values.DB_POOL__MIN, max: values.DB_POOL__MAX },
    searchPath: values.DB_SEARCH_PATH,
  } as const
  if (values.DB_CONNECTION_STRING !== null) {
    if (!/^postgres(ql)?:\/\//.test(values.DB_CONNECTION_STRING) || !URL.canParse(values.DB_CONNECTION_STRING)) {
      throw new ConfigError('DB_CONNECTION_STRING', 'postgres://user:password@host:5432/name', 'something else')
    }
    return { ...shared, connectionString: values.DB_CONNECTION_STRING }
  }
  for (const name of ['DB_HOST', 'DB_DATABASE', 'DB_USER'] as const) {
    if (values[name] === null)
      throw new ConfigError(name, 'a value (or DB_CONNECTION_STRING) with DB_CLIENT=pg', 'nothing')
  }
  return {
    ...shared,
    host: values.DB_HOST as string,
    port: values.DB_PORT,
    user: values.DB_USER as string,
    database: values.DB_DATABASE as string,
    ...(values.DB_PASSWORD === null ? {} : { password: values.DB_PASSWORD }),
  }
}
