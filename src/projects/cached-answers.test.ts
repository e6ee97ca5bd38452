/**
 * Answers of the response cache are true: random reads, writes and changes of rights on two servers of one database, with
 * answers in memory and, if TEST_REDIS_URL names a server, in Redis. `CACHE_STEPS` is the number of steps, `CACHE_SEED`
 * the first number of the generator. The embedded database has one server.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type App, createApp } from '../app.ts'
import { loadConfig } from '../config/config.ts'
import type { OpenDatabase } from '../sql/database.ts'
import { createTestDatabase, silentLog, type TestDatabase } from '../sql/testing/test-database.ts'
import { worldSql } from '../sql/testing/test-world.ts'
import { hashToken } from '../tokens/opaque.ts'

const steps = Number(process.env['CACHE_STEPS'] ?? 200)
const seed = Number(process.env['CACHE_SEED'] ?? 7)
const redis = process.env['TEST_REDIS_URL']
const folder = mkdtempSync(join(tmpdir(), 'tandem-cached-'))
const adminToken = 'a-static-token-for-tests'
const readerToken = 'a-static-token-of-a-reader'
const secret = 'a-secret-that-only-this-test-knows-of'
const settings = {
  ADMIN_EMAIL: 'admin@example.com',
  ADMIN_PASSWORD: 'correct-horse-42',
  ADMIN_TOKEN: adminToken,
  SECRET: secret,
  DATA_DIR: folder,
  HASH_MEMORY_COST: '1024',
  HOST: '127.0.0.1',
  PORT: '0',
  CACHE_ENABLED: 'true',
  CACHE_AUTO_PURGE: 'true',
  DB_POOL_SHARE: '1',
  CACHE_SKIP_ALLOWED: 'true',
  CACHE_STATUS_HEADER: 'x-cache',
  CACHE_TAG_HEADERS: 'true',
  PRESSURE_LIMITER_ENABLED: 'false',
}

const id = (last: string): string => `00000000-0000-4000-8000-0000000000${last}`

/** A reader whose articles depend on their authors; a view, a trigger and a tree. */
const rights = `
  create view shown as select id, title from articles where status = 'published';
  create table stock (id serial primary key, name text, amount integer);
  create table stock_changes (id serial primary key, stock integer, amount integer);
  create function note_stock() returns trigger language plpgsql as $$ begin
    insert into stock_changes (stock, amount) values (new.id, new.amount); return new; end $$;
  create trigger stock_noted after insert or update on stock for each row execute function note_stock();
  insert into stock (name, amount) values ('tea', 1), ('milk', 2);
  insert into platform_roles (id, name) values ('${id('b1')}', 'Reader');
  insert into platform_policies (id, name) values ('${id('c1')}', 'Reading');
  insert into platform_access (id, role, policy) values ('${id('d1')}', '${id('b1')}', '${id('c1')}');
  insert into platform_users (id, email, role, status, token) values
    ('${id('a1')}', 'reader@example.com', '${id('b1')}', 'active', '${hashToken(readerToken, secret)}');
  insert into platform_permissions (id, policy, collection, action, fields, permissions) values
    (901, '${id('c1')}', 'articles', 'read', '*', '{"author":{"age":{"_gt":30}}}'),
    (902, '${id('c1')}', 'authors', 'read', 'id,name,articles', null),
    (903, '${id('c1')}', 'tags', 'read', '*', null)`

/** Collections of a hundred rows, for the rate of hits. */
const shelves = Array.from({ length: 10 }, (_, at) => `shelf_${at}`)
const shelvesSql = shelves.map(
  (name) => `create table ${name} as select n as id, 'Title ' || n as title from generate_series(1, 100) n;
  alter table ${name} add primary key (id)`,
)

type Instance = { readonly app: App; readonly url: string; readonly heard: Set<string> }

let database: TestDatabase
let instances: readonly Instance[] = []

async function openInstance(db: OpenDatabase, more: { readonly [name: string]: string }): Promise<Instance> {
  const heard = new Set<string>()
  const listening: OpenDatabase = {
    ...db,
    listen: (channel, onMessage) =>
      db.listen(channel, (payload) => {
        onMessage(payload)
        if (payload !== null) heard.add(payload)
      }),
    close: async () => {
      if (db !== database.db) await db.close()
    },
  }
  const app = await createApp(loadConfig({ ...settings, ...more }, folder), { log: silentLog, db: listening })
  return { app, url: await app.listen(), heard }
}

