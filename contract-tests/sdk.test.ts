import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import {
  collections,
  createCurrentClient,
  fields,
  folders,
  isApiError,
  operations,
  permissions,
  roles,
  schema,
  settings,
  users,
} from '@tandem/sdk/current'
import { createLegacyClient, operations as legacyOperations, resources as legacyResources } from '@tandem/sdk/legacy'
import { setupServer } from 'msw/node'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createMock } from '../mock/src/mock.ts'
import { checkedClient } from '../sdk/examples/checked.ts'
import { importArticles } from '../sdk/examples/manners.ts'
import { quickStart } from '../sdk/examples/quick-start.ts'
import { publish } from '../sdk/examples/transaction.ts'
import { readArticles } from '../sdk/examples/version-eight.ts'
import { modelOf } from './packaged-mock.ts'
import { openWorld, type World } from './world.ts'
import { password } from './world-data.ts'

type Schema = { articles: Article[]; authors: Author[]; comments: Comment[]; about: { id: number; headline: string } }
type Article = {
  id: number
  title: string
  status: string
  views: number
  author: number | Author | null
  comments: number[] | Comment[]
}
type Author = { id: number; name: string; articles: number[] | Article[] }
type Comment = { id: number; text: string; article: number | Article }

const readText = (path: string): string => readFileSync(new URL(`../sdk/${path}`, import.meta.url), 'utf8')

const credentials = { email: 'admin@example.com', password }

