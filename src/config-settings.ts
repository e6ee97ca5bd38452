/**
 * Every environment variable that Tandem reads, in one table: what it means, what it accepts, its
 * default. `config.ts` reads values through it, `tandem start --help` prints it.
 */
import {
  age,
  atLeast,
  choice,
  duration,
  emailAddress,
  flag,
  fraction,
  integer,
  lifetime,
  list,
  mailSender,
  names,
  optional,
  orFalse,
  type Setting,
  schedule,
  secret,
  setting,
  size,
  sslModes,
  text,
  timeout,
  wait,
} from './config-kinds.ts'
import {
  cookieDomain,
  cookieName,
  headerName,
  origins,
  pages,
  proxies,
  redisUrl,
  tokens,
  tokenText,
  url,
} from './config-kinds-network.ts'

/** The table. The order is the order of the help text; the groups are its headings. */
export const settings = {
  'Where it listens': {
    HOST: setting('Address to listen on.', text, '0.0.0.0'),
    PORT: setting('Port to listen on; 0 takes a free one.', integer(0, 65_535), '8055'),
    PUBLIC_URL: optional('Address under which clients reach the server.', url),
    MAX_PAYLOAD_SIZE: setting('Largest request body.', size, '1mb'),
    MAX_SCHEMA_SIZE: setting('Largest data model that /schema/diff and /schema/apply take.', size, '16mb'),
    SERVER_SHUTDOWN_TIMEOUT: setting('How long running requests may finish when the server stops.', wait, '10s'),
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
    DB_SEARCH_PATH: setting('Schemas whose tables are served; the first one gets the system tables.', names, 'public'),
    DB_EXCLUDE_TABLES: setting('Tables that are not served.', list, 'spatial_ref_sys,sysdiagrams'),
  },
  'First administrator': {
    ADMIN_EMAIL: setting('E-mail address of the administrator of a new database.', emailAddress(), 'admin@example.com'),
    ADMIN_PASSWORD: secret('Its password; generated and printed once when unset.', atLeast(8)),
    ADMIN_TOKEN: secret('A static token for it.', tokenText(16)),
    ADMIN_SETUP: setting('Make none at the start: whoever first asks POST /server/setup becomes it.', flag, 'false'),
  },
  'Tokens and passwords': {
    SECRET: secret('Signs tokens; generated and kept in DATA_DIR when unset. Replicas must share it.', atLeast(32)),
    ACCESS_TOKEN_TTL: setting('Lifetime of an access token.', lifetime, '15m'),
    REFRESH_TOKEN_TTL: setting('Lifetime of a refresh token.', lifetime, '7d'),
    REFRESH_TOKEN_COOKIE_NAME: setting('Name of the refresh cookie.', cookieName(), 'platform_refresh_token'),
    REFRESH_TOKEN_COOKIE_DOMAIN: optional('Domain of the refresh cookie.', cookieDomain()),
    REFRESH_TOKEN_COOKIE_SECURE: setting('Send the refresh cookie over https alone.', flag, 'false'),
    REFRESH_TOKEN_COOKIE_SAME_SITE: setting('SameSite of the refresh cookie.', choice('lax', 'strict', 'none'), 'lax'),
    LOGIN_STALL_TIME: setting('A login takes at least this long, known user or not.', wait, '500ms'),
    REGISTER_STALL_TIME: setting('A registration takes at least this long, known address or not.', wait, '750ms'),
    PASSWORD_RESET_TOKEN_TTL: setting('How long the link of a password reset works.', lifetime, '1d'),
    USER_INVITE_TOKEN_TTL: setting('How long the link of an invitation works.', lifetime, '7d'),
    EMAIL_VERIFICATION_TOKEN_TTL: setting('How long the link that confirms a registration works.', lifetime, '7d'),
    PASSWORD_RESET_URL_ALLOW_LIST: setting('Pages that `reset_url` may name.', pages, ''),
    USER_INVITE_URL_ALLOW_LIST: setting('Pages that `invite_url` may name.', pages, ''),
    USER_REGISTER_URL_ALLOW_LIST: setting('Pages that `verification_url` may name.', pages, ''),
    HASH_MEMORY_COST: setting('KiB of memory for one argon2id hash.', integer(8, 4_194_304), '65536'),
    HASH_TIME_COST: setting('Passes of one argon2id hash.', integer(1, 100), '3'),
    HASH_PARALLELISM: setting('Lanes of one argon2id hash.', integer(1, 64), '4'),
    HASH_LENGTH: setting('Bytes of one argon2id hash.', integer(16, 128), '32'),
  },
  Mail: {
    EMAIL_TRANSPORT: setting(
      'file writes mails into DATA_DIR/mail, console prints them; smtp (which SES, Mailgun and SendGrid speak too) and sendmail send them.',
      choice('file', 'console', 'smtp', 'sendmail'),
      'file',
    ),
    EMAIL_FROM: setting('Sender of mails.', mailSender(), 'no-reply@example.com'),
    EMAIL_VERIFY_SETUP: setting('Try the mail server once at the start, and log what is wrong.', flag, 'true'),
    EMAIL_TEMPLATES_PATH: optional(
      'Folder of own Liquid templates, such as password-reset.html.liquid and .text.liquid, in the place of those of the program.',
      text,
    ),
    EMAIL_SMTP_HOST: optional('Host of the mail server.', text),
    EMAIL_SMTP_PORT: optional('Its port; 587, or 465 with EMAIL_SMTP_SECURE.', integer(1, 65_535)),
    EMAIL_SMTP_USER: optional('Name to log in with, where it wants one.', text),
    EMAIL_SMTP_PASSWORD: secret('Password to log in with.'),
    EMAIL_SMTP_POOL: setting('Keep connections to it open.', flag, 'false'),
    EMAIL_SMTP_SECURE: setting('Speak TLS from the start; otherwise where it offers STARTTLS.', flag, 'false'),
    EMAIL_SMTP_IGNORE_TLS: setting('Speak no TLS even where it offers it.', flag, 'false'),
    EMAIL_SMTP_NAME: optional('Name by which the server greets it.', text),
    EMAIL_SENDMAIL_PATH: setting('The sendmail program.', text, '/usr/sbin/sendmail'),
    EMAIL_SENDMAIL_NEW_LINE: setting('Line breaks that it wants.', choice('unix', 'windows'), 'unix'),
  },
  Limits: {
    QUERY_LIMIT_DEFAULT: setting('Rows of a read that names no limit.', integer(1), '100'),
    QUERY_LIMIT_MAX: optional('Rows of a read at most.', integer(1)),
    MAX_RELATIONAL_DEPTH: setting('Levels of relations in one query.', integer(2, 50), '10'),
    MAX_BATCH_MUTATION: optional('Items of one write at most.', integer(1)),
    STRICT_QUERY: setting('Refuse unknown query parameters.', flag, 'false'),
    VALIDATE_RESPONSES: setting('Check every answer against the spec (for development).', flag, 'false'),
  },
  'Rate limits': {
    RATE_LIMITER_ENABLED: setting('Limit the requests of one address.', flag, 'false'),
    RATE_LIMITER_POINTS: setting('Requests of one address per window.', integer(1, 1_000_000_000), '50'),
    RATE_LIMITER_DURATION: setting('Seconds of that window.', integer(1, 86_400), '1'),
    RATE_LIMITER_STORE: setting('Where requests and attempts are counted.', choice('memory', 'redis'), 'memory'),
    RATE_LIMITER_GLOBAL_ENABLED: setting('Limit the requests of all addresses together.', flag, 'false'),
    RATE_LIMITER_GLOBAL_POINTS: setting('Requests of all addresses per window.', integer(1, 1_000_000_000), '1000'),
    RATE_LIMITER_GLOBAL_DURATION: setting('Seconds of that window.', integer(1, 86_400), '1'),
    RATE_LIMITER_LOGIN_ENABLED: setting(
      'Limit failed logins of one account, and ten times as many of one address.',
      flag,
      'true',
    ),
    RATE_LIMITER_LOGIN_POINTS: setting('Failed logins of one account per window.', integer(1, 1_000_000), '25'),
    RATE_LIMITER_LOGIN_DURATION: setting('Seconds of that window.', integer(1, 86_400), '300'),
    RATE_LIMITER_REGISTRATION_ENABLED: setting('Limit the registrations from one address.', flag, 'true'),
    RATE_LIMITER_REGISTRATION_POINTS: setting('Registrations from one address per window.', integer(1, 1_000_000), '5'),
    RATE_LIMITER_REGISTRATION_DURATION: setting('Seconds of that window.', integer(1, 86_400), '60'),
    RATE_LIMITER_EMAIL_ENABLED: setting(
      'Limit the mails of one kind to one mailbox, and a hundred times as many by one sender.',
      flag,
      'true',
    ),
    RATE_LIMITER_EMAIL_POINTS: setting('Mails of one kind to one mailbox per window.', integer(1, 1_000_000), '5'),
    RATE_LIMITER_EMAIL_DURATION: setting('Seconds of that window.', integer(1, 86_400), '3600'),
  },
  Pressure: {
    PRESSURE_LIMITER_ENABLED: setting('Answer 503 while the process or its database is overloaded.', flag, 'true'),
    PRESSURE_LIMITER_SAMPLE_INTERVAL: setting('Milliseconds between two looks.', integer(10, 60_000), '250'),
    PRESSURE_LIMITER_MAX_EVENT_LOOP_UTILIZATION: setting(
      'Share of the time that the event loop may be busy; a full loop alone is no overload.',
      orFalse(fraction),
      'false',
    ),
    PRESSURE_LIMITER_MAX_EVENT_LOOP_DELAY: setting(
      'Mean delay of the event loop, in milliseconds.',
      orFalse(integer(1)),
      '500',
    ),
    PRESSURE_LIMITER_MAX_DATABASE_WAIT: setting(
      'How long a request may expect to wait for a connection to the database, in milliseconds.',
      orFalse(integer(1)),
      '1000',
    ),
    PRESSURE_LIMITER_MAX_MEMORY_RSS: setting('Memory of the process.', orFalse(size), 'false'),
    PRESSURE_LIMITER_MAX_MEMORY_HEAP_USED: setting('Memory in use on the heap.', orFalse(size), 'false'),
    PRESSURE_LIMITER_RETRY_AFTER: setting('Seconds after which clients shall come back.', integer(1, 3600), '1'),
  },
  'Response cache': {
    CACHE_ENABLED: setting('Keep answers to GET, apart for everybody with other rights.', flag, 'false'),
    CACHE_STORE: setting('Where they are kept.', choice('memory', 'redis'), 'memory'),
    CACHE_NAMESPACE: setting('In front of their keys in Redis.', text, 'tandem-cache'),
    CACHE_TTL: setting('How long they are kept.', lifetime, '5m'),
    CACHE_AUTO_PURGE: setting('Forget them all at every write.', flag, 'false'),
    CACHE_AUTO_PURGE_IGNORE_LIST: setting('Collections whose writes forget nothing.', list, 'activity,presets'),
    CACHE_CONTROL_S_MAXAGE: setting('Seconds for which shared caches may keep them.', orFalse(integer(0)), '0'),
    CACHE_SKIP_ALLOWED: setting('Let clients go past it with Cache-Control: no-store.', flag, 'false'),
    CACHE_STATUS_HEADER: optional('Name of a header that says HIT or MISS.', headerName()),
    CACHE_VALUE_MAX_SIZE: setting('Largest answer that is kept.', orFalse(size), 'false'),
  },
  Redis: {
    REDIS: secret('Where Redis is, in one line: redis://user:password@host:6379/0.', redisUrl()),
    REDIS_HOST: optional('Host of Redis, when there is no line.', text),
    REDIS_PORT: setting('Port of Redis.', integer(1, 65_535), '6379'),
    REDIS_USERNAME: optional('Name of the Redis user.', text),
    REDIS_PASSWORD: secret('Password of the Redis user.'),
    REDIS_DB: setting('Number of the Redis database.', integer(0, 65_535), '0'),
  },
  'Cross-origin and transport': {
    CORS_ENABLED: setting('Answer cross-origin requests.', flag, 'false'),
    CORS_ORIGIN: setting('Origins that may read answers.', origins, 'false'),
    CORS_METHODS: setting('Methods that they may use.', tokens, 'GET,POST,PATCH,DELETE,SEARCH'),
    CORS_ALLOWED_HEADERS: setting(
      'Headers that they may send; `*` stands for one word.',
      tokens,
      'Content-Type,Authorization,X-*-Project',
    ),
    CORS_EXPOSED_HEADERS: setting('Headers that they may read.', tokens, 'Content-Range'),
    CORS_CREDENTIALS: setting('Let them send cookies, and act by them (only with a list of origins).', flag, 'true'),
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
  Files: {
    STORAGE_LOCATIONS: setting('Names of the places for files; new ones go to the first.', list, 'local'),
    ASSETS_CACHE_TTL: setting('How long browsers and caches may keep a file.', duration, '30d'),
    ASSETS_CACHE_REVALIDATE: setting('Have them ask each time whether there is a newer one.', flag, 'false'),
    ASSETS_PRIVATE_HASH: setting(
      'Who gets a file by its private hash: those who may read it, or (open) everybody who knows the hash.',
      choice('protected', 'open'),
      'protected',
    ),
    ASSETS_MAX_VARIANTS: setting(
      'Transformed pictures that are kept of one file; a further one takes the place of the oldest.',
      integer(1, 100_000),
      '200',
    ),
    ASSETS_TRANSFORM_MAX_CONCURRENT: setting(
      'Images that are transformed, or wait for it, at once.',
      integer(1, 1000),
      '25',
    ),
    ASSETS_TRANSFORM_IMAGE_MAX_DIMENSION: setting(
      'Pixels of a side of an image to transform.',
      integer(1, 16_383),
      '6000',
    ),
    ASSETS_TRANSFORM_IMAGE_MAX_OUTPUT_DIMENSION: setting('Pixels of a side of the result.', integer(1, 16_383), '6000'),
    ASSETS_TRANSFORM_MAX_OPERATIONS: setting('Operations of one transform.', integer(0, 100), '5'),
    ASSETS_TRANSFORM_TIMEOUT: setting(
      'How long one image may wait, and again how long it may take.',
      timeout,
      '7500ms',
    ),
    ASSETS_INVALID_IMAGE_SENSITIVITY_LEVEL: setting(
      'Least damage for which an image is refused; none takes what can be read.',
      choice('none', 'truncated', 'error', 'warning'),
      'warning',
    ),
    FILES_MAX_UPLOAD_SIZE: optional('Size of a file at most.', size),
    FILES_MIME_TYPE_ALLOW_LIST: setting('Media types that files may have, such as image/*.', list, '*/*'),
    FILE_METADATA_ALLOW_LIST: setting(
      'What is kept of what images say of themselves: groups (ifd0, exif, gps, icc, iptc, xmp), values of them, or *.',
      list,
      'ifd0.Make,ifd0.Model,exif.FNumber,exif.ExposureTime,exif.FocalLength,exif.ISOSpeedRatings,icc,iptc',
    ),
    FILES_CHECKSUMS: setting(
      'Have every new file summed up (MD5) for clients of the legacy generation, not only those that come by it: 2 ms a MB.',
      flag,
      'false',
    ),
    IMPORT_IP_DENY_LIST: setting(
      'Addresses and networks that files are not imported from, beside all that are not public; 0.0.0.0 is this host.',
      list,
      '0.0.0.0,169.254.169.254',
    ),
    IMPORT_TIMEOUT: setting('The import of a file takes at most this long.', timeout, '1h'),
    IMPORT_MAX_FILE_SIZE: setting('Size of an imported file, or file of rows, at most.', size, '50mb'),
    TUS_ENABLED: setting('Take uploads that can be continued, by the tus protocol.', flag, 'false'),
    TUS_CHUNK_SIZE: setting('Size of the pieces in which they are kept and best sent; 64kb at least.', size, '10mb'),
    TUS_UPLOAD_EXPIRATION: setting('How long one of them may rest before it is given up.', lifetime, '10m'),
    TUS_CLEANUP_SCHEDULE: setting(
      'When those are removed, and what killed processes left in storage: five fields of cron, in UTC.',
      schedule,
      '0 * * * *',
    ),
  },
  Log: {
    LOG_LEVEL: setting('Least level that is logged.', choice('debug', 'info', 'warn', 'error', 'silent'), 'info'),
    LOG_STYLE: optional(
      'pretty for people (the default on a terminal) or raw: one JSON object per line.',
      choice('pretty', 'raw'),
    ),
  },
} as const

/** What is set for each of STORAGE_LOCATIONS, as STORAGE_<NAME>_DRIVER and so on. */
export const locationSettings = {
  DRIVER: setting('local (a folder) or s3 (a bucket).', choice('local', 's3'), 'local'),
  ROOT: optional('The folder, `uploads` in DATA_DIR when unset; or a folder in the bucket.', text),
  BUCKET: optional('Name of the bucket.', text),
  KEY: secret('Access key of the bucket.'),
  SECRET: secret('Secret of the access key.'),
  REGION: setting('Region of the bucket.', text, 'us-east-1'),
  ENDPOINT: optional('Address of the server that has the bucket.', url),
  FORCE_PATH_STYLE: setting('Name the bucket in the path instead of the host.', flag, 'false'),
  ACL: optional('Canned access rule of new objects.', text),
  SERVER_SIDE_ENCRYPTION: optional('How the server encrypts new objects.', text),
} as const

/** The typed values of one location. */
export type LocationValues = {
  readonly [K in keyof typeof locationSettings]: (typeof locationSettings)[K] extends Setting<infer T> ? T : never
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
      lines.push(`  ${name.padEnd(45)}${row.about}${row.fallback === null ? '' : ` [${row.fallback}]`}`)
    }
  }
  lines.push('', 'Of each storage location')
  for (const [name, row] of Object.entries(locationSettings)) {
    lines.push(
      `  ${`STORAGE_<NAME>_${name}`.padEnd(40)}${row.about}${row.fallback === null ? '' : ` [${row.fallback}]`}`,
    )
  }
  return lines.join('\n')
}
