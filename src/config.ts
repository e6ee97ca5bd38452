/** Configuration: the only reader of `process.env`. The table of settings is in `config-settings.ts`. */
import { chmodSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseEnv } from 'node:util'
import { type Setting, settingList, type Values } from './config-settings.ts'
import type { Retention } from './core/retention.ts'
import type { Limits, SecuritySettings } from './domain/context.ts'
import type { CorsSettings, HttpSettings } from './http/settings.ts'
import type { EmbeddedDatabaseOptions, ServerOptions } from './sql/database.ts'

/** Everything that one start needs to know, checked and typed. */
export type Config = {
  readonly http: HttpSettings & { readonly host: string; readonly port: number }
  readonly shutdownTimeout: number
  /** Bytes of a file of rows to import. */
  readonly maxImport: number
  readonly dataDir: string
  readonly database: EmbeddedDatabaseOptions | ServerOptions
  readonly excludeTables: readonly string[]
  readonly projectName: string
  readonly admin: { readonly email: string; readonly password: string | null; readonly token: string | null }
  /** Null = the one kept in the data directory. */
  readonly secret: string | null
  readonly security: Omit<SecuritySettings, 'secret'>
  readonly limits: Limits
  /** Null = history is kept. */
  readonly retention: Retention | null
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
  return toConfig(values as unknown as Values, folder)
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

function toConfig(values: Values, folder: string): Config {
  const dataDir = resolve(folder, values.DATA_DIR)
  if (values.REFRESH_TOKEN_COOKIE_SAME_SITE === 'none' && !values.REFRESH_TOKEN_COOKIE_SECURE) {
    throw new ConfigError('REFRESH_TOKEN_COOKIE_SECURE', 'true when REFRESH_TOKEN_COOKIE_SAME_SITE is none', 'false')
  }
  return {
    http: toHttp(values),
    shutdownTimeout: values.SERVER_SHUTDOWN_TIMEOUT,
    maxImport: values.IMPORT_MAX_FILE_SIZE,
    dataDir,
    database: toDatabase(values, dataDir),
    excludeTables: values.DB_EXCLUDE_TABLES,
    projectName: values.PROJECT_NAME,
    admin: { email: values.ADMIN_EMAIL, password: values.ADMIN_PASSWORD, token: values.ADMIN_TOKEN },
    secret: values.SECRET,
    security: toSecurity(values),
    limits: {
      queryDefault: Math.min(values.QUERY_LIMIT_DEFAULT, values.QUERY_LIMIT_MAX ?? Number.POSITIVE_INFINITY),
      queryMax: values.QUERY_LIMIT_MAX,
      depth: values.MAX_RELATIONAL_DEPTH,
      batch: values.MAX_BATCH_MUTATION,
    },
    retention: toRetention(values),
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

function toSecurity(values: Values): Config['security'] {
  return {
    accessTtl: values.ACCESS_TOKEN_TTL,
    refreshTtl: values.REFRESH_TOKEN_TTL,
    loginStall: values.LOGIN_STALL_TIME,
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
