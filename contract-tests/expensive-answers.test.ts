/** What an answer costs is estimated from the sizes of tables, whoever asks in whatever language. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type OwnDatabase, openOwnDatabase } from './own-database.ts'

const sql = `
create table writers (id serial primary key, name text);
insert into writers (name) select 'writer ' || n from generate_series(1, 20) n;
create table works (
  id serial primary key, writer integer references writers, name text, pages integer, sold integer, price numeric(9, 2),
  day date, public boolean, genre text, code text unique);
insert into works (writer, name, pages, sold, price, day, public, genre, code)
  select 1 + n % 20, 'work ' || n, n, n % 10, n * 1.5, '2020-01-01', true, 'novel', 'c' || n from generate_series(1, 100000) n;
create index on works (writer);
create table texts (id serial primary key, body text);
insert into texts (body) select repeat(md5(n::text), 130) from generate_series(1, 200) n;
create table parts (id serial primary key, name text);
insert into parts (name) select 'part ' || n from generate_series(1, 20000) n;
create table notes (id serial primary key, part integer, body text);
insert into notes (part, body) select 1 + n % 20000, 'note' from generate_series(1, 40000) n;
analyze works; analyze writers; analyze parts; analyze notes;
insert into platform_relations (many_collection, many_field, one_collection, one_field) values
  ('works', 'writer', 'writers', 'works'), ('notes', 'part', 'parts', 'notes')`
const own = await openOwnDatabase(sql, {
  VALIDATE_RESPONSES: 'false',
  GRAPHQL_MAX_ALIASES: '1000',
})
const reader = await own.addUser(
  ['writers', 'works', 'texts', 'parts', 'notes'].map((collection) => ({ collection, action: 'read' })),
)
afterAll(() => own.close())

/** The status, and of an error its text. */
async function answerTo(request: string, body?: object, token?: string): Promise<readonly [number, string]> {
  const answer = await own.ask(request, { ...(body === undefined ? {} : { body }), token: token ?? own.adminToken })
  const { errors, error } = answer.body as {
    readonly errors?: readonly [{ readonly message: string }]
    readonly error?: { readonly message: string }
  }
  return [answer.status, error?.message ?? errors?.[0].message ?? '']
}

const refused = expect.stringMatching(
  /Expected at most about 2,000,000 cells \(QUERY_MAX_CELLS.*\) but received about [\d,]+/,
)

const names = Array.from({ length: 300 }, (_, at) => `a${at}`)
const aliases = Object.fromEntries(names.map((name) => [name, 'body']))
const aliased = { alias: aliases, fields: names }

describe('one long column under 300 names', () => {
  test('is refused in SEARCH, for administrators and for readers', async () => {
    for (const token of [own.adminToken, reader]) {
      expect(await answerTo('SEARCH /items/texts', { query: aliased }, token)).toEqual([400, refused])
    }
  })

  test('is refused in the query string', async () => {
    const query = new URLSearchParams({ alias: JSON.stringify(aliases), fields: names.join() })
    expect(await answerTo(`GET /items/texts?${query.toString()}`, undefined, reader)).toEqual([400, refused])
  })

  test('is refused in GraphQL, in one field and in several', async () => {
    const fields = names.map((name) => `${name}: body`)
    const one = { query: `{ texts { ${fields.join(' ')} } }` }
    expect(await answerTo('POST /graphql', one, reader)).toEqual([200, refused])
    const parts = [0, 1, 2].map((at) => `t${at}: texts { ${fields.slice(at * 100, at * 100 + 100).join(' ')} }`)
    expect((await answerTo('POST /graphql', { query: `{ ${parts.join(' ')} }` }, reader))[1]).toEqual(refused)
  })

  test('is refused in a nested level', async () => {
    const deep = { works: { _limit: -1, _alias: Object.fromEntries(names.map((name) => [name, 'name'])) } }
    const query = { fields: names.map((name) => `works.${name}`), deep, limit: 2 }
    expect(await answerTo('SEARCH /items/writers', { query }, reader)).toEqual([400, refused])
  })

  test('is answered for few rows', async () => {
    const { body } = await own.ask('SEARCH /items/texts', { body: { query: { ...aliased, limit: 2 } }, token: reader })
    const [first] = (body as { readonly data: readonly object[] }).data
    expect(Object.keys(first ?? {})).toHaveLength(300)
  })
})

