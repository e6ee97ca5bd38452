/** What the doctor finds. */
import { afterAll, expect, test, vi } from 'vitest'
import { textFor } from '../../sql/testing/test-database.ts'
import { perVendor } from '../../sql/testing/test-vendors.ts'
import { adminPassword, createDatabase, run } from '../test-program.ts'
import type { Finding } from './findings.ts'

// Each command opens the database.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 180_000 })

const place = await createDatabase({ isMigrated: true })
const settings = {
  ...place.settings,
  ADMIN_PASSWORD: adminPassword,
  EMAIL_TRANSPORT: 'smtp',
  EMAIL_SMTP_HOST: '127.0.0.1',
  EMAIL_SMTP_PORT: '1',
  PUBLIC_URL: 'https://api.example.com',
}
await place.onDatabase(async (db) => {
  for (const text of [
    'create table firms (id serial primary key, name text)',
    'create table people (id serial primary key, firm integer references firms (id), city varchar(50), age integer)',
    `insert into firms (name) values ('A')`,
    `insert into people (firm, city) select 1, 'x' from generate_series(1, 1500) n`,
    'create index on people (city, age)',
    'analyze people',
    `insert into platform_policies (id, name) values ('00000000-0000-4000-8000-0000000000f1', 'Mine')`,
    `insert into platform_permissions (id, policy, collection, action, fields, permissions) values
        (901, '00000000-0000-4000-8000-0000000000f1', 'people', 'read', '*', '{"_and":[{"age":{"_gt":7}},{"city":{"_eq":"x"}}]}'),
        (902, '00000000-0000-4000-8000-0000000000f1', 'poeple', 'read', '*', null)`,
  ])
    await db.run({ text: textFor(db, text), values: [] })
})
afterAll(() => place.remove())

const find = (findings: readonly Finding[], component: string) =>
  findings.filter((each) => each.component === component).map(({ state, text, advice }) => [state, text, advice])

/** The finding about a column of `people`; `use` is part of an expression. */
const missing = (column: string, use: string) => [
  'warn',
  expect.stringMatching(`^"people"."${column}" has no index, in about 1\\d{3} rows; used by ${use}$`),
  perVendor({
    postgres: `create index concurrently on "people" ("${column}");`,
    mariadb: `alter table \`people\` add index (\`${column}\`), lock=none;`,
  }),
]

const isEmbedded = process.env['TEST_DATABASE_URL'] === undefined
const postgres = isEmbedded ? /^The embedded database, Postgres \d/ : /^Postgres \d/

test('the doctor names what is wrong, and what to do', async () => {
  const { code, out } = await run({ ...settings, CACHE_ENABELD: 'true', AUTH_ACME_CLIENT_ID: 'x' }, 'doctor', '--json')
  const findings = JSON.parse(out) as readonly Finding[]
  expect(code).toBe(0)
  expect(find(findings, 'settings')).toEqual([
    ['warn', 'Unknown setting CACHE_ENABELD', 'Rename it to CACHE_ENABLED, or remove it'],
    ['warn', 'Unknown setting AUTH_ACME_CLIENT_ID', 'Remove it: it has no effect'],
    ...find(findings, 'settings').slice(2),
  ])
  expect(find(findings, 'database')[0]).toEqual([
    'ok',
    expect.stringMatching(perVendor({ postgres, mariadb: /^MariaDB \d/ })),
    undefined,
  ])
  expect(find(findings, 'clock')[0]?.[0]).toBe('ok')
  // MariaDB makes an index for each foreign key.
  expect(find(findings, 'indexes')).toEqual([
    ...perVendor({ postgres: [missing('firm', 'the relation to firms')], mariadb: [] }),
    missing('age', 'permission 901 \\(read\\)'),
  ])
  expect(find(findings, 'rights')).toEqual([
    ['warn', expect.stringMatching(/^Permission 902 .*"poeple"/), 'Correct or delete the permission'],
  ])
  expect(find(findings, 'storage')).toEqual([['ok', 'Location "local" takes, gives and deletes files', undefined]])
  expect(find(findings, 'mail')).toEqual([
    ['warn', expect.stringMatching(/^Mails cannot be sent: /), expect.stringContaining('EMAIL_')],
  ])
  expect(find(findings, 'redis')).toEqual([['ok', 'Not used', undefined]])
})

test('a component that does not work fails the command and is printed as text', async () => {
  const broken = {
    ...settings,
    CACHE_ENABLED: 'true',
    CACHE_STORE: 'redis',
    REDIS: 'redis://127.0.0.1:1',
    STORAGE_LOCATIONS: 'local',
    STORAGE_LOCAL_ROOT: '/dev/null/nowhere',
  }
  const { code, out } = await run(broken, 'doctor')
  expect(code).toBe(1)
  expect(out).toMatch(/^error storage +Location "local" fails: .*\n +→ Check STORAGE_LOCAL_…/m)
  expect(out).toMatch(/^error redis +It does not answer: .*\n +→ Start it, or check REDIS/m)
})

test('a secret that is no random text, and a time that is none', async () => {
  const { out } = await run({ ...settings, SECRET: 'a'.repeat(40) }, 'doctor')
  expect(out).toMatch(
    /^warn +settings +SECRET consists of less than 8 different characters\n +→ Set SECRET to a random/m,
  )
  const { code, error } = await run(settings, 'doctor', '--timeout', '-1')
  expect([code, error]).toEqual([
    2,
    "tandem: option '--timeout <seconds>' argument '-1' is invalid. Expected seconds, more than 0 and at most 3600.\n",
  ])
})
