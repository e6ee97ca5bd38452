/** Postgres and MariaDB get the same random requests and must give the same answers and rows. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { tellOf } from '../mock/testing/compare.ts'
import { graphqlRequest } from '../mock/testing/graphql-requests.ts'
import { legacyRequest } from '../mock/testing/legacy-requests.ts'
import { model } from '../mock/testing/queries.ts'
import { type Asking, keyField, request } from '../mock/testing/requests.ts'
import { rows, tablesSql } from '../mock/testing/world.ts'
import { type OwnDatabase, openOwnDatabase } from './own-database.ts'
import { createRandom, type Random } from './random.ts'

const fewest = { reads: 300, writes: 80 }

const settings = { HASH_MEMORY_COST: '8', HASH_TIME_COST: '1', HASH_PARALLELISM: '1', VALIDATE_RESPONSES: 'false' }

/** Types that both have: decimals with a scale, and JSON as it was written. */
const tables = tablesSql.replaceAll('price numeric,', 'price numeric(12, 3),').replaceAll('jsonb', 'json')

/** What differs, and why. */
const differences: readonly (readonly [why: string, pattern: RegExp, words: string])[] = [
  ['each vendor names the keys of tables in its own way', /(constraint[\\": ]+)\w+/g, '$1name'],
  ['of several rows, MariaDB does not tell which reference is broken', /(Invalid foreign key) \\+"[^"]*"/g, '$1'],
  [
    'for the same reason',
    /,\\*"value\\*":\\*"[^"]*"(?=(,\\*"path\\*":\\*"[^"]*")?,\\*"code\\*":\\*"INVALID_FOREIGN_KEY)/g,
    '',
  ],
  ['two servers have two addresses', /http:\/\/127\.0\.0\.1:\d+/g, 'http://server'],
]

let [postgres, mariaDb]: OwnDatabase[] = []

beforeAll(async () => {
  postgres = await openOwnDatabase(tables, settings)
  vi.stubEnv('TEST_DATABASE_URL', new URL('/test', process.env['TEST_MYSQL_URL']).href)
  mariaDb = await openOwnDatabase(tables, settings)
  vi.unstubAllEnvs()
  await restore()
})
afterAll(() => both((side) => side.close()))

const both = <T>(work: (side: OwnDatabase) => Promise<T>): Promise<[T, T]> =>
  Promise.all([work(postgres as OwnDatabase), work(mariaDb as OwnDatabase)])

function literal(name: string, value: unknown): string {
  if (value === null || typeof value === 'boolean') return String(value)
  if (name === 'meta' || name === 'raw') return quoted(JSON.stringify(value))
  return quoted(Array.isArray(value) ? value.join(',') : `${value as string | number}`)
}

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`

const given = Object.entries(rows).flatMap(([table, items]) =>
  items.map((row) => {
    const values = Object.entries(row).map(([name, value]) => literal(name, value))
    return `insert into ${table} (${Object.keys(row).join(', ')}) values (${values.join(', ')})`
  }),
)
const numbers = ['authors', 'articles', 'comments', 'articles_tags', 'blocks', 'about'].map(
  (name) => `select setval('${name}_id_seq', ${rows[name]?.length ?? 0})`,
)
const deletions = Object.keys(rows)
  .toReversed()
  .map((name) => `delete from ${name}`)

const restore = (): Promise<unknown> => both((side) => side.rows([...deletions, ...given, ...numbers].join(';\n')))

/** Of system rows, each side has made its own. */
const isOfItems = ({ path, body, text }: Asking): boolean =>
  !/platform_|users/.test(path + (text ?? '') + JSON.stringify(body ?? null))

const isRead = ({ method, body }: Asking): boolean =>
  /^(GET|HEAD|SEARCH|OPTIONS)$/.test(method) ||
  /^\s*(query|subscription|\{)/.test(String((body as { readonly query?: unknown } | undefined)?.query))

async function answerOf(side: OwnDatabase, { method, path, body, text, headers = {} }: Asking): Promise<string> {
  const sent = text ?? (body === undefined ? undefined : JSON.stringify(body))
  const type = sent === undefined ? {} : { 'content-type': 'application/json' }
  const answer = await fetch(`${side.url}${path}`, {
    method,
    headers: { authorization: `Bearer ${side.adminToken}`, ...type, ...headers },
    ...(sent === undefined ? {} : { body: sent }),
  })
  const told = JSON.stringify(await tellOf(answer))
  return differences.reduce((all, [, pattern, words]) => all.replaceAll(pattern, words), told)
}

/** All rows of all tables. */
const everything: Asking = {
  method: 'POST',
  path: '/graphql',
  body: {
    query: `{ ${Object.entries(model)
      .map(([name, { fields, one }]) => {
        const related = Object.entries(one).map(([field, target]) => `${field} { ${keyField(target)} }`)
        return `${name}(limit: -1, sort: ["${name === 'prices' ? 'shop", "item' : keyField(name)}"]) { ${[...fields, ...related].join(' ')} }`
      })
      .join(' ')} }`,
  },
}

const asking: readonly ((random: Random) => Asking)[] = [request, legacyRequest, graphqlRequest]

test('random reads and writes have the same answers on both vendors, and leave the same rows', {
  timeout: 600_000,
}, async () => {
  const left = { ...fewest }
  for (let seed = 1; left.reads > 0 || left.writes > 0; seed += 1) {
    const asked = (asking[seed % asking.length] ?? request)(createRandom(seed))
    const kind = isRead(asked) ? 'reads' : 'writes'
    if (left[kind] === 0 || !isOfItems(asked)) continue
    left[kind] -= 1
    const [here, there] = await both((side) => answerOf(side, asked))
    expect.soft({ seed, asked, answer: there }).toEqual({ seed, asked, answer: here })
    if (kind === 'reads') continue
    const [rowsHere, rowsThere] = await both((side) => answerOf(side, everything))
    expect.soft({ seed, asked, rows: rowsThere }).toEqual({ seed, asked, rows: rowsHere })
    if (here.startsWith('{"status":2')) await restore()
  }
})