/** Until every server has heard of all that was told before. */
async function hearAll(): Promise<void> {
  const payload = JSON.stringify({ topic: 'feed', from: crypto.randomUUID() })
  await database.db.run({ text: `select pg_notify('tandem', $1)`, values: [payload] })
  while (!instances.every(({ heard }) => heard.has(payload))) await new Promise(setImmediate)
}

/** A generator of numbers below one that can be repeated (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

type Ask = {
  readonly method?: string
  readonly body?: object
  readonly token?: string | null
  readonly fresh?: boolean
}

const ask = (url: string, path: string, { method = 'GET', body, token = adminToken, fresh = false }: Ask = {}) =>
  fetch(`${url}${path}`, {
    method,
    headers: {
      'content-type': 'application/json',
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      ...(fresh ? { 'cache-control': 'no-store' } : {}),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })

const reads: readonly string[] = [
  '/items/articles?sort=id&fields=id,title,status,views&meta=*',
  '/items/articles?sort=id&fields=id,author.name,author.region.name',
  '/items/articles?sort=id&fields=id,comments.body,tags.tag.color',
  '/items/articles?filter[author][age][_gt]=40&fields=id',
  '/items/articles?filter[comments][approved][_eq]=true&fields=id',
  '/items/articles?aggregate[count]=*&groupBy=status',
  '/items/authors?sort=id&fields=id,name,age',
  '/items/authors?sort=id&fields=id,articles.title',
  '/items/authors?sort=-count(articles),id&fields=id,count(articles)',
  '/items/categories?sort=id&fields=id,name,parent.name,children.name',
  '/items/comments?sort=id&fields=id,article.title',
  '/items/tags?sort=name',
  '/items/shown?sort=id',
  '/items/stock?sort=id',
  '/items/stock_changes?sort=id&fields=id,stock',
  '/items/homepage?fields=headline,featured_article.title',
  '/_/items/articles?fields=id,title&sort=id&status=*',
  '/_/items/tags',
  '/activity?sort=-id&limit=3&fields=id,action,collection,item',
  '/revisions?sort=-id&limit=3&fields=id,collection,item',
  '/users?fields=email,role.name&sort=email',
  '/permissions?filter[id][_in]=901,902,903&fields=id,fields,permissions',
  '/permissions/me',
  '/graphql?query=%7Barticles%7Bid%20title%20author%7Bname%7D%7D%7D',
  ...[1, 2, 3, 4, 5].flatMap((key) => [
    `/items/articles/${key}?fields=id,title,views`,
    `/items/authors/${key}?fields=*`,
  ]),
  ...[1, 2, 3].map((key) => `/items/articles/${key}?fields=title,author.name`),
  ...['1', '2'].map((key) => `/items/stock/${key}`),
]

type Write = readonly [method: string, path: string, body?: object]

/** One of each kind. */
function writesOf(number: number): readonly Write[] {
  const key = 1 + (number % 5)
  return [
    ['PATCH', `/items/articles/${key}`, { title: `Title ${number}`, views: number }],
    ['PATCH', `/items/articles/${key}`, { author: 1 + (number % 4), status: number % 2 === 0 ? 'published' : 'draft' }],
    ['POST', '/items/articles', { title: `New ${number}`, author: { name: `Author ${number}`, age: number % 80 } }],
    ['PATCH', '/items/authors', { keys: [1, 2, 3], data: { age: 20 + (number % 40) } }],
    [
      'PATCH',
      `/items/authors/${1 + (number % 3)}`,
      { name: `Name ${number}`, articles: { update: [{ id: key, views: number }] } },
    ],
    ['PATCH', `/items/categories/${1 + (number % 4)}`, { name: `Category ${number}` }],
    ['POST', '/items/comments', { article: key, body: `Comment ${number}`, approved: number % 2 === 0 }],
    ['PATCH', '/items/tags/ice', { color: `color ${number}` }],
    ['PATCH', `/_/items/tags/sea`, { color: `sea ${number}` }],
    ['PATCH', `/items/stock/${1 + (number % 2)}`, { amount: number }],
    ['PATCH', '/items/homepage', { headline: `Headline ${number}`, featured_article: key }],
    [
      'POST',
      '/graphql',
      { query: `mutation { update_tags_item(id: "sport", data: { color: "g ${number}" }) { name } }` },
    ],
    ['PATCH', '/permissions/901', { permissions: { author: { age: { _gt: number % 60 } } } }],
    [
      'PATCH',
      '/permissions/902',
      { fields: number % 2 === 0 ? ['id', 'name', 'articles'] : ['id', 'name', 'age', 'articles'] },
    ],
    ['PATCH', `/users/${id('a1')}`, { first_name: `Name ${number}` }],
    ['DELETE', '/items/comments', { query: { filter: { id: { _gt: 100 } }, limit: 1 } }],
    ['DELETE', '/items/authors', { query: { filter: { id: { _gt: 100 } }, limit: 1 } }],
  ]
}

