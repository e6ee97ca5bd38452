/** A project on a running server: pulled, planned and pushed by its API, with the clients that a change breaks. */
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'
import { adminPassword, adminToken, createDatabase, openServer, run, textsIn } from '../test-program.ts'
import { ago } from './plan-words.ts'

// Each step opens a database.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 })

const root = mkdtempSync(join(tmpdir(), 'tandem-test-'))
const written = join(root, 'written')
/** Of a program that knows no database. */
const away = { TANDEM_TOKEN: adminToken, DB_CONNECTION_STRING: 'postgres://127.0.0.1:1/nowhere' }
const on = (...words: readonly string[]) => run(away, ...words, '--url', server.url)

const first = await createDatabase({ isMigrated: true })
const second = await createDatabase({ isMigrated: true, isEmbedded: true })
const admin = { ADMIN_EMAIL: 'admin@example.com', ADMIN_PASSWORD: adminPassword, ADMIN_TOKEN: adminToken }
const server = await openServer({ ...first.settings, ...admin, LOG_LEVEL: 'error', VALIDATE_RESPONSES: 'true' })
expect(await run(away, 'init', written)).toMatchObject({ code: 0 })
afterAll(async () => {
  await server.close()
  await first.remove()
  await second.remove()
  rmSync(root, { recursive: true, force: true })
})

test('files are planned, pushed and pulled without a database', async () => {
  const planned = await on('plan', written)
  expect([planned.code, planned.out.split('\n')]).toEqual([2, expect.arrayContaining(['Create role "Editor"'])])
  expect((await on('push', written, '--yes')).out).toContain('Applied.\n')
  expect(await on('plan', written)).toMatchObject({ code: 0 })
  expect(await on('pull', join(root, 'pulled'))).toMatchObject({ code: 0 })
  expect(await run(second.settings, 'push', join(root, 'pulled'), '--yes')).toMatchObject({ code: 0 })
  expect(await run(second.settings, 'pull', join(root, 'elsewhere'))).toMatchObject({ code: 0 })
  expect(textsIn(join(root, 'elsewhere'))).toEqual(textsIn(join(root, 'pulled')))
})

const callAs = (client: string, path: string) =>
  fetch(`${server.url}${path}`, { headers: { authorization: `Bearer ${adminToken}`, 'x-client': client } })

test('a plan names the clients that it breaks', async () => {
  expect((await callAs('shop-frontend/2.3.1', '/items/articles?fields=title,author.name')).status).toBe(200)
  expect((await callAs('old-app/1.0', '/_/items/authors?fields=*')).status).toBe(200)
  cpSync(written, join(root, 'changed'), { recursive: true })
  const file = join(root, 'changed/collections/authors.yaml')
  writeFileSync(file, readFileSync(file, 'utf8').replace('  name:\n', '  full_name:\n    renamed_from: name\n'))
  const planned = await on('plan', join(root, 'changed'), '--breaking')
  expect(planned.code).toBe(3)
  expect(planned.out.replaceAll(/\d+ seconds? ago/g, 'now').split('\n')).toEqual(
    expect.arrayContaining([
      'Rename field "authors.name" to "authors.full_name"',
      '  This change breaks shop-frontend 2.3 (last call now) at readItems articles.author.name',
      '  This change perhaps breaks old-app 1.0 (last call now) at legacy readItems authors.*',
    ]),
  )
  const json = JSON.parse((await on('plan', join(root, 'changed'), '--json')).out) as {
    readonly changes: readonly { readonly severity: string; readonly clients: readonly object[] }[]
  }
  expect(json.changes[0]).toMatchObject({
    severity: 'breaking',
    clients: expect.arrayContaining([
      expect.objectContaining({ client: 'shop-frontend 2.3', path: 'articles.author.name', severity: 'breaking' }),
    ]) as unknown,
  })
})

test('usage is printed by client and operation, with what takes the place of old operations', async () => {
  const { out } = await on('usage', '--client', 'old-app 1.0')
  expect(
    out
      .replaceAll(/\d+ seconds? ago/g, 'now')
      .split('\n')
      .slice(0, 3),
  ).toEqual(['old-app 1.0 legacy readItems: 1 call, last now', '  read authors: 1', '  read authors.*: 1'])
  expect(out).toContain('  now: GET /items/{collection}; ')
  expect((await on('usage', '--client', 'node')).out).toBe('No use by clients has been counted.\n')
  expect((await on('usage', '--client', 'tandem')).out).toContain('tandem current compareConfiguration: ')
  expect((await on('usage', '--client', 'nobody')).out).toBe('No use by clients has been counted.\n')
})

test('types are those that the token of the environment may read', async () => {
  const { code, out, error } = await run(away, 'types', '--url', server.url)
  expect([code, error]).toEqual([0, ''])
  expect(out).toContain('articles')
})

test('wrong tokens and addresses are refused in one line', async () => {
  const refused = await run({ ...away, TANDEM_TOKEN: 'not-the-token-of-anybody' }, 'plan', written, '--url', server.url)
  expect([refused.code, refused.error]).toEqual([1, expect.stringContaining('/configuration/plan answered with 401')])
  const nobody = await run({ DB_CONNECTION_STRING: away.DB_CONNECTION_STRING }, 'pull', root, '--url', server.url)
  expect([nobody.code, nobody.error]).toEqual([2, expect.stringContaining('TANDEM_TOKEN')])
  expect((await run(away, 'pull', root, '--url', 'nowhere')).code).toBe(2)
  const gone = await run(away, 'pull', root, '--url', 'http://127.0.0.1:1')
  expect([gone.code, gone.error]).toEqual([1, expect.stringContaining('GET http://127.0.0.1:1/configuration failed')])
})

const times: readonly (readonly [time: string, words: string])[] = [
  ['2026-09-14T09:22:53Z', '4 minutes ago'],
  ['2026-09-14T09:26:52Z', '1 second ago'],
  ['2026-09-11T09:26:53Z', '3 days ago'],
  ['2026-09-14T09:27:53Z', '0 seconds ago'],
]

test.each(times)('%s is %s', (time, words) => {
  expect(ago(time, new Date('2026-09-14T09:26:53Z'))).toBe(words)
})
