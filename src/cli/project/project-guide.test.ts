/** The commands of the guide to projects as files, run as they are written. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { adminPassword, adminToken, createDatabase, openServer, run } from '../test-program.ts'

// Each step opens the database.
vi.setConfig({ testTimeout: 240_000 })

const guide = readFileSync(new URL('../../../docs/project-as-files.md', import.meta.url), 'utf8')
const commands = [...guide.matchAll(/```sh\n([\s\S]*?)```/g)].flatMap(([, block = '']) => block.trim().split('\n'))

test('every command of the guide ends as it says', async () => {
  const database = await createDatabase({ isMigrated: true })
  const folder = mkdtempSync(join(tmpdir(), 'tandem-test-'))
  try {
    expect(commands).toHaveLength(7)
    for (const line of commands) {
      const [, words = '', expected = '0'] = /^tandem (.*?)(?: \|\| test \$\? -eq (\d))?$/.exec(line) ?? []
      const named = words.split(' ').map((word) => word.replace(/^project(?=$|\/)/, join(folder, 'project')))
      const { code, out } = await run(database.settings, ...named)
      if (words === 'plan project')
        for (const expectedLine of guide.match(/^Create .*$/gm) ?? []) expect(out.split('\n')).toContain(expectedLine)
      expect([line, code]).toEqual([line, Number(expected)])
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
    await database.remove()
  }
})

test('the files of the guide make a project, whose rights are as they say', async () => {
  const files = [...guide.matchAll(/```yaml\n# (\S+)\n([\s\S]*?)```/g)]
  expect(files.map(([, path]) => path)).toEqual([
    'collections/recipes.yaml',
    'policies/readers.yaml',
    'policies/cooks.yaml',
    'roles/cook.yaml',
    'settings.yaml',
    'webhooks.yaml',
  ])
  const database = await createDatabase({ isMigrated: true })
  const folder = mkdtempSync(join(tmpdir(), 'tandem-test-'))
  try {
    for (const [, path = '', text = ''] of files) {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), text)
    }
    expect(await run(database.settings, 'push', folder, '--yes')).toMatchObject({ code: 0 })
    expect(await run(database.settings, 'plan', folder)).toMatchObject({ code: 0 })
    await database.onDatabase((db) =>
      db.run({
        text: `insert into recipes (title, status) values ('Soup', 'published'), ('Cake', 'draft')`,
        values: [],
      }),
    )
    const server = await openServer({ ...database.settings, LOG_LEVEL: 'error', ADMIN_SETUP: 'false' })
    const read = await fetch(`${server.url}/items/recipes`)
    expect(await read.json()).toEqual({ data: [{ id: 1, title: 'Soup', based_on: null }] })
    expect((await fetch(`${server.url}/items/recipes?fields=status`)).status).toBe(403)
    await server.close()
  } finally {
    rmSync(folder, { recursive: true, force: true })
    await database.remove()
  }
})

/** The plans that the guide shows with the clients that they break. The time of their last call is another one here. */
const shownPlans = [...guide.matchAll(/```text\n((?:Rename|Change) field[\s\S]*?)```/g)].map(([, text = '']) =>
  text
    .trim()
    .replaceAll(/last call .*? ago/g, 'last call ago')
    .split('\n'),
)

/** The files before each of these plans, as changes of those that `tandem init` writes. */
const changes: readonly { readonly [file: string]: readonly [from: string | RegExp, to: string] }[] = [
  { 'collections/authors.yaml': ['  name:\n', '  full_name:\n    renamed_from: name\n'] },
  {
    'collections/articles.yaml': [/ {2}title:\n.*\n {4}column:\n/, '$&      max_length: 100\n'],
    'collections/authors.yaml': [/rights:[\s\S]*$/, ''],
  },
]

test('plans name the clients that they break, as the guide shows', async () => {
  const database = await createDatabase({ isMigrated: true })
  const folder = mkdtempSync(join(tmpdir(), 'tandem-test-'))
  const admin = { ADMIN_EMAIL: 'admin@example.com', ADMIN_PASSWORD: adminPassword, ADMIN_TOKEN: adminToken }
  await run(database.settings, 'init', folder)
  await run(database.settings, 'push', folder, '--yes')
  const server = await openServer({ ...database.settings, ...admin, LOG_LEVEL: 'error' })
  const call = async (path: string, headers: object, body?: object): Promise<{ readonly data: unknown }> => {
    const response = await fetch(`${server.url}${path}`, {
      headers: { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
    })
    expect([path, response.status]).toEqual([path, 200])
    return (await response.json()) as { readonly data: unknown }
  }
  try {
    await call('/items/articles?fields=author.name', { 'x-client': 'shop-frontend/2.3.1' })
    await call('/_/items/authors?fields=*', { 'x-client': 'old-app/1.0' })
    const { key } = (await call('/keys', {}, { name: 'Nightly report' })).data as { readonly key: string }
    await call('/items/articles', { authorization: `Bearer ${key}` }, { slug: 'one', title: 'One' })
    expect(shownPlans).toHaveLength(changes.length)
    for (const [index, change] of changes.entries()) {
      await run({}, 'init', join(folder, `${index}`))
      for (const [file, [from, to]] of Object.entries(change)) {
        const path = join(folder, `${index}`, file)
        writeFileSync(path, readFileSync(path, 'utf8').replace(from, to))
      }
      const words = ['plan', join(folder, `${index}`), '--url', server.url, '--token', adminToken]
      const { out } = await run({}, ...words)
      expect(out.replaceAll(/last call .*? ago/g, 'last call ago').split('\n')).toEqual(
        expect.arrayContaining(shownPlans[index] ?? []),
      )
    }
  } finally {
    await server.close()
    rmSync(folder, { recursive: true, force: true })
    await database.remove()
  }
})