const under = (count: number, list: string) =>
  `{ writers(limit: -1) { ${Array.from({ length: count }, (_, at) => `a${at}: ${list}`).join(' ')} } }`

describe('one list of each parent under 50 names', () => {
  test.each([
    ['counts', 'works_func { count }'],
    ['filters', 'works(limit: -1, filter: { pages: { _eq: 7 } }) { id }'],
  ])('is refused where it only %s rows, though few are shown', async (_does, list) => {
    expect(await answerTo('POST /graphql', { query: under(50, list) }, reader)).toEqual([200, refused])
    expect(await answerTo('POST /graphql', { query: under(2, list) }, reader)).toEqual([200, ''])
  })
})

describe('rows by rows', () => {
  const query = { fields: ['id', 'writer.works.id'], limit: -1, deep: { writer: { works: { _limit: -1 } } } }

  test('are refused in SEARCH and GraphQL, and the parameter is named', async () => {
    expect(await answerTo('SEARCH /items/works', { query }, reader)).toEqual([400, refused])
    expect((await answerTo('SEARCH /items/works', { query }))[1]).toContain('"limit"')
    const text = '{ works(limit: -1) { id writer { works(limit: -1) { id } } } }'
    expect((await answerTo('POST /graphql', { query: text }, reader))[1]).toEqual(refused)
  })

  test('are refused in the legacy generation', async () => {
    const [status, message] = await answerTo('GET /_/items/works?limit=-1&fields=id,writer.works.id')
    expect([status, message]).toEqual([400, refused])
  })

  test('are refused where no index leads from one to the other', async () => {
    const asked = { fields: ['id', 'notes.id'], limit: 5000, deep: { notes: { _limit: -1 } } }
    const [status, message] = await answerTo('SEARCH /items/parts', { query: asked }, reader)
    expect([status, message]).toEqual([400, refused])
    expect(message).toMatch(/: name .+\. No index leads to the rows of "notes"\.?$/)
  })

  test('are answered without an index where the lists of a page are read at once', async () => {
    const { status, body } = await own.ask('GET /items/parts?fields=id,notes.id&sort=-id', { token: reader })
    const { data } = body as { readonly data: readonly { readonly id: number; readonly notes: readonly object[] }[] }
    expect([status, data.length, data[1]]).toEqual([200, 100, { id: 19_999, notes: [{ id: 19_998 }, { id: 39_998 }] }])
  })

  test('are answered where a condition or a limit leaves few', async () => {
    for (const part of [{ limit: 5 }, { filter: { id: { _eq: 7 } } }, { filter: { code: { _in: ['c1', 'c2'] } } }]) {
      expect((await answerTo('SEARCH /items/works', { query: { ...query, ...part } }, reader))[0]).toBe(200)
    }
  })
})

describe('ordinary requests', () => {
  test.each(['', '/_'])('one item is written and shown, however large its table is (%s)', async (generation) => {
    const { status, body } = await own.ask(`POST ${generation}/items/parts?fields=id,notes.id`, {
      body: { name: 'one more' },
    })
    const { id } = (body as { readonly data: { readonly id: number } }).data
    expect(status).toBe(200)
    const change = await own.ask(`PATCH ${generation}/items/parts/${id}`, { body: { name: 'changed' } })
    expect(change).toMatchObject({ status: 200, body: { data: { id, name: 'changed' } } })
    expect((await own.ask(`DELETE ${generation}/items/parts/${id}`)).status).toBe(204)
  })

  test('more items than an answer may show are written without one', async () => {
    const lists = ['a', 'b', 'c', 'd']
    const each = lists.map((name) => `alias[${name}]=works&deep[${name}][_limit]=-1`)
    const answer = `fields=${lists.map((name) => `${name}.*`).join()}&${each.join('&')}`
    const body = { query: { filter: { name: { _starts_with: 'writer' } }, limit: -1 }, data: { name: 'author' } }
    expect(await own.ask(`PATCH /items/writers?${answer}`, { body })).toMatchObject({ status: 204, body: null })
    const { body: counted } = await own.ask('GET /items/writers?filter[name][_eq]=author&aggregate[count]=*')
    expect(counted).toEqual({ data: [{ count: '20' }] })
  })

  test.each(['/items/works?limit=-1', '/_/items/works?limit=-1'])('%s answers 100,000 narrow rows', async (path) => {
    const { status, body } = await own.ask(`GET ${path}`)
    expect([status, (body as { readonly data: readonly object[] }).data.length]).toEqual([200, 100_000])
  })

  test('every row below its parent is answered', async () => {
    const query = { fields: ['name', 'works.id', 'works.name'], limit: -1, deep: { works: { _limit: -1 } } }
    const { body } = await own.ask('SEARCH /items/writers', { body: { query }, token: reader })
    const { data } = body as { readonly data: readonly { readonly works: readonly object[] }[] }
    expect(data.map(({ works }) => works.length)).toEqual(data.map(() => 5000))
  })

  test('a page of everything, a count and an export are answered', async () => {
    expect((await answerTo('GET /items/works?fields=*.*.*', undefined, reader))[0]).toBe(200)
    expect((await answerTo('GET /items/works?aggregate[count]=*&groupBy[]=genre', undefined, reader))[0]).toBe(200)
    expect((await own.ask('GET /items/works?export=csv&fields=id&limit=-1', { token: reader })).status).toBe(200)
  })
})

