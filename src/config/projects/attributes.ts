/**
 * The attributes of a configuration file, by their names in version 8, and the settings that they are. An attribute
 * that is not in these tables is refused.
 */
import { ProjectError } from './error.ts'
import type { Plain } from './php-array.ts'
import { toSocialProviders } from './social-providers.ts'

/** Settings in the notation of the environment, with the attributes that they come from. */
export type OwnSettings = { readonly [setting: string]: { readonly text: string; readonly at: string } }

/** Translates the value of the attribute `at`. */
type Attribute = (value: Plain, at: string) => OwnSettings

export type Table = { readonly [attribute: string]: Attribute }

/** The value as the setting. Null and the empty text leave it unset. */
const as =
  (setting: string, change: (text: string, at: string) => string = (text) => text): Attribute =>
  (value, at) => {
    const text = toText(value, at)
    return text === '' ? {} : { [setting]: { text: change(text, at), at } }
  }

function toText(value: Plain, at: string): string {
  if (value === null) return ''
  if (Array.isArray(value)) return value.map((each: Plain) => toText(each, at)).join(',')
  if (typeof value === 'object') throw new ProjectError(at, 'a text, a number, a boolean or a list', 'an object')
  return String(value)
}

/** Attributes that Tandem ignores: they configure the program of version 8, or follow from other attributes. */
const unused: Attribute = () => ({})

/** Attributes of features that Tandem does not have: only an empty value is accepted. */
const absent: Attribute = (value, at) => {
  if (isEmpty(value)) return {}
  throw new ProjectError(at, 'an empty value (Tandem has no such feature)', 'another one')
}

const isEmpty = (value: Plain): boolean =>
  typeof value === 'object' && value !== null
    ? Object.values(value as object).every((each: Plain) => isEmpty(each))
    : value === null || value === '' || value === false

const choice =
  (words: { readonly [word: string]: string }) =>
  (text: string, at: string): string => {
    const word = Object.hasOwn(words, text.toLowerCase()) ? words[text.toLowerCase()] : undefined
    if (word !== undefined) return word
    throw new ProjectError(at, `one of ${Object.keys(words).join(', ')}`, JSON.stringify(text.slice(0, 80)))
  }

const minutes = (text: string): string => `${text}m`
const seconds = (text: string): string => `${text}s`

/** Postgres, MariaDB, or the embedded database. */
const databaseTypes = {
  postgres: 'pg',
  postgresql: 'pg',
  pgsql: 'pg',
  pg: 'pg',
  mysql: 'mysql',
  mariadb: 'mysql',
  embedded: 'pglite',
  pglite: 'pglite',
}

const database: Table = {
  type: as('DB_CLIENT', choice(databaseTypes)),
  host: as('DB_HOST'),
  // In the place of the host, whatever the host is.
  socket: as('DB_SOCKET'),
  port: as('DB_PORT'),
  name: as('DB_DATABASE'),
  username: as('DB_USER'),
  password: as('DB_PASSWORD'),
  schema: as('DB_SEARCH_PATH'),
  ssl: as('DB_SSL'),
  pool_min: as('DB_POOL__MIN'),
  pool_max: as('DB_POOL__MAX'),
  engine: unused,
  charset: unused,
  driver_options: unused,
}

/** An object; the names of a list are no keys. */
function namedIn(value: Plain, at: string): { readonly [name: string]: Plain } {
  return Object.fromEntries(entriesOf(value, at))
}

const auth: Table = {
  secret: as('SECRET'),
  secret_key: as('SECRET'),
  public: unused,
  public_key: unused,
  ttl: as('ACCESS_TOKEN_TTL', minutes),
  social_providers: (value, at) => (isEmpty(value) ? {} : toSocialProviders(namedIn(value, at), at)),
}

/** Headers that clients of both generations send. */
const usualHeaders = 'Content-Type,Authorization,X-Client,X-*-Project'

const cors: Table = {
  enabled: as('CORS_ENABLED'),
  origin: as('CORS_ORIGIN', (text) => (text.split(',').includes('*') ? '*' : text)),
  methods: as('CORS_METHODS'),
  headers: as('CORS_ALLOWED_HEADERS', (text) => `${usualHeaders},${text}`),
  exposed_header: as('CORS_EXPOSED_HEADERS'),
  exposed_headers: as('CORS_EXPOSED_HEADERS'),
  max_age: as('CORS_MAX_AGE'),
  credentials: as('CORS_CREDENTIALS'),
}

/** The memory of the process stands for every cache of one machine. */
const cacheAdapters = { array: 'memory', apc: 'memory', apcu: 'memory', filesystem: 'memory', redis: 'redis' }

