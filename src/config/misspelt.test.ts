import { expect, test } from 'vitest'
import { findMisspelt } from './misspelt.ts'
import { settingList } from './settings.ts'

test.each([
  ['ADMIN_EMIAL', 'ADMIN_EMAIL'],
  ['ADMIN_EMAI', 'ADMIN_EMAIL'],
  ['ADMIN_PASWORD_FILE', 'ADMIN_PASSWORD_FILE'],
  ['DB_CONECTION_STRING', 'DB_CONNECTION_STRING'],
  ['DB_POOL_MAX', 'DB_POOL__MAX'],
  ['DB_HSOT', 'DB_HOST'],
  ['CORS_ORIGINS', 'CORS_ORIGIN'],
  ['PUBLIC_URI', 'PUBLIC_URL'],
  ['SERCET', 'SECRET'],
  ['PROT', 'PORT'],
  ['PORTT', 'PORT'],
  ['PRT', 'PORT'],
  ['PORY', 'PORT'],
  ['HSOT', 'HOST'],
  ['SECRT', 'SECRET'],
  ['REDIIS', 'REDIS'],
  ['CACHE_ENABLD', 'CACHE_ENABLED'],
  ['db_client', 'DB_CLIENT'],
  ['STORAGE_LOCATION', 'STORAGE_LOCATIONS'],
  ['STORAGE_PHOTOS_BUKCET', 'STORAGE_PHOTOS_BUCKET'],
])('%s is likely to be meant as %s', (name, suggestion) => {
  expect(findMisspelt([name], ['local', 'photos'], [])).toEqual([{ name, suggestion }])
})

const foreign = `
  PATH HOME USER SHELL LANG PWD HOSTNAME LOGNAME TERM TMPDIR EDITOR PAGER MAIL SHLVL OLDPWD LS_COLORS
  LC_ALL DISPLAY SSH_AUTH_SOCK XDG_DATA_DIRS XDG_DATA_HOME DEBIAN_FRONTEND NODE_ENV NODE_OPTIONS
  NODE_PATH CI DEBUG npm_config_user_agent npm_package_name INIT_CWD VITEST HTTP_PROXY HTTPS_PROXY
  NO_PROXY http_proxy no_proxy FORCE_COLOR NO_COLOR COLORTERM TZ HOST_IP PGHOST PGPORT PGDATABASE
  PGUSER PGPASSWORD DATABASE_URL POSTGRES_USER POSTGRES_PASSWORD POSTGRES_DB DB_NAME DB_URL DB_PASS
  DB_USERNAME DB_TYPE REDIS_URL REDIS_TLS_URL MAIL_FROM MAIL_HOST SMTP_HOST KUBERNETES_SERVICE_HOST
  KUBERNETES_PORT REDIS_PORT_6379_TCP REDIS_SERVICE_HOST REDIS_SERVICE_PORT POD_IP AWS_REGION
  AWS_SECRET_ACCESS_KEY SECRETS SECRET_KEY SECRET_KEY_BASE PORTS POST HOSTS PORT_HTTP LOG_FILE LOG_DIR
  LOG_FORMAT DATA DATA_PATH PID_FILE ENV_FILE APP_NAME APP_URL BASE_URL TEST_DATABASE_URL CACHE_DIR
  CACHE_URL ADMIN_USER ADMIN_NAME EMAIL EMAIL_HOST RATE_LIMIT HASH_ALGORITHM TUS_URL FILES_DIR
`

test('names of other programs are not reported', () => {
  expect(findMisspelt(foreign.trim().split(/\s+/), ['local'], [])).toEqual([])
})

test('settings are not confused with each other', () => {
  const names = settingList.flatMap(([name]) => [name, `${name}_FILE`])
  expect(findMisspelt([...names, 'STORAGE_LOCAL_ROOT'], ['local'], [])).toEqual([])
})
