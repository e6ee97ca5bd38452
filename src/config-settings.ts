/**
 * Every environment variable that Tandem reads, in one table: what it means, what it accepts, its
 * default. `config.ts` reads values through it, `tandem start --help` prints it.
 */
import { z } from 'zod'
import { parseSchedule, type Schedule } from './domain/schedule.ts'

/** One row of the table. `expected` completes "expected …" in an error. */
export type Setting<T> = {
  readonly about: string
  readonly expected: string
  readonly schema: z.ZodType<T, string>
  /** The default as one would write it in the environment; null = unset. */
  readonly fallback: string | null
  /** Never echoed, not even when it is wrong. */
  readonly secret: boolean
}

type Kind<T> = { readonly expected: string; readonly schema: z.ZodType<T, string> }

const text: Kind<string> = { expected: 'a text', schema: z.string() }

const flag: Kind<boolean> = {
  expected: 'true or false',
  schema: z
    .string()
    .toLowerCase()
    .pipe(z.enum(['true', 'false', '1', '0']))
    .transform((value) => value === 'true' || value === '1'),
}

const integer = (min: number, max: number = Number.MAX_SAFE_INTEGER): Kind<number> => ({
  expected: max === Number.MAX_SAFE_INTEGER ? `an integer from ${min}` : `an integer from ${min} to ${max}`,
  schema: z
    .string()
    .regex(/^-?\d+$/)
    .transform(Number)
    .pipe(z.int().min(min).max(max)),
})

const choice = <const T extends string>(...words: readonly [T, ...T[]]): Kind<T> => ({
  expected: `one of ${words.join(', ')}`,
  schema: z.string().pipe(z.enum(words)),
})

const milliseconds = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const

const duration: Kind<number> = {
  expected: 'a duration such as 500ms, 30s, 15m, 12h or 7d (a bare number is milliseconds)',
  schema: z
    .string()
    .regex(/^\d+(\.\d+)? ?(ms|s|m|h|d|w)?$/)
    .transform((value) => scaled(value, milliseconds, 'ms')),
}

const bytes = { b: 1, kb: 1024, mb: 1024 ** 2, gb: 1024 ** 3 } as const

const size: Kind<number> = {
  expected: 'a size such as 500kb or 1mb (a bare number is bytes)',
  schema: z
    .string()
    .toLowerCase()
    .regex(/^\d+(\.\d+)? ?(b|kb|mb|gb)?$/)
    .transform((value) => scaled(value, bytes, 'b'))
    .pipe(z.number().min(1)),
}

const list: Kind<readonly string[]> = {
  expected: 'a comma-separated list',
  schema: z.string().transform((value) =>
    value
      .split(',')
      .map((each) => each.trim())
      .filter((each) => each !== ''),
  ),
}

/** false = for good. */
const age: Kind<number | null> = {
  expected: 'a duration such as 90d, or false to keep all',
  schema: z.string().transform((value, ctx) => {
    if (value === 'false') return null
    const parsed = duration.schema.safeParse(value)
    if (parsed.success) return parsed.data
    ctx.addIssue('not a duration')
    return z.NEVER
  }),
}

const schedule: Kind<Schedule> = {
  expected: 'a cron schedule of five fields, in UTC, such as 0 0 * * *',
  schema: z.string().transform((value, ctx) => {
    const parsed = parseSchedule(value)
    if (parsed !== null) return parsed
    ctx.addIssue('not a schedule')
    return z.NEVER
  }),
}

const url: Kind<string> = {
  expected: 'an absolute http or https address',
  schema: z
    .string()
    .pipe(z.url({ protocol: /^https?$/ }))
    .transform((value) => value.replace(/\/+$/, '')),
}

/** false, true, a number of proxies, or their addresses. */
const proxies: Kind<boolean | number | readonly string[]> = {
  expected: 'true, false, a number of proxies, or a list of their addresses',
  schema: z.string().transform((value) => {
    if (value === 'true' || value === 'false') return value === 'true'
    return /^\d+$/.test(value) ? Number(value) : value.split(',').map((each) => each.trim())
  }),
}

/** false = none, true = any, or a list of origins. */
const origins: Kind<boolean | readonly string[]> = {
  expected: 'true, false, * or a list of origins such as https://app.example.com',
  schema: z.string().transform((value, ctx) => {
    if (value === 'true' || value === '*') return true
    if (value === 'false') return false
    const found = value.split(',').map((each) => each.trim().replace(/\/$/, ''))
    for (const each of found) if (!/^https?:\/\/[^/\s]+$/.test(each)) ctx.addIssue('not an origin')
    return found
  }),
}