describe('the SDK against the real server', () => {
  let world: World

  beforeAll(async () => {
    world = await openWorld()
  })
  beforeEach(() => world.reset())
  afterAll(() => world.close())

  const current = () =>
    createCurrentClient<Schema>({ url: world.url, token: world.tokens.admin ?? '' }).with({
      collections,
      fields,
      folders,
      permissions,
      roles,
      schema,
      settings,
      users,
    })
  const legacy = () => createLegacyClient<Schema>({ url: world.url, token: world.tokens.admin ?? '' })

  test('the example of the README writes through one generation and reads through the other', async () => {
    expect(await quickStart(world.url, world.tokens.admin ?? '')).toEqual({
      article: { title: 'Riding in two', author: { name: 'Ann' } },
      found: [{ id: 6, title: 'Riding in two', author: { name: 'Ann' } }],
      gone: 'gone',
    })
  })

  test('the examples import in parts, page through lists, check answers and call as version 8 did', async () => {
    const token = world.tokens.admin ?? ''
    const before = await current()
      .items('articles')
      .aggregate({ aggregate: { count: '*' } })
    const drafts = Array.from({ length: 3 }, (_, at) => ({ title: `New ${at}`, status: 'published' }))
    const { created, published } = await importArticles(world.url, token, drafts)
    expect(created).toBe(3)
    const filter = { status: { _eq: 'published' } }
    expect(await current().items('articles').read({ filter, limit: -1 })).toHaveLength(published)
    expect(await readArticles(world.url, token)).toHaveLength(Number(before[0]?.count) + 3)
    const [first] = await checkedClient(world.url, token)
      .items('articles')
      .read({ sort: ['-id'], limit: 1 })
    expect(first).toMatchObject({ title: 'New 2' })
  })

  test('the example of a transaction writes all or nothing', async () => {
    const token = world.tokens.admin ?? ''
    const count = async () =>
      (
        await current()
          .items('articles')
          .read({ fields: ['id'], limit: -1 })
      ).length
    const before = await count()
    const would = await publish(world.url, token, { dryRun: true })
    expect([would, await count()]).toEqual([
      { author: expect.any(Number) as number, second: expect.any(Number) as number },
      before,
    ])
    const { second = 0 } = await publish(world.url, token)
    expect(await count()).toBe(before + 2)
    const [first] = await current()
      .items('articles')
      .read({ fields: ['title', { author: ['name'] }], filter: { id: { _eq: second - 1 } } })
    expect(first).toEqual({ title: 'The first', author: { name: 'Ann' } })
    const failed = current().transaction((tx) => {
      const { id } = tx.items('articles').create({ title: 'Gone' })
      tx.items('articles').update(id, { author: 999_999 })
    })
    await expect(failed).rejects.toMatchObject({ status: 400, body: { error: { operation: 1 } } })
    expect(await count()).toBe(before + 2)
  })

  test('the script of the examples writes all articles', async () => {
    const script = new URL('../sdk/examples/node-script.ts', import.meta.url)
    const env = { ...process.env, TANDEM_URL: world.url, TANDEM_TOKEN: world.tokens.admin ?? '' }
    const flags = ['--conditions=tandem-src', fileURLToPath(script)]
    const { stdout } = await promisify(execFile)(process.execPath, flags, { env })
    const all = await current()
      .items('articles')
      .read({ fields: ['id', 'title'], sort: ['id'], limit: -1 })
    expect(stdout).toBe(all.map((each) => `${JSON.stringify(each)}\n`).join(''))
  })

  test('records are written and read like items, settings like a singleton', async () => {
    const folder = await current().folders.create({ name: 'Covers', parent: { name: 'Pictures' } })
    const read = await current().folders.readOne(folder?.id ?? '', { fields: ['name', { parent: ['name'] }] })
    expect(read).toEqual({ name: 'Covers', parent: { name: 'Pictures' } })
    const admins = await current().users.read({
      fields: ['email', { role: ['name'] }],
      filter: { email: { _eq: credentials.email } },
    })
    expect(admins).toEqual([{ email: credentials.email, role: { name: 'Chief' } }])
    await current().settings.update({ project_descriptor: 'A magazine' })
    expect(await current().settings.read({ fields: ['project_descriptor'] })).toEqual({
      project_descriptor: 'A magazine',
    })
  })

  test('each tag has its methods', async () => {
    const client = current()
    expect(await client.users.readMe({ fields: ['email'] })).toEqual({ email: credentials.email })
    expect((await client.roles.readMine({ fields: ['name'] })).map(({ name }) => name)).toEqual([
      'Administrator',
      'Chief',
    ])
    expect((await client.collections.readOne('articles')).collection).toBe('articles')
    expect((await client.fields.readOne('articles', 'title')).type).toBe('string')
    await client.fields.create('articles', { field: 'subtitle', type: 'string' })
    expect((await client.fields.read('articles')).map(({ field }) => field)).toContain('subtitle')
    expect(await client.schema.snapshot()).toMatchObject({ vendor: 'postgres' })
    expect(await client.permissions.readMine()).toHaveProperty('articles.read.access', 'full')
  })

  test('the current generation reads through relations', async () => {
    const found = await current()
      .items('articles')
      .read({
        fields: ['id', { author: ['name'], comments: ['text'] }],
        filter: { author: { name: { _eq: 'Ann' } }, views: { _gte: 10 } },
        sort: ['-views'],
        deep: { comments: { _limit: 1, _sort: ['-text'] } },
      })
    expect(found).toEqual([
      { id: 2, author: { name: 'Ann' }, comments: [{ text: 'd' }] },
      { id: 1, author: { name: 'Ann' }, comments: [{ text: 'c' }] },
    ])
  })

  test('the same query by SEARCH gives the same result', async () => {
    const query = { fields: ['id'], filter: { status: { _in: ['published'] } }, sort: ['-id'], limit: 2 } as const
    const items = current().items('articles')
    expect(await items.read(query, { search: true })).toEqual(await items.read(query))
  })

  test('a page carries its counts', async () => {
    const page = await current()
      .items('articles')
      .readPage({ fields: ['id'], filter: { status: { _eq: 'draft' } } })
    expect(page).toEqual({ data: [{ id: 3 }], meta: { total_count: 5, filter_count: 1 } })
  })

  test('aggregates come in groups', async () => {
    const rows = await current()
      .items('articles')
      .aggregate({ aggregate: { max: ['views'] }, groupBy: ['status'], sort: ['status'] })
    expect(rows).toEqual([
      { status: 'archived', max: { views: 99 } },
      { status: 'draft', max: { views: 0 } },
      { status: 'published', max: { views: 20 } },
    ])
  })

  test('the current generation updates and deletes one, many and each', async () => {
    const items = current().items('articles')
    expect(await items.update(1, { title: 'A' })).toMatchObject({ id: 1, title: 'A' })
    await items.updateMany({ keys: [1, 2] }, { views: 7 })
    await items.updateEach([{ id: 3, title: 'C' }])
    await items.delete(5)
    await items.deleteMany({ query: { filter: { title: { _eq: 'Tandem' } } } })
    expect(await items.read({ fields: ['id', 'title', 'views'], sort: ['id'] })).toEqual([
      { id: 1, title: 'A', views: 7 },
      { id: 2, title: 'World', views: 7 },
      { id: 3, title: 'C', views: 0 },
    ])
  })

  test('a write answers with the fields that it is asked for, in both generations', async () => {
    const items = current().items('articles')
    const fields = ['title', { author: ['name'] }] as const
    const made = { title: 'New', author: { name: 'Cleo' } }
    expect([
      await items.create(made, { fields }),
      await items.createMany([made], { fields }),
      await items.update(1, made, { fields }),
      await items.updateMany({ keys: [1] }, made, { fields }),
      await items.updateEach([{ id: 1, ...made }], { fields }),
      await items.upsert({ id: 1, ...made }, ['id'], { fields }),
      await items.upsertMany([{ id: 1, ...made }], ['id'], { fields }),
    ]).toEqual([made, [made], made, [made], [made], made, [made]])
    const old = legacy().items('articles')
    expect([
      await old.create(made, { fields }),
      await old.createMany([made], { fields: 'title,author.name' }),
      await old.update(1, made, { fields }),
      await old.updateMany([1, 2], made, { fields }),
      await old.updateEach([{ id: 1, ...made }], { fields }),
    ]).toEqual([made, [made], made, [made, made], [made]])
  })

  test('a singleton is read and written as one item', async () => {
    const about = current().singleton('about')
    expect(await about.update({ headline: 'New' }, { fields: ['headline'] })).toEqual({ headline: 'New' })
    expect(await about.read({ fields: ['headline'] })).toEqual({ headline: 'New' })
  })

  test('the legacy generation reads, writes and deletes', async () => {
    const items = legacy().items('articles')
    const created = await items.create({ title: 'New', status: 'draft' })
    await items.updateMany([1, 2], { views: 3 })
    await items.deleteMany([3, 4, 5])
    const found = await items.read({ fields: 'id,views', filter: { views: { eq: 3 } }, sort: ['id'] })
    expect(created).toMatchObject({ id: 6, title: 'New' })
    expect(found).toEqual([
      { id: 1, views: 3 },
      { id: 2, views: 3 },
    ])
  })

  test('records of the legacy generation are written and read like items', async () => {
    const client = legacy().with(legacyResources)
    const folder = await client.folders.create({ name: 'Covers' })
    const file = await client.files.upload({
      data: 'data:text/plain;base64,aGVsbG8=',
      filename_disk: 'hello.txt',
      filename_download: 'hello.txt',
      folder: folder?.id ?? 0,
    })
    const [found] = await client.files.read({ fields: ['type', { folder: ['name'] }], sort: ['-id'], limit: 1 })
    expect(found).toEqual({ type: 'text/plain', folder: { name: 'Covers' } })
    expect(file).toMatchObject({ filesize: 5, data: { asset_url: expect.stringContaining('/_/assets/') as unknown } })
    expect(await client.users.readMe({ fields: 'email,role.name' })).toEqual({
      email: credentials.email,
      role: { name: 'Chief' },
    })
    const role = await client.roles.create({ name: 'Authors' })
    await client.roles.updateEach([{ id: role?.id ?? 0, description: 'Who writes' }])
    expect(await client.roles.readOne(role?.id ?? 0, { fields: 'name,description' })).toEqual({
      name: 'Authors',
      description: 'Who writes',
    })
    await client.roles.delete(role?.id ?? 0)
    await expect(client.roles.readOne(role?.id ?? 0)).rejects.toMatchObject({ codes: [203] })
    expect((await client.server.readProject()).api.project_name).toBe('Tandem')
  })

  test('failures carry the code of their generation', async () => {
    await expect(current().items('articles').readOne(99)).rejects.toMatchObject({ status: 403, codes: ['FORBIDDEN'] })
    await expect(legacy().items('articles').readOne(99)).rejects.toMatchObject({ status: 404, codes: [203] })
  })

  test('a snapshot as a JSON file is read like any JSON', async () => {
    const client = createCurrentClient<Schema>({ url: world.url })
    await client.login(credentials)
    const answer = await operations.readSchemaSnapshot(client, {})
    const file = await operations.readSchemaSnapshot(client, { query: { export: 'json' } })
    expect(file).toMatchObject({ vendor: 'postgres' })
    expect(answer).toEqual({ data: file })
  })

  test('a session of the current generation is renewed and ends', async () => {
    const client = createCurrentClient<Schema>({ url: world.url })
    await expect(client.items('articles').read()).rejects.toMatchObject({ status: 403 })
    await client.login(credentials)
    await client.refresh()
    expect(await client.items('articles').read({ fields: ['id'], limit: 1 })).toEqual([{ id: 1 }])
    await client.logout()
    await expect(client.items('articles').read()).rejects.toMatchObject({ status: 403 })
  })

  test('many requests with an expired token cause one renewal', async () => {
    let now = Date.now()
    let renewals = 0
    const counting: typeof fetch = (input, init) => {
      if (input === `${world.url}/auth/refresh`) renewals++
      return fetch(input, init)
    }
    const client = createCurrentClient<Schema>({ url: world.url, fetch: counting, now: () => now })
    await client.login(credentials)
    now += 15 * 60_000
    const reads = [1, 2, 3].map((id) => client.items('articles').readOne(id, { fields: ['id'] }))
    expect(await Promise.all(reads)).toEqual([{ id: 1 }, { id: 2 }, { id: 3 }])
    expect(renewals).toBe(1)
  })

  test('a session of the legacy generation is renewed', async () => {
    const client = createLegacyClient<Schema>({ url: world.url })
    await client.login(credentials)
    await client.refresh()
    expect(await client.items('articles').readOne(1, { fields: 'id' })).toEqual({ id: 1 })
  })
})

