/**
 * The table of all environment variables that Tandem reads: description, type and default. `config/config.ts` parses
 * values with it, and `tandem start --help` prints it.
 */

import { usualBounds } from '../domain/conditions/query-cost.ts'
import { feedSettings, socketSettings, webhookSettings } from './feed-settings.ts'
import {
  age,
  atLeast,
  choice,
  decimal,
  documents,
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
  orNone,
  prefix,
  type Setting,
  schedule,
  secret,
  setting,
  size,
  sslModes,
  text,
  timeout,
  version,
  wait,
} from './kinds.ts'
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
} from './kinds-network.ts'
import { legacySettings } from './legacy-settings.ts'
import { pressureSettings, telemetrySettings, usageSettings } from './operation-settings.ts'
import { providersSettings } from './providers/provider-settings.ts'
import { replicaSettings } from './server/server-settings.ts'
import { fileSettings } from './settings-files.ts'

/** The table. Its order and groups are those of the help text. */
export const settings = {
  Server: {
    HOST: setting('Address to listen on.', text, '0.0.0.0'),
    PORT: setting('Port to listen on; 0 = any free port.', integer(0, 65_535), '8055'),
    PUBLIC_URL: optional('Public URL of the server.', url),
    MAX_PAYLOAD_SIZE: setting('Largest request body.', size, '1mb'),
    MAX_SCHEMA_SIZE: setting('Largest request body of /schema/diff and /schema/apply.', size, '16mb'),
    SERVER_SHUTDOWN_TIMEOUT: setting(
      'How long running requests may take to finish when the server stops. Three seconds later it ends in any case.',
      wait,
      '10s',
    ),
    IP_TRUST_PROXY: setting('Proxies whose X-Forwarded-For header is trusted.', proxies, 'false'),
    EXTENSIONS_PATH: optional(
      'Folder of extensions: interfaces, layouts, modules and pages with a meta.json each, and modules in endpoints.',
      text,
    ),
    PROJECT_NAME: setting('Project name for a new database.', text, 'Tandem'),
  },
  Database: {
    DATA_DIR: setting('Folder of the embedded database and of the generated secret.', text, './data'),
    DB_CLIENT: optional(
      'pglite is embedded and needs nothing; pg is a Postgres server, mysql one of MariaDB or MySQL. When unset: what DB_CONNECTION_STRING names, pg if DB_HOST is set, else pglite.',
      choice('pglite', 'pg', 'mysql'),
    ),
    DB_CONNECTION_STRING: secret(
      'URL of the server: postgres://user:password@host:5432/name, or mysql://user:password@host:3306/name.',
    ),
    DB_HOST: optional('Host of the server, without a connection string.', text),
    DB_PORT: optional('Port of the server: 5432 for pg, 3306 for mysql, unless set.', integer(1, 65_535)),
    DB_SOCKET: optional('Path of the socket of a MariaDB or MySQL server, in place of host and port.', text),
    DB_DATABASE: optional('Name of the database.', text),
    DB_USER: optional('Name of the database user.', text),
    DB_PASSWORD: secret('Password of the database user.'),
    DB_SSL: setting('Encrypt the connection; no-verify accepts any certificate.', sslModes, 'false'),
    DB_POOL__MIN: setting('Minimum number of open connections.', integer(0, 1000), '0'),
    DB_POOL__MAX: setting('Maximum number of connections.', integer(1, 1000), '10'),
    DB_RANDOM_PAGE_COST: setting(
      'random_page_cost of the Postgres planner: 1.1 suits solid-state disks and cached data; 0 = setting of the server.',
      decimal(0, 1000),
      '1.1',
    ),
    DB_POOL_SHARE: setting(
      'Share of the connections that one user, or one anonymous address, may use at the same time.',
      fraction,
      '0.5',
    ),
    DB_POOL_SHARE_WAIT: setting(
      'How long a request waits for a connection of that share before it gets 503.',
      timeout,
      '5s',
    ),
    DB_SEARCH_PATH: setting(
      'Database schemas that are served; system tables are created in the first.',
      names,
      'public',
    ),
    ...replicaSettings,
    DB_EXCLUDE_TABLES: setting('Tables that are not served.', list, 'spatial_ref_sys,sysdiagrams'),
  },
  Projects: {
    PROJECTS_DIR: optional(
      'Folder with a configuration file per project: api.json for _, api.<key>.json for others; api.php of version 8.',
      text,
    ),
    SUPER_ADMIN_TOKEN: secret(
      'Token with which requests create and delete projects; unset = no request can.',
      tokenText(16),
    ),
  },
  'First administrator': {
    ADMIN_EMAIL: setting('E-mail address of the administrator of a new database.', emailAddress, 'admin@example.com'),
    ADMIN_PASSWORD: secret('Password of the administrator; generated and printed once if unset.', atLeast(8)),
    ADMIN_TOKEN: secret(
      'Static token of the administrator; given at any start to the one of ADMIN_EMAIL who has none.',
      tokenText(16),
    ),
    ADMIN_SETUP: setting(
      'Do not create an administrator at the start; the first POST /server/setup creates it.',
      flag,
      'false',
    ),
  },
  'Tokens and passwords': {
    SECRET: secret(
      'Key of all signatures; generated and kept in DATA_DIR if unset. All replicas need the same.',
      atLeast(32),
    ),
    ACCESS_TOKEN_TTL: setting('Lifetime of an access token.', lifetime, '15m'),
    REFRESH_TOKEN_TTL: setting('Lifetime of a refresh token.', lifetime, '7d'),
    REFRESH_TOKEN_COOKIE_NAME: setting('Name of the refresh cookie.', cookieName, 'platform_refresh_token'),
    REFRESH_TOKEN_COOKIE_DOMAIN: optional('Domain of the refresh cookie.', cookieDomain),
    REFRESH_TOKEN_COOKIE_SECURE: optional(
      'Send the refresh cookie only over https; if unset, when PUBLIC_URL or the request is https.',
      flag,
    ),
    REFRESH_TOKEN_COOKIE_SAME_SITE: setting('SameSite of the refresh cookie.', choice('lax', 'strict', 'none'), 'lax'),
    LOGIN_STALL_TIME: setting(
      'Minimum duration of a login, so that it does not reveal whether the user exists.',
      wait,
      '500ms',
    ),
    REGISTER_STALL_TIME: setting(
      'Minimum duration of a registration, so that it does not reveal whether the address exists.',
      wait,
      '750ms',
    ),
    PASSWORD_RESET_TOKEN_TTL: setting('Lifetime of password reset links.', lifetime, '1d'),
    USER_INVITE_TOKEN_TTL: setting('Lifetime of invitation links.', lifetime, '7d'),
    EMAIL_VERIFICATION_TOKEN_TTL: setting('Lifetime of links that confirm a registration.', lifetime, '7d'),
    PASSWORD_RESET_URL_ALLOW_LIST: setting('Allowed values of `reset_url`.', pages, ''),
    USER_INVITE_URL_ALLOW_LIST: setting('Allowed values of `invite_url`.', pages, ''),
    USER_REGISTER_URL_ALLOW_LIST: setting('Allowed values of `verification_url`.', pages, ''),
    HASH_MEMORY_COST: setting('KiB of memory for one argon2id hash.', integer(8, 4_194_304), '65536'),
    HASH_TIME_COST: setting('Passes of one argon2id hash.', integer(1, 100), '3'),
    HASH_PARALLELISM: setting('Lanes of one argon2id hash.', integer(1, 64), '4'),
    HASH_LENGTH: setting('Bytes of one argon2id hash.', integer(16, 128), '32'),
  },
  'Identity providers': providersSettings,
  Mail: {
    EMAIL_TRANSPORT: setting(
      'file writes mails into DATA_DIR/mail, console prints them; smtp (also for SES, Mailgun and SendGrid) and sendmail send them.',
      choice('file', 'console', 'smtp', 'sendmail'),
      'file',
    ),
    EMAIL_FROM: setting('Sender of mails.', mailSender, 'no-reply@example.com'),
    EMAIL_VERIFY_SETUP: setting('Test the mail server at the start, and log errors.', flag, 'true'),
    EMAIL_TEMPLATES_PATH: optional(
      'Folder of Liquid templates that replace built-in ones, such as password-reset.html.liquid and .text.liquid.',
      text,
    ),
    EMAIL_SMTP_HOST: optional('Host of the mail server.', text),
    EMAIL_SMTP_PORT: optional('Port of the mail server; 587, or 465 with EMAIL_SMTP_SECURE.', integer(1, 65_535)),
    EMAIL_SMTP_USER: optional('User name for the mail server.', text),
    EMAIL_SMTP_PASSWORD: secret('Password for the mail server.'),
    EMAIL_SMTP_POOL: setting('Keep connections to the mail server open.', flag, 'false'),
    EMAIL_SMTP_SECURE: setting('Use implicit TLS; otherwise STARTTLS if the server offers it.', flag, 'false'),
    EMAIL_SMTP_IGNORE_TLS: setting('Do not use STARTTLS even if the server offers it.', flag, 'false'),
    EMAIL_SMTP_NAME: optional('Host name of this server in EHLO.', text),
    EMAIL_SENDMAIL_PATH: setting('Path of the sendmail program.', text, '/usr/sbin/sendmail'),
    EMAIL_SENDMAIL_NEW_LINE: setting('Line breaks for sendmail.', choice('unix', 'windows'), 'unix'),
  },
  Limits: {
    QUERY_LIMIT_DEFAULT: setting('Number of rows of a read without a limit.', integer(1), '100'),
    QUERY_LIMIT_MAX: optional('Maximum number of rows of a read; -1 or unset = unlimited.', orNone(integer(1))),
    MAX_RELATIONAL_DEPTH: setting('Levels of relations in one query.', integer(2, 50), '10'),
    QUERY_MAX_REPEATS: setting(
      'How many times one path of fields or conditions may visit the same list.',
      integer(1, 50),
      String(usualBounds.repeats),
    ),
    QUERY_MAX_ROWS: setting(
      'Maximum estimated rows of a query: the product of the limits of its levels; a list without a limit counts as 100.',
      orFalse(integer(1)),
      String(usualBounds.rows),
    ),
    QUERY_MAX_CELLS: setting(
      'Maximum estimated cells of an answer: rows × fields by the sizes of tables; a field counts once per 32 bytes.',
      orFalse(integer(1)),
      String(usualBounds.cells),
    ),
    QUERY_TIMEOUT: setting('Time of a read in the database; longer ones get 503.', timeout, '10s'),
    MAX_BATCH_MUTATION: setting('Items of one write at most, related ones included.', orFalse(integer(1)), '10000'),
    BATCH_TIMEOUT: setting('Time of a batch of operations in one transaction; longer ones are undone.', timeout, '30s'),
    IDEMPOTENCY_TTL: setting('How long answers are kept under an Idempotency-Key.', lifetime, '24h'),
    IDEMPOTENCY_MAX_KEYS: setting(
      'Idempotency-Keys of one caller that are kept at the same time.',
      integer(1, 10_000_000),
      '100000',
    ),
    IDEMPOTENCY_MAX_ANSWER: setting('Largest answer to a request with an Idempotency-Key.', size, '256kb'),
    GRAPHQL_INTROSPECTION: setting('Let GraphQL clients ask what can be asked.', flag, 'true'),
    GRAPHQL_QUERY_TOKEN_LIMIT: setting('Tokens of a GraphQL document.', integer(10, 1_000_000), '5000'),
    GRAPHQL_MAX_DEPTH: setting('Levels of fields in a GraphQL document.', integer(1, 100), '20'),
    GRAPHQL_MAX_ALIASES: setting('Aliases of a GraphQL document.', integer(0, 100_000), '200'),
    GRAPHQL_MAX_ROOT_FIELDS: setting('Fields of Query or Mutation in one GraphQL operation.', integer(1, 10_000), '50'),
    GRAPHQL_MAX_DIRECTIVES: setting('Directives of a GraphQL document.', integer(0, 100_000), '100'),
    GRAPHQL_DOCUMENTS: optional(
      'Documents that GraphQL clients may name by their SHA-256, as JSON; `GRAPHQL_DOCUMENTS_FILE` names a file of them.',
      documents,
    ),
    GRAPHQL_DOCUMENTS_ONLY: setting('Run no other documents than those of GRAPHQL_DOCUMENTS.', flag, 'false'),
    STRICT_QUERY: setting(
      'Refuse unknown query parameters, and unknown fields in bodies of administrators, instead of ignoring them.',
      flag,
      'false',
    ),
    SYSTEM_COLLECTION_ALIASES: setting(
      'Let clients of the current generation name system collections `directus_…` wherever the name of a collection is a value.',
      flag,
      'true',
    ),
    SYSTEM_COLLECTION_PREFIX: setting(
      'Prefix of the names of system collections in requests and answers of the current generation: `directus_` for tools that know no other.',
      prefix,
      'platform_',
    ),
    MCP_ENABLED: setting('Serve agents by the Model Context Protocol at `/mcp`.', flag, 'true'),
    SERVER_TIMING: optional(
      'Tell administrators in the header Server-Timing how long each station of a request took; by default where NODE_ENV is development.',
      flag,
    ),
    NODE_ENV: setting('`development` turns on what helps with development: SERVER_TIMING.', text, 'production'),
    COMPATIBLE_VERSION: setting(
      'Version of the platform whose current API the server has, which `/server/info` and snapshots tell to tools of that platform.',
      version,
      '12.2.1',
    ),
    VALIDATE_RESPONSES: setting('Check every answer against the spec (for development).', flag, 'false'),
  },
  'Version 8': legacySettings,
  'Use by clients': usageSettings,
  'Rate limits': {
    RATE_LIMITER_ENABLED: setting('Limit requests per address.', flag, 'false'),
    RATE_LIMITER_POINTS: setting('Requests per address and window.', integer(1, 1_000_000_000), '50'),
    RATE_LIMITER_DURATION: setting('Length of that window in seconds.', integer(1, 86_400), '1'),
    RATE_LIMITER_STORE: setting('Store of all counters.', choice('memory', 'redis'), 'memory'),
    RATE_LIMITER_GLOBAL_ENABLED: setting('Limit requests of all addresses together.', flag, 'false'),
    RATE_LIMITER_GLOBAL_POINTS: setting('Requests of all addresses per window.', integer(1, 1_000_000_000), '1000'),
    RATE_LIMITER_GLOBAL_DURATION: setting('Length of that window in seconds.', integer(1, 86_400), '1'),
    KEY_LIMIT_REQUESTS: optional('Requests per API key and window; unset = unlimited.', integer(1, 1_000_000_000)),
    KEY_LIMIT_COST: optional(
      'Cost per API key and window, in estimated cells of answers and written values; unset = unlimited.',
      integer(1, 1_000_000_000),
    ),
    KEY_LIMIT_DURATION: setting('Length of that window in seconds.', integer(1, 86_400), '60'),
    RATE_LIMITER_LOGIN_ENABLED: setting(
      'Limit failed logins per account, and ten times as many per address.',
      flag,
      'true',
    ),
    RATE_LIMITER_LOGIN_POINTS: setting('Failed logins per account and window.', integer(1, 1_000_000), '25'),
    RATE_LIMITER_LOGIN_DURATION: setting('Length of that window in seconds.', integer(1, 86_400), '300'),
    RATE_LIMITER_REGISTRATION_ENABLED: setting('Limit registrations per address.', flag, 'true'),
    RATE_LIMITER_REGISTRATION_POINTS: setting('Registrations per address and window.', integer(1, 1_000_000), '5'),
    RATE_LIMITER_REGISTRATION_DURATION: setting('Length of that window in seconds.', integer(1, 86_400), '60'),
    RATE_LIMITER_EMAIL_ENABLED: setting(
      'Limit mails of one kind per recipient, and a hundred times as many per requester.',
      flag,
      'true',
    ),
    RATE_LIMITER_EMAIL_POINTS: setting('Mails of one kind per recipient and window.', integer(1, 1_000_000), '5'),
    RATE_LIMITER_EMAIL_DURATION: setting('Length of that window in seconds.', integer(1, 86_400), '3600'),
  },
  Pressure: pressureSettings,
  Telemetry: telemetrySettings,
  'Response cache': {
    CACHE_ENABLED: setting('Cache responses to GET, separately for callers with different rights.', flag, 'false'),
    CACHE_STORE: setting('Store of the response cache.', choice('memory', 'redis'), 'memory'),
    CACHE_NAMESPACE: setting('Prefix of cache keys in Redis.', text, 'tandem-cache'),
    CACHE_TTL: setting('Lifetime of cached responses.', lifetime, '5m'),
    CACHE_AUTO_PURGE: setting('Purge the response cache after every write.', flag, 'false'),
    CACHE_AUTO_PURGE_IGNORE_LIST: setting('Collections whose writes do not purge the cache.', list, 'activity,presets'),
    CACHE_CONTROL_S_MAXAGE: setting('s-maxage of responses for shared caches, in seconds.', orFalse(integer(0)), '0'),
    CACHE_SKIP_ALLOWED: setting('Let clients bypass the cache with Cache-Control: no-store.', flag, 'false'),
    CACHE_STATUS_HEADER: optional('Name of a response header with HIT or MISS.', headerName),
    CACHE_TAG_HEADERS: setting(
      'Name what cached responses were made from in Surrogate-Key and Cache-Tag, for a network of caches that removes these headers.',
      flag,
      'false',
    ),
    CACHE_VALUE_MAX_SIZE: setting('Largest response that is cached.', orFalse(size), 'false'),
  },
  Redis: {
    REDIS: secret('URL of Redis: redis://user:password@host:6379/0.', redisUrl),
    REDIS_HOST: optional('Host of Redis, without a URL.', text),
    REDIS_PORT: setting('Port of Redis.', integer(1, 65_535), '6379'),
    REDIS_USERNAME: optional('Name of the Redis user.', text),
    REDIS_PASSWORD: secret('Password of the Redis user.'),
    REDIS_DB: setting('Number of the Redis database.', integer(0, 65_535), '0'),
  },
  'Cross-origin and transport': {
    CORS_ENABLED: setting('Allow cross-origin requests (CORS).', flag, 'false'),
    CORS_ORIGIN: setting('Allowed origins.', origins, 'false'),
    CORS_METHODS: setting('Allowed methods.', tokens, 'GET,POST,PATCH,DELETE,SEARCH'),
    CORS_ALLOWED_HEADERS: setting(
      'Allowed request headers; `*` stands for one word.',
      tokens,
      'Content-Type,Authorization,Idempotency-Key,X-Client,X-*-Project',
    ),
    CORS_EXPOSED_HEADERS: setting(
      'Response headers that scripts may read.',
      tokens,
      'Content-Range,RateLimit,RateLimit-Policy,Retry-After',
    ),
    CORS_CREDENTIALS: setting('Allow cookies in cross-origin requests (only with a list of origins).', flag, 'true'),
    CORS_MAX_AGE: setting('Seconds for which a preflight response is cached.', integer(0), '18000'),
    HSTS_ENABLED: setting('Send Strict-Transport-Security, so that browsers use only https.', flag, 'false'),
    HSTS_MAX_AGE: setting('max-age of Strict-Transport-Security, in seconds.', integer(0), '15552000'),
  },
  History: {
    RETENTION_ENABLED: setting('Delete old history.', flag, 'false'),
    RETENTION_SCHEDULE: setting('When old history is deleted: cron with five fields, in UTC.', schedule, '0 0 * * *'),
    RETENTION_BATCH: setting('Number of rows per deletion.', integer(1, 100_000), '500'),
    ACTIVITY_RETENTION: setting('How long activity is kept; false = forever.', age, '90d'),
    REVISIONS_RETENTION: setting('How long revisions are kept; false = forever.', age, '90d'),
  },
  Changes: feedSettings,
  Webhooks: webhookSettings,
  'Live connections': socketSettings,
  Files: fileSettings,
  Log: {
    LOG_LEVEL: setting('Minimum log level.', choice('debug', 'info', 'warn', 'error', 'silent'), 'info'),
    LOG_STYLE: optional(
      'pretty for people (the default on a terminal) or raw: one JSON object per line.',
      choice('pretty', 'raw'),
    ),
  },
} as const

type Union<T> = (T extends unknown ? (each: T) => void : never) extends (each: infer I) => void ? I : never

/** All rows of the table, without groups. */
export type Settings = Union<(typeof settings)[keyof typeof settings]>

export type Values = { readonly [K in keyof Settings]: Settings[K] extends Setting<infer T> ? T : never }

/** Name and row of every setting, in order. */
export const settingList: readonly (readonly [string, Setting<unknown>])[] = Object.values(settings).flatMap((group) =>
  Object.entries(group as { readonly [name: string]: Setting<unknown> }),
)
