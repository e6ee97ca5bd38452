/** The settings of the HTTP server, its projects, history and log. */
import {
  age,
  choice,
  date,
  flag,
  integer,
  optional,
  orFalse,
  orNow,
  projectKey,
  schedule,
  secret,
  setting,
  size,
  text,
  wait,
} from '../kinds.ts'
import { origins, proxies, tokens, tokenText, url } from '../kinds-network.ts'

export const serverSettings = {
  HOST: setting('Address to listen on.', text, '0.0.0.0'),
  PORT: setting('Port to listen on; 0 = any free port.', integer(0, 65_535), '8055'),
  PUBLIC_URL: optional('Public URL of the server.', url),
  ROBOTS_TXT: optional('What /robots.txt tells search engines; unset = they may read nothing.', text),
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
}

export const projectSettings = {
  PROJECT_KEY: setting(
    'Key of the default project, as version 8 has it in addresses; requests to _ or to no project are for that project, too.',
    projectKey,
    '_',
  ),
  PROJECTS_DIR: optional(
    'Folder with a configuration file per project: api.json for _, api.<key>.json for others; api.php, api.<key>.php or <key>.php of version 8.',
    text,
  ),
  SUPER_ADMIN_TOKEN: secret(
    'Token with which requests create and delete projects; unset = no request can.',
    tokenText(16),
  ),
}

export const corsSettings = {
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
}

export const legacySettings = {
  LEGACY_ENABLED: setting(
    'Serve the API of version 8. SCIM and custom endpoints are served in any case.',
    flag,
    'true',
  ),
  LEGACY_DEPRECATION: setting(
    'Tell its clients in headers that it is deprecated: since the start of the server (true), or since or from a date.',
    orFalse(orNow(date)),
    'false',
  ),
  LEGACY_SUNSET: optional('Date on which it will be turned off, for the header Sunset.', date),
}

export const historySettings = {
  RETENTION_ENABLED: setting('Delete old history.', flag, 'false'),
  RETENTION_SCHEDULE: setting('When old history is deleted: cron with five fields, in UTC.', schedule, '0 0 * * *'),
  RETENTION_BATCH: setting('Number of rows per deletion.', integer(1, 100_000), '500'),
  ACTIVITY_RETENTION: setting('How long activity is kept; false = forever.', age, '90d'),
  REVISIONS_RETENTION: setting('How long revisions are kept; false = forever.', age, '90d'),
}

export const logSettings = {
  LOG_LEVEL: setting('Minimum log level.', choice('debug', 'info', 'warn', 'error', 'silent'), 'info'),
  LOG_STYLE: optional(
    'pretty for people (the default on a terminal) or raw: one JSON object per line.',
    choice('pretty', 'raw'),
  ),
}
