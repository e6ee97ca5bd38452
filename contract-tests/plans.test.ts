/** Plans in place of rows: `Accept: application/vnd.tandem.plan+json`. */
import { afterAll, expect, test } from 'vitest'
import { perVendor } from '../src/sql/testing/test-vendors.ts'
import { openOwnDatabase } from './own-database.ts'

const tables = `
  create table writers (id serial primary key, name text);
  create table works (id serial primary key, title text, writer integer references writers);
  insert into writers (name) values ('Ann');
  insert into works (title, writer) select 'Work ' || n, 1 from generate_series(1, 100) n;
  analyze`
const own = await openOwnDatabase(tables, { CACHE_ENABLED: 'true' })
const reader = await own.addUser([{ collection: 'works', action: 'read' }])
afterAll(() => own.close())

const headers = { accept: 'application/vnd.tandem.plan+json' }

type Planned = {
  readonly data: {
    readonly cost: number
    readonly statements: readonly {
      readonly sql: string
      readonly values: readonly unknown[]
      readonly cost: number
      readonly plan: unknown
    }[]
  }
}

async function plan(request: string, body?: unknown, accept = headers.accept): Promise<Planned['data']> {
  const answer = await own.ask(request, { headers: { accept }, ...(body === undefined ? {} : { body }) })
  expect([answer.status, answer.headers.get('content-type')]).toEqual([
    200,
    expect.stringContaining('application/vnd.tandem.plan+json'),
  ])
  return (answer.body as Planned).data
}

/** What a plan has of a statement that was run: milliseconds, that are more than none. */
const timeOfRun = perVendor({
  postgres: /"Execution Time":(?!0[,}])/,
  mariadb: /"r_total_time_ms":(?!0[,}])/,
  mysql: /actual time=/,
})

const list = { query: '{ works(limit: 10) { id title } }' }

test.each<readonly [name: string, request: string, body: unknown]>([
  ['a list', 'GET /items/works?fields=id,title&limit=10', undefined],
  ['a list by SEARCH', 'SEARCH /items/works', { query: { fields: ['id', 'title'], limit: 10 } }],
  ['a list of the older generation', 'GET /_/items/works?fields=id,title&limit=10', undefined],
  ['a list of GraphQL', 'POST /graphql', list],
])('%s: the statement, its plan and the cost', async (...[, request, body]) => {
  const { cost, statements } = await plan(request, body)
  expect(cost).toBe(21)
  expect(statements).toHaveLength(1)
  const [{ sql, plan: found, cost: estimate }] = statements as [Planned['data']['statements'][number]]
  expect(sql).toMatch(/^select .*["`]works["`]/s)
  expect(found).toMatchObject(
    perVendor<unknown>({
      postgres: [{ Plan: { 'Total Cost': estimate } }],
      mariadb: { query_block: { select_id: 1 } },
      // MySQL 9 has another form of its plans.
      mysql:
        'query_plan' in (found as object)
          ? { query_plan: { operation: expect.any(String) } }
          : { query_block: { select_id: 1 } },
    }) as object,
  )
  expect(JSON.stringify(found)).not.toMatch(timeOfRun)
})

test.each(['GET /items/works/7?fields=title', 'GET /_/items/works/7?fields=title'])('one item: %s', async (request) => {
  const { statements } = await plan(request)
  expect(statements.map(({ values }) => values.map((value) => String(value)))).toEqual([expect.arrayContaining(['7'])])
})

test('one item that does not exist has a plan, too', async () => {
  expect((await plan('GET /items/works/999')).statements).toHaveLength(1)
})

test('the statement is run where that is asked', async () => {
  const { statements } = await plan('GET /items/works', undefined, `${headers.accept}; analyze=true`)
  expect(JSON.stringify(statements[0]?.plan)).toMatch(timeOfRun)
})

test('a statement that reads lists by a scan has a plan', async () => {
  await own.ask('POST /fields/writers', { body: { field: 'works', type: 'alias', meta: { special: ['o2m'] } } })
  await own.ask('PATCH /relations/works/writer', { body: { meta: { one_field: 'works' } } })
  const { statements } = await plan('GET /items/writers?fields=name,works.title')
  expect(statements.map(({ sql }) => sql)).toEqual([
    expect.stringMatching(perVendor({ postgres: /^with s0 as materialized/, mariadb: /^select /, mysql: /^select / })),
  ])
})

test('names and values of the statement may have quotes and line breaks', async () => {
  for (const value of ['%22', 'a%22,%0A%22b', '%5C%22'])
    for (const more of ['', '&sort=writer.name&filter[writer][name][_contains]=%22']) {
      const path = `/items/works?limit=1&filter[title][_contains]=${value}${more}`
      expect((await plan(`GET ${path}`)).statements[0]?.plan).toBeTruthy()
      expect((await own.ask(`GET ${path}&meta=estimated_count`)).body).toEqual({
        meta: { estimated_count: 0 },
        data: [],
      })
    }
})

test('neither rows nor plans come from the cache of the other', async () => {
  const path = 'GET /items/works?fields=title&limit=1'
  expect((await own.ask(path)).body).toEqual({ data: [{ title: 'Work 1' }] })
  expect((await plan(path)).statements).toHaveLength(1)
  expect((await own.ask(path)).body).toEqual({ data: [{ title: 'Work 1' }] })
})

test('only administrators get plans', async () => {
  expect((await own.ask('GET /items/works', { headers, token: reader })).status).toBe(403)
  expect((await own.ask('GET /items/works', { headers, token: null })).status).toBe(403)
})

test('a write is refused and not done', async () => {
  const mutation = { query: 'mutation { create_works_item(data: { title: "No" }) { id } }' }
  for (const [request, body] of [
    ['POST /items/works', { title: 'No' }],
    ['DELETE /items/works/1', undefined],
    ['POST /graphql', mutation],
  ] as const) {
    const { status } = await own.ask(request, { headers, ...(body === undefined ? {} : { body }) })
    expect([request, status]).toEqual([request, 400])
  }
  expect(await own.rows('select count(*)::integer as count from works')).toEqual([{ count: 100 }])
})

test('an unknown parameter is refused', async () => {
  const answer = await own.ask('GET /items/works', { headers: { accept: `${headers.accept}; verbose=1` } })
  expect([answer.status, JSON.stringify(answer.body)]).toEqual([400, expect.stringContaining('verbose=1')])
})