function writeFrom(random: () => number, kinds: readonly number[]): Write {
  const options = writesOf(Math.floor(random() * 1000))
  return options[(kinds[Math.floor(random() * kinds.length)] ?? 0) % options.length] as Write
}

async function write(url: string, [method, path, body]: Write): Promise<string | null> {
  const answer = await ask(url, path, { method, ...(body === undefined ? {} : { body }) })
  const text = await answer.text()
  await hearAll()
  return answer.status < 300 ? null : `${method} ${path}: ${answer.status} ${text}`
}

type Compared = { readonly isHit: boolean; readonly stale: string | null }

/** The answer of the cache, if it has one, beside that of the database. */
async function compare(url: string, path: string, token: string): Promise<Compared> {
  const [kept, fresh] = [await ask(url, path, { token }), await ask(url, path, { token, fresh: true })]
  const texts = [await kept.text(), await fresh.text()]
  const isSame = kept.status === fresh.status && texts[0] === texts[1]
  return {
    isHit: kept.headers.get('x-cache') === 'HIT',
    stale: isSame ? null : `GET ${path}: ${texts.join(' is not ')}`,
  }
}

const kindsOfWrites = writesOf(505).map((each, at) => [at, each[0], each[1]] as const)

/** Requests of which the rate of hits is taken. */
const hitSteps = Math.max(600, Math.min(steps, 10_000))

const percent = (rate: number): string => `${(rate * 100).toFixed(1)} %`

const stores: readonly (readonly [string, { readonly [name: string]: string }])[] = [
  ['in memory', {}],
  ...(redis === undefined ? [] : ([['in Redis', { REDIS: redis, CACHE_STORE: 'redis' }]] as const)),
]

