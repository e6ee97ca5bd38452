/** Webhooks in the files of a project: pulled with references to their secrets, pushed, and never shown. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'
import { toYaml } from '../../exchange/documents.ts'
import { createDatabase, run } from '../test-program.ts'

// Each step opens the database.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const root = mkdtempSync(join(tmpdir(), 'tandem-test-'))
const folder = join(root, 'project')
const chosen = `whsec_${Buffer.alloc(24, 7).toString('base64')}`
const other = `whsec_${Buffer.alloc(24, 8).toString('base64')}`
afterAll(async () => {
  rmSync(root, { recursive: true, force: true })
  await database.remove()
})

const write = (path: string, content: unknown): void => writeFileSync(join(folder, path), toYaml(content))

const database = await createDatabase({ isMigrated: true })
mkdirSync(join(folder, 'collections'), { recursive: true })
mkdirSync(join(folder, 'roles'))
const id = { type: 'integer', column: { is_primary_key: true, has_auto_increment: true } }
write('collections/posts.yaml', { collection: 'posts', fields: { id } })
write('roles/readers.yaml', { role: 'Readers' })
write('roles/odd.yaml', { role: '__proto__' })
const read = (): string => readFileSync(join(folder, 'webhooks.yaml'), 'utf8')
const on = (variables: { readonly [name: string]: string }, ...words: readonly string[]) =>
  run({ ...database.settings, ...variables }, ...words)
const rows = () =>
  database.onDatabase(
    async (db) =>
      (
        await db.run({
          text: `select w.name, w.url, w.actions, w.collections, w.status, w.secret, r.name as role
            from platform_webhooks w left join platform_roles r on r.id = w.role order by w.name`,
          values: [],
        })
      ).rows as readonly { readonly [column: string]: unknown }[],
  )

const search = { name: 'Search index', url: 'https://example.com/hook', collections: ['posts'], actions: ['create'] }

test('a webhook is planned, pushed and pulled, and its secret is a reference', async () => {
  write('webhooks.yaml', [{ ...search, role: 'Readers', secret: '$env:HOOK_SECRET' }])
  const planned = await on({ HOOK_SECRET: chosen }, 'plan', folder)
  expect(planned).toMatchObject({ code: 2 })
  expect(planned.out).toContain('Create the webhook "Search index"')
  expect(planned.out).toContain('Create role "__proto__"')
  expect(await on({ HOOK_SECRET: chosen }, 'push', folder, '--yes')).toMatchObject({ code: 0 })
  const stored = { name: 'Search index', url: search.url, actions: 'create', collections: 'posts', status: 'active' }
  expect(await rows()).toEqual([{ ...stored, secret: chosen, role: 'Readers' }])
  expect(await on({ HOOK_SECRET: chosen }, 'plan', folder)).toMatchObject({ code: 0, out: 'Nothing differs.\n' })
  expect(await on({}, 'pull', folder)).toMatchObject({ code: 0 })
  expect(read()).toContain('secret: $env:WEBHOOK_SECRET_SEARCH_INDEX')
  expect(read()).toContain('role: Readers')
  expect(read()).not.toContain(chosen)
  expect(await on({}, 'plan', folder, '--check')).toMatchObject({ code: 0, out: 'Nothing differs.\n' })
})

test('a variable changes the secret, and without one the stored secret stays', async () => {
  const changed = await on({ WEBHOOK_SECRET_SEARCH_INDEX: other }, 'plan', folder)
  expect([changed.code, changed.out]).toEqual([2, 'Change the webhook "Search index": secret (a secret)\n'])
  expect(await on({ WEBHOOK_SECRET_SEARCH_INDEX: other }, 'push', folder, '--yes')).toMatchObject({ code: 0 })
  writeFileSync(join(folder, 'webhooks.yaml'), read().replace('/hook', '/other'))
  const moved = await on({}, 'plan', folder)
  expect(moved.out).toBe(
    'Change the webhook "Search index": url: "https://example.com/hook" → "https://example.com/other"\n',
  )
  expect(await on({}, 'push', folder, '--yes')).toMatchObject({ code: 0 })
  expect(await rows()).toMatchObject([{ url: 'https://example.com/other', secret: other }])
})

test('a new one gets a secret by itself, needs a role, and goes with --prune', async () => {
  const files = {
    name: 'Files',
    url: 'https://example.com/files',
    collections: ['platform_files'],
    actions: ['delete'],
  }
  const before = read()
  writeFileSync(join(folder, 'webhooks.yaml'), `${before}${toYaml([files])}`)
  const reason = expect.stringContaining('Expected "role" for the new webhook "Files"') as string
  for (const words of [['plan'], ['push', '--yes']]) {
    const refused = await on({}, ...words, folder)
    expect([refused.code, refused.out, refused.error]).toEqual([1, '', reason])
  }
  writeFileSync(join(folder, 'webhooks.yaml'), `${before}${toYaml([{ ...files, role: 'Readers' }])}`)
  expect(await on({}, 'push', folder, '--yes')).toMatchObject({ code: 0 })
  const secrets = (await rows()).map(({ name, secret }) => [name, String(secret).slice(0, 6)])
  expect(secrets).toEqual([
    ['Files', 'whsec_'],
    ['Search index', 'whsec_'],
  ])
  writeFileSync(join(folder, 'webhooks.yaml'), before)
  const plan = await on({}, 'plan', folder)
  expect(plan).toMatchObject({ code: 0 })
  expect(await on({}, 'push', folder, '--yes', '--prune')).toMatchObject({ code: 0 })
  expect((await rows()).map(({ name }) => name)).toEqual(['Search index'])
})

test('headers are references, keep their stored values, and are in no plan', async () => {
  const hidden = 'Bearer of-the-receiver'
  const headers = [{ header: 'Authorization', value: '$env:HOOK_TOKEN' }]
  write('webhooks.yaml', [{ ...search, url: 'https://example.com/other', role: 'Readers', headers }])
  const missing = await on({}, 'plan', folder)
  expect([missing.code, missing.error]).toEqual([1, expect.stringContaining('the variable HOOK_TOKEN for the header')])
  const planned = await on({ HOOK_TOKEN: hidden }, 'plan', folder)
  expect([planned.code, planned.out]).toEqual([2, 'Change the webhook "Search index": headers (a secret)\n'])
  expect(await on({ HOOK_TOKEN: hidden }, 'push', folder, '--yes')).toMatchObject({ code: 0 })
  expect(await on({}, 'pull', folder)).toMatchObject({ code: 0 })
  expect(read()).toContain('value: $env:WEBHOOK_HEADER_SEARCH_INDEX_AUTHORIZATION')
  expect(read()).not.toContain(hidden)
  expect(await on({}, 'plan', folder, '--check')).toMatchObject({ code: 0, out: 'Nothing differs.\n' })
  const stored = await database.onDatabase((db) =>
    db.run({ text: 'select headers from platform_webhooks', values: [] }),
  )
  expect(JSON.stringify(stored.rows)).toContain(hidden)
})

test('a faulty file is refused with its place', async () => {
  writeFileSync(join(folder, 'webhooks.yaml'), toYaml([{ ...search, url: undefined }]))
  const missing = await on({}, 'plan', folder)
  expect([missing.code, missing.error]).toEqual([1, expect.stringContaining('webhooks.yaml:')])
  write('webhooks.yaml', [{ ...search, role: 'Nobody' }])
  const unknown = await on({}, 'plan', folder)
  expect([unknown.code, unknown.error]).toEqual([1, expect.stringContaining('webhook "Search index"')])
})