const sslModes: Kind<boolean | 'no-verify'> = {
  expected: 'true, false or no-verify',
  schema: z
    .enum(['true', 'false', 'no-verify'])
    .transform((value) => (value === 'no-verify' ? value : value === 'true')),
}

function scaled(value: string, units: { readonly [unit: string]: number }, bare: string): number {
  const [, amount, unit] = /^([\d.]+) ?([a-z]*)$/.exec(value) as unknown as [string, string, string]
  return Math.round(Number(amount) * (units[unit === '' ? bare : unit] as number))
}

/** A setting that always has a value. */
function setting<T>(about: string, kind: Kind<T>, fallback: string): Setting<T> {
  return { about, expected: kind.expected, schema: kind.schema, fallback, secret: false }
}

/** A setting that may stay unset. */
function optional<T>(about: string, kind: Kind<T>): Setting<T | null> {
  return { about, expected: kind.expected, schema: kind.schema, fallback: null, secret: false }
}

const secret = (about: string, kind: Kind<string> = text): Setting<string | null> => ({
  ...optional(about, kind),
  secret: true,
})

/** The table. The order is the order of the help text; the groups are its headings. */
export const settings = {
  'Where it listens': {
    HOST: setting('Address to listen on.', text, '0.0.0.0'),
    PORT: setting('Port to listen on; 0 takes a free one.', integer(0, 65_535), '8055'),
    PUBLIC_URL: optional('Address under which clients reach the server.', url),
    MAX_PAYLOAD_SIZE: setting('Largest request body.', size, '1mb'),
    SERVER_SHUTDOWN_TIMEOUT: setting('How long running requests may finish when the server stops.', duration, '10s'),
    IP_TRUST_PROXY: setting("Whose X-Forwarded-For names the client's address.", proxies, 'false'),
    PROJECT_NAME: setting('Name of the project, given to a new database.', text, 'Tandem'),
  },
  Database: {
    DATA_DIR: setting('Folder of the embedded database and of the generated secret.', text, './data'),
    DB_CLIENT: setting(
      'pglite is embedded and needs nothing; pg is a Postgres server.',
      choice('pglite', 'pg'),
      'pglite',
    ),
    DB_CONNECTION_STRING: secret('Where Postgres is, in one line: postgres://user:password@host:5432/name.'),
    DB_HOST: optional('Host of Postgres, when there is no connection string.', text),
    DB_PORT: setting('Port of Postgres.', integer(1, 65_535), '5432'),
    DB_DATABASE: optional('Name of the database.', text),
    DB_USER: optional('Name of the database user.', text),
    DB_PASSWORD: secret('Password of the database user.'),
    DB_SSL: setting('Encrypt the connection; no-verify accepts any certificate.', sslModes, 'false'),
    DB_POOL__MIN: setting('Connections kept open.', integer(0, 1000), '0'),
    DB_POOL__MAX: setting('Connections at most.', integer(1, 1000), '10'),
    DB_SEARCH_PATH: setting('Schemas whose tables are served; the first one gets the system tables.', list, 'public'),
    DB_EXCLUDE_TABLES: setting('Tables that are not served.', list, 'spatial_ref_sys,sysdiagrams'),
  },
  'First administrator': {
    ADMIN_EMAIL: setting('E-mail address of the administrator of a new database.', emailAddress(), 'admin@example.com'),
    ADMIN_PASSWORD: secret('Its password; generated and printed once when unset.', atLeast(8)),
    ADMIN_TOKEN: secret('A static token for it.', atLeast(16)),
  },
  'Tokens and passwords': {
    SECRET: secret('Signs tokens; generated and kept in DATA_DIR when unset. Replicas must share it.', atLeast(32)),
    ACCESS_TOKEN_TTL: setting('Lifetime of an access token.', duration, '15m'),
    REFRESH_TOKEN_TTL: setting('Lifetime of a refresh token.', duration, '7d'),
    REFRESH_TOKEN_COOKIE_NAME: setting('Name of the refresh cookie.', cookieName(), 'platform_refresh_token'),
    REFRESH_TOKEN_COOKIE_DOMAIN: optional('Domain of the refresh cookie.', text),
    REFRESH_TOKEN_COOKIE_SECURE: setting('Send the refresh cookie over https alone.', flag, 'false'),
    REFRESH_TOKEN_COOKIE_SAME_SITE: setting('SameSite of the refresh cookie.', choice('lax', 'strict', 'none'), 'lax'),
    LOGIN_STALL_TIME: setting('A login takes at least this long, known user or not.', duration, '500ms'),
    HASH_MEMORY_COST: setting('KiB of memory for one argon2id hash.', integer(8, 4_194_304), '65536'),
    HASH_TIME_COST: setting('Passes of one argon2id hash.', integer(1, 100), '3'),
    HASH_PARALLELISM: setting('Lanes of one argon2id hash.', integer(1, 64), '4'),
    HASH_LENGTH: setting('Bytes of one argon2id hash.', integer(16, 128), '32'),
  },
  Limits: {
    QUERY_LIMIT_DEFAULT: setting('Rows of a read that names no limit.', integer(1), '100'),
    QUERY_LIMIT_MAX: optional('Rows of a read at most.', integer(1)),
    MAX_RELATIONAL_DEPTH: setting('Levels of relations in one query.', integer(2, 50), '10'),
    MAX_BATCH_MUTATION: optional('Items of one write at most.', integer(1)),
    IMPORT_MAX_FILE_SIZE: setting('Largest file of rows to import.', size, '50mb'),
    STRICT_QUERY: setting('Refuse unknown query parameters.', flag, 'false'),
    VALIDATE_RESPONSES: setting('Check every answer against the spec (for development).', flag, 'false'),
  },
  'Cross-origin and transport': {
    CORS_ENABLED: setting('Answer cross-origin requests.', flag, 'false'),
    CORS_ORIGIN: setting('Origins that may read answers.', origins, 'false'),
    CORS_METHODS: setting('Methods that they may use.', list, 'GET,POST,PATCH,DELETE,SEARCH'),
    CORS_ALLOWED_HEADERS: setting(
      'Headers that they may send; `*` stands for one word.',
      list,
      'Content-Type,Authorization,X-*-Project',
    ),
    CORS_EXPOSED_HEADERS: setting('Headers that they may read.', list, 'Content-Range'),
    CORS_CREDENTIALS: setting('Let them send cookies (only with a list of origins).', flag, 'true'),
    CORS_MAX_AGE: setting('Seconds for which a preflight answer holds.', integer(0), '18000'),
    HSTS_ENABLED: setting('Tell browsers to use https alone.', flag, 'false'),
    HSTS_MAX_AGE: setting('Seconds for which they shall.', integer(0), '15552000'),
  },
  History: {
    RETENTION_ENABLED: setting('Delete old history.', flag, 'false'),
    RETENTION_SCHEDULE: setting('When: five fields of cron, in UTC.', schedule, '0 0 * * *'),
    RETENTION_BATCH: setting('Rows that are deleted at a time.', integer(1, 100_000), '500'),
    ACTIVITY_RETENTION: setting('How long activity is kept; false = for good.', age, '90d'),
    REVISIONS_RETENTION: setting('How long revisions are kept; false = for good.', age, '90d'),
  },
  Log: {
    LOG_LEVEL: setting('Least level that is logged.', choice('debug', 'info', 'warn', 'error', 'silent'), 'info'),
    LOG_STYLE: optional(
      'pretty for people (the default on a terminal) or raw: one JSON object per line.',
      choice('pretty', 'raw'),
    ),
  },
} as const