const many = (count: number, field: (at: number) => string) =>
  `{ ${Array.from({ length: count }, (_, at) => field(at)).join(' ')} }`
const different = (at: number) => `a${at}: works_aggregated { countDistinct { name code genre } }`
const searched = (at: number) => `s${at}: works(limit: 1, filter: { name: { _contains: "work ${at}" } }) { id }`
const counted = (at: number) => `a${at}: works(limit: 1) { data { id } meta { filter_count total_count } }`
const updated = (at: number) =>
  `u${at}: update_writers_item(id: 1, data: { name: "w" }) { works(limit: -1) { id name code price } }`

describe('fields of one request', () => {
  const small = async (request: string, query: string, token = own.adminToken): Promise<string> => {
    const { body } = await replica.ask(request, { body: { query }, token })
    const { errors } = body as { readonly errors?: readonly { readonly message: string; readonly path?: unknown }[] }
    return errors?.[0]?.message ?? ''
  }
  const tooMuch = expect.stringMatching(/at most about 100,000 cells \(QUERY_MAX_CELLS.*in all fields of the request/)
  let replica: Pick<OwnDatabase, 'ask'>
  beforeAll(async () => {
    replica = await own.openReplica({ QUERY_MAX_CELLS: '100000' })
  }, 60_000)

  test.each([
    ['aggregations', 'POST /graphql', many(2, (at) => `a${at}: works_aggregated { countAll }`), many(12, different)],
    ['conditions without an index', 'POST /graphql', many(3, searched), many(12, searched)],
    ['counts of the legacy generation', 'POST /_/gql', many(3, counted), many(12, counted)],
    ['answers of mutations', 'POST /graphql', `mutation ${many(2, updated)}`, `mutation ${many(9, updated)}`],
    [
      'answers in one transaction',
      'POST /graphql',
      `mutation @transaction ${many(2, updated)}`,
      `mutation @transaction ${many(9, updated)}`,
    ],
  ])('share one bound: %s', async (_what, request, few, more) => {
    expect(await small(request, few)).toBe('')
    expect(await small(request, more)).toEqual(tooMuch)
    // The next request has the whole bound again.
    expect(await small(request, few)).toBe('')
  })

  test('share it for readers, and the field that is too much is named', async () => {
    const { body } = await replica.ask('POST /graphql', { body: { query: many(12, searched) }, token: reader })
    const { errors } = body as { readonly errors: readonly { readonly path: readonly string[] }[] }
    expect(errors[0]?.path[0]).toMatch(/^s[89]$/)
  })

  test('one alone is not refused for what the database passes over', async () => {
    expect(await small('POST /graphql', many(1, different))).toBe('')
  })
})

test('groups count as rows of the answer', async () => {
  const asked = { groupBy: ['code'], limit: -1 }
  const few = { ...asked, aggregate: { min: 'name' } }
  expect((await answerTo('SEARCH /items/works', { query: few }, reader))[0]).toBe(200)
  const columns = ['name', 'code', 'genre', 'pages', 'sold', 'price', 'day', 'id', 'writer']
  const many = { ...asked, aggregate: { min: columns, max: columns, count: columns } }
  expect(await answerTo('SEARCH /items/works', { query: many }, reader)).toEqual([400, refused])
})