describe.each(stores)('answers %s', (name, more) => {
  beforeAll(async () => {
    database = await createTestDatabase({ sql: worldSql })
    for (const text of [...rights.split(/;\n(?= {2}\S)/), ...shelvesSql.flatMap((each) => each.split(';'))])
      await database.db.run({ text, values: [] })
    const others = database.openAgain === null ? [] : [await database.openAgain()]
    const namespace = `cached-${crypto.randomUUID()}`
    instances = []
    for (const db of [database.db, ...others])
      instances = [...instances, await openInstance(db, { ...more, CACHE_NAMESPACE: namespace })]
  }, 60_000)
  afterAll(async () => {
    for (const { app } of instances.toReversed()) await app.close()
    await database.close()
  })

  test.each(kindsOfWrites)('after write %i (%s %s) no kept answer is stale, on any server', async (at) => {
    const all = instances.flatMap(({ url }) =>
      [adminToken, readerToken].flatMap((token) => reads.map((path) => [url, path, token] as const)),
    )
    await Promise.all(all.map(([url, path, token]) => ask(url, path, { token }).then((answer) => answer.text())))
    const primed = await Promise.all(all.map((each) => compare(...each)))
    expect(primed.filter(({ isHit }) => isHit).length).toBeGreaterThan(all.length / 2)
    expect(await write((instances[0] as Instance).url, writesOf(505)[at] as Write)).toBeNull()
    const after = await Promise.all(all.map((each) => compare(...each)))
    expect(after.flatMap(({ stale }) => stale ?? [])).toEqual([])
  })

  test(`no answer of ${steps} steps is stale, on any server`, { timeout: 60_000 + steps * 100 }, async () => {
    const random = randomFrom(seed)
    const oneOf = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T
    const counts = { reads: 0, hits: 0, writes: 0 }
    const stale: string[] = []
    let usual: readonly string[] = []
    let kinds: readonly number[] = []
    let reading: Promise<Compared>[] = []
    const settle = async (): Promise<void> => {
      for (const found of await Promise.all(reading)) {
        counts.reads += 1
        if (found.isHit) counts.hits += 1
        if (found.stale !== null) stale.push(found.stale)
      }
      reading = []
    }
    for (let step = 0; step < steps; step += 1) {
      // The same few requests for a while, as clients send them.
      if (step % 40 === 0) {
        usual = Array.from({ length: 6 }, () => oneOf(reads))
        kinds = Array.from({ length: 3 }, () => Math.floor(random() * 1000))
      }
      const { url } = oneOf(instances)
      if (random() < 0.12) {
        await settle()
        const fault = await write(url, writeFrom(random, kinds))
        if (fault !== null) stale.push(fault)
        counts.writes += 1
        continue
      }
      reading.push(compare(url, oneOf(usual), step % 80 < 40 ? readerToken : adminToken))
      if (reading.length === 4) await settle()
    }
    await settle()
    const rate = percent(counts.hits / counts.reads)
    process.stdout.write(
      `seed ${seed}, ${instances.length} servers, answers ${name}: ${counts.reads} reads, ${counts.writes} writes, ${stale.length} stale, hit rate ${rate}\n`,
    )
    expect(stale).toEqual([])
    expect(counts.hits).toBeGreaterThan(counts.reads / 10)
  })

  const slow = { timeout: 120_000 + hitSteps * 20 }
  test('with one write in a hundred requests, at least nine of ten reads are answered by the cache', slow, async () => {
    const paths = shelves.flatMap((name) => [
      ...Array.from({ length: 8 }, (_, at) => `/items/${name}?limit=${at + 1}`),
      ...Array.from({ length: 92 }, (_, at) => `/items/${name}/${at + 1}`),
    ])
    const { url } = instances[0] as Instance
    /** The same requests and writes; with `isWhole`, each write empties the cache. */
    const rateOf = async (isWhole: boolean): Promise<number> => {
      const random = randomFrom(seed)
      const oneOf = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T
      for (let at = 0; at < paths.length; at += 10)
        await Promise.all(paths.slice(at, at + 10).map(async (path) => (await ask(url, path)).text()))
      let hits = 0
      for (let step = 0; step < hitSteps; step += 1) {
        if (step % 100 === 0) {
          const changed = `/items/${oneOf(shelves)}/${1 + Math.floor(random() * 92)}`
          expect(await write(url, ['PATCH', changed, { title: `Title ${step}` }])).toBeNull()
          if (isWhole) expect(await write(url, ['POST', '/utils/cache/clear'])).toBeNull()
        }
        const answer = await ask(url, oneOf(paths))
        await answer.text()
        if (answer.headers.get('x-cache') === 'HIT') hits += 1
      }
      return hits / hitSteps
    }
    const [byTags, whole] = [await rateOf(false), await rateOf(true)]
    process.stdout.write(`hit rate ${percent(byTags)} at 1 % writes; ${percent(whole)} where each empties the cache\n`)
    expect(byTags).toBeGreaterThanOrEqual(0.9)
    expect(whole).toBeLessThan(0.2)
  })

  test('answers name what they were made from, for networks of caches', async () => {
    const { url } = instances[0] as Instance
    const tagsOf = async (path: string) => {
      const { headers } = await ask(url, path)
      return [headers.get('surrogate-key'), headers.get('cache-tag')]
    }
    expect(await tagsOf('/items/tags/ice?fields=name')).toEqual(['r%3Atags%3Aice a%3Atags', 'r%3Atags%3Aice,a%3Atags'])
    expect(await tagsOf('/items/articles?fields=id,author.name&limit=1')).toEqual([
      'c%3Aarticles c%3Aauthors',
      'c%3Aarticles,c%3Aauthors',
    ])
    expect(await tagsOf('/items/shown')).toEqual(['%3F', '%3F'])
  })
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))
