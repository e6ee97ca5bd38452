/** The same reads by REST and by GraphQL, from one server: a nested list (G1) and a grouped count (G2). */
import { deepStrictEqual } from 'node:assert'
import { load, median, paired, type Request, type Sample, type Server, send } from './measure.ts'
import { adminToken } from './prepare.ts'
import { startTandem, stop } from './servers.ts'
import { spread } from './writes.ts'

type Pair = {
  readonly name: string
  readonly requests: number
  readonly rest: (n: number) => string
  /** The document and, in every request, other variables. */
  readonly query: string
  readonly variables: (n: number) => object
  /** The answers of both in one form. */
  readonly restRows: (data: unknown) => unknown
  readonly graphqlRows: (data: never) => unknown
}

const views = (n: number): number => spread(n, 25_000)

/** GraphQL has keys as text. */
const plain = (rows: unknown): unknown =>
  JSON.parse(JSON.stringify(rows), (name, value: unknown) => (name === 'id' ? String(value) : value)) as unknown

const pairs: readonly Pair[] = [
  {
    name: 'graphql G1: nested list',
    requests: 800,
    rest: (n) =>
      '/items/articles?fields=id,title,views,author.id,author.name,comments.id,comments.body&filter[status][_eq]=published' +
      `&filter[views][_gt]=${views(n)}&sort=-published&limit=25&deep[comments][_limit]=5&deep[comments][_sort]=id`,
    query: `query List($views: GraphQLStringOrFloat) {
      articles(filter: { status: { _eq: "published" }, views: { _gt: $views } }, sort: ["-published"], limit: 25) {
        id title views author { id name } comments(limit: 5, sort: ["id"]) { id body }
      }
    }`,
    variables: (n) => ({ views: views(n) }),
    restRows: plain,
    graphqlRows: ({ articles }: { readonly articles: unknown }) => articles,
  },
  {
    name: 'graphql G2: grouped count',
    requests: 200,
    rest: (n) => `/items/articles?aggregate[count]=*&groupBy=status&filter[views][_gt]=${views(n)}&limit=100`,
    query: `query Groups($views: GraphQLStringOrFloat) {
      articles_aggregated(filter: { views: { _gt: $views } }, groupBy: ["status"], limit: 100) { group countAll }
    }`,
    variables: (n) => ({ views: views(n) }),
    restRows: (data) =>
      (data as readonly { readonly status: string; readonly count: number | string }[]).map(({ status, count }) => [
        status,
        Number(count),
      ]),
    graphqlRows: ({ articles_aggregated: groups }: { readonly articles_aggregated: readonly Group[] }) =>
      groups.map(({ group, countAll }) => [group.status, countAll]),
  },
]

type Group = { readonly group: { readonly status: string }; readonly countAll: number }

type Measuring = {
  readonly url: string
  readonly rounds: number
  readonly isSelected: (name: string) => boolean
  readonly backendsOf: (server: Server) => Promise<readonly number[]>
}

/** Prints CPU per request of both languages, server and database together, and the ratio within a round. */
export async function measureGraphql({ url, rounds, isSelected, backendsOf }: Measuring): Promise<void> {
  const selected = pairs.filter(({ name }) => isSelected(name))
  if (selected.length === 0) return
  const server = await startTandem(url, { admin: adminToken })
  console.log('\n| read | REST µs | GraphQL µs | asked | seen |\n|---|---|---|---|---|')
  for (const pair of selected) {
    await compare(server, pair)
    const measure = (make: (n: number) => Request, count: number): Promise<Sample> =>
      load(server, () => backendsOf(server), { count, concurrency: 8, make })
    const both = [(n: number) => restRequest(pair, n), (n: number) => graphqlRequest(pair, n)] as const
    for (let part = 0; part < 6; part++) for (const make of both) await measure(make, pair.requests * 3)
    const samples: [Sample[], Sample[]] = [[], []]
    for (let part = 0; part < rounds * 3; part++) {
      for (const at of part % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
        samples[at].push(await measure(both[at], pair.requests))
      }
    }
    const [rest, graphql] = samples
    const cpu = (each: readonly Sample[]): string => median(each.map(total)).toFixed(0)
    const ratio = paired(graphql, rest, (a, b) => total(a) / total(b)).toFixed(2)
    console.log(`| ${pair.name} | ${cpu(rest)} | ${cpu(graphql)} | ≤ 1.4 × | ${ratio} × |`)
  }
  await stop(server)
}

const total = ({ serverCpu, databaseCpu }: Sample): number => serverCpu + databaseCpu

const authorization = `Bearer ${adminToken}`

const restRequest = (pair: Pair, n: number): Request => ({
  method: 'GET',
  path: pair.rest(n),
  headers: { authorization },
})

const graphqlRequest = (pair: Pair, n: number): Request => ({
  method: 'POST',
  path: '/graphql',
  body: JSON.stringify({ query: pair.query, variables: pair.variables(n) }),
  headers: { authorization, 'content-type': 'application/json' },
})

async function compare(server: Server, pair: Pair): Promise<void> {
  for (const n of [0, 1, 2]) {
    const rest = JSON.parse(await send(server.port, restRequest(pair, n))) as { readonly data: unknown }
    const graphql = JSON.parse(await send(server.port, graphqlRequest(pair, n))) as { readonly data: never }
    deepStrictEqual(pair.graphqlRows(graphql.data), pair.restRows(rest.data), `${pair.name}: answers differ`)
  }
}