const pool: Table = {
  adapter: as('CACHE_STORE', choice(cacheAdapters)),
  path: unused,
  host: as('REDIS_HOST'),
  port: as('REDIS_PORT'),
}

const cache: Table = {
  ...pool,
  enabled: as('CACHE_ENABLED'),
  response_ttl: as('CACHE_TTL', seconds),
  pool: (value, at) => translate(value, pool, at),
}

/** `*` stands for the name of the location, which is that of the adapter. */
const storage: Table = {
  adapter: as('STORAGE_*_DRIVER', choice({ local: 'local', s3: 's3' })),
  root: as('STORAGE_*_ROOT'),
  key: as('STORAGE_*_KEY'),
  secret: as('STORAGE_*_SECRET'),
  region: as('STORAGE_*_REGION'),
  bucket: as('STORAGE_*_BUCKET'),
  endpoint: as('STORAGE_*_ENDPOINT'),
  options: (value, at) => translate(value, objectOptions, at),
  version: unused,
  root_url: unused,
  thumb_root: unused,
  thumb_root_url: unused,
  proxy_downloads: unused,
}

const objectOptions: Table = {
  ACL: as('STORAGE_*_ACL'),
  ServerSideEncryption: as('STORAGE_*_SERVER_SIDE_ENCRYPTION'),
  use_path_style_endpoint: as('STORAGE_*_FORCE_PATH_STYLE'),
}

const mailer: Table = {
  transport: as('EMAIL_TRANSPORT', choice({ smtp: 'smtp', sendmail: 'sendmail', mail: 'sendmail', file: 'file' })),
  // Arguments such as `-bs` follow the path.
  sendmail: as('EMAIL_SENDMAIL_PATH', (text) => text.split(' ', 1)[0] as string),
  host: as('EMAIL_SMTP_HOST'),
  port: as('EMAIL_SMTP_PORT'),
  username: as('EMAIL_SMTP_USER'),
  password: as('EMAIL_SMTP_PASSWORD'),
  encryption: as('EMAIL_SMTP_SECURE', choice({ ssl: 'true', tls: 'false', starttls: 'false' })),
  from: as('EMAIL_FROM'),
}

const mail: Table = { ...mailer, default: (value, at) => translate(value, mailer, at) }

const rateLimit: Table = {
  enabled: as('RATE_LIMITER_ENABLED'),
  limit: as('RATE_LIMITER_POINTS'),
  interval: as('RATE_LIMITER_DURATION'),
  adapter: as('RATE_LIMITER_STORE', choice({ memory: 'memory', redis: 'redis' })),
  host: as('REDIS_HOST'),
  port: as('REDIS_PORT'),
  timeout: unused,
}

const cookie: Table = {
  same_site: as('REFRESH_TOKEN_COOKIE_SAME_SITE', (text) => text.toLowerCase()),
  secure: as('REFRESH_TOKEN_COOKIE_SECURE'),
  httponly: unused,
}

const admin: Table = {
  email: as('ADMIN_EMAIL'),
  password: as('ADMIN_PASSWORD'),
  token: as('ADMIN_TOKEN'),
  setup: as('ADMIN_SETUP'),
}

const app: Table = { env: unused, timezone: unused }

export const objects = {
  database,
  auth,
  cors,
  cache,
  storage,
  mail,
  rate_limit: rateLimit,
  cookie,
  admin,
  app,
} as const

/** Attributes of the file itself. */
export const attributes: Table = {
  project_name: as('PROJECT_NAME'),
  tableBlacklist: as('DB_EXCLUDE_TABLES', (text) => `spatial_ref_sys,sysdiagrams,${text}`),
  hooks: absent,
  filters: absent,
  env: unused,
  timezone: unused,
  locale: unused,
  logger: unused,
  feedback: unused,
  settings: unused,
  ext: unused,
}

/** The settings of an object. Throws for what is not in the table. */
export function translate(value: Plain, table: Table, at: string): OwnSettings {
  const own: { [setting: string]: OwnSettings[string] } = {}
  for (const [name, each] of entriesOf(value, at)) {
    const path = at === '' ? name : `${at}.${name}`
    if (!Object.hasOwn(table, name)) {
      throw new ProjectError(path, `no attribute but ${Object.keys(table).join(', ')}`, 'another one')
    }
    Object.assign(own, (table[name] as Attribute)(each, path))
  }
  return own
}

/** An empty array of PHP is an empty object. */
export function entriesOf(value: Plain, at: string): readonly (readonly [string, Plain])[] {
  if (typeof value === 'object' && value !== null && (!Array.isArray(value) || value.length === 0))
    return Object.entries(value)
  throw new ProjectError(at === '' ? 'the file' : at, 'an object', Array.isArray(value) ? 'a list' : typeof value)
}