describe('the SDK against the mock', () => {
  const url = 'http://mock.example'
  const rows = { articles: [{ title: 'Hello' }, { title: 'World' }, { title: 'Draft' }] }
  const server = setupServer(...createMock({ schema: modelOf({ articles: ['title'] }), rows, url }).handlers)

  beforeAll(() => server.listen())
  afterAll(() => server.close())

  test('a generated function gets the rows', async () => {
    const client = createCurrentClient<Schema>({ url, token: 't' })
    const { data } = await operations.readItems(client, { path: { collection: 'articles' }, query: { limit: 2 } })
    expect(data).toEqual([
      { id: 1, title: 'Hello' },
      { id: 2, title: 'World' },
    ])
  })

  test('parts of the data model can be given as text or list', async () => {
    const client = createCurrentClient<Schema>({ url, token: 't' })
    for (const includeCollections of [['articles'], 'articles']) {
      const answer = await operations.readSchemaSnapshot(client, { query: { includeCollections } })
      expect(answer).toMatchObject({ data: { collections: [{ collection: 'articles' }] } })
    }
  })

  test('a generated function of the legacy generation needs no project', async () => {
    const client = createLegacyClient<Schema>({ url, token: 't' })
    const answer = await legacyOperations.readItem(client, { path: { collection: 'articles', id: '1' } })
    expect(answer.data).toMatchObject({ id: 1 })
  })

  test('a wrong parameter is refused with the documented error, whose body is typed', async () => {
    const client = createCurrentClient<Schema>({ url, token: 't' })
    const input = { path: { collection: 'articles' }, query: { limit: -5 } }
    const error = await operations.readItems(client, input).catch((reason: unknown) => reason)
    expect(isApiError<operations.Failure<'readItems'>>(error, 'INVALID_QUERY') && error.body?.errors[0]?.message).toBe(
      'Invalid query. Expected a value >= -1 for "limit" but received -5.',
    )
  })

  test('generated functions reject unknown input at compile time', () => {
    const client = createCurrentClient<Schema>({ url, token: 't' })
    void (() => [
      // @ts-expect-error the collection is missing
      operations.readItems(client, { path: {} }),
      // @ts-expect-error a limit is a number
      operations.readItems(client, { path: { collection: 'a' }, query: { limit: '5' } }),
      // @ts-expect-error an address is a text
      operations.login(client, { body: { email: 5, password: 'p' } }),
    ])
    expect(client).toBeDefined()
  })
})

test('every example of the README is a file that is compiled', () => {
  const folder = new URL('../sdk/examples/', import.meta.url)
  const files = readdirSync(folder)
    .filter((name) => name.endsWith('.ts'))
    .map((name) => readText(`examples/${name}`))
  const shown = [...readText('README.md').matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, code]) => code)
  expect(files).toEqual(expect.arrayContaining(shown))
  expect(shown.length).toBeGreaterThan(3)
})