function atLeast(characters: number): Kind<string> {
  return { expected: `at least ${characters} characters`, schema: z.string().min(characters) }
}

function emailAddress(): Kind<string> {
  return { expected: 'an e-mail address', schema: z.string().pipe(z.email()) }
}

function cookieName(): Kind<string> {
  return { expected: 'a cookie name', schema: z.string().regex(/^[\w.-]+$/) }
}

type Union<T> = (T extends unknown ? (each: T) => void : never) extends (each: infer I) => void ? I : never

/** All rows of the table without their groups. */
export type Settings = Union<(typeof settings)[keyof typeof settings]>

/** The typed values of all settings. */
export type Values = { readonly [K in keyof Settings]: Settings[K] extends Setting<infer T> ? T : never }

/** Name and row of every setting, in order. */
export const settingList: readonly (readonly [string, Setting<unknown>])[] = Object.values(settings).flatMap((group) =>
  Object.entries(group as { readonly [name: string]: Setting<unknown> }),
)

/** The table as text for a terminal. */
export function describeSettings(): string {
  const lines = ['Settings come from the environment and from a .env file beside it; the environment wins.']
  lines.push('NAME_FILE reads the value of NAME from a file.')
  for (const [group, rows] of Object.entries(settings)) {
    lines.push('', group)
    for (const [name, row] of Object.entries(rows as { readonly [name: string]: Setting<unknown> })) {
      lines.push(`  ${name.padEnd(32)}${row.about}${row.fallback === null ? '' : ` [${row.fallback}]`}`)
    }
  }
  return lines.join('\n')
}
