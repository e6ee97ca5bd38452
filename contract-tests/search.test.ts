/** SEARCH is a drop-in for GET: on every operation that has it, with and without a token, both answer the same. */
import { afterAll, expect, test } from 'vitest'
import spec from '../src/generated/current-spec.json' with { type: 'json' }
import { openOwnDatabase } from './own-database.ts'

const found: Record<string, string> = {}
const own = await openOwnDatabase(
  `create table books (id serial primary key, title text, pages integer); insert into books (title, pages) values ('One', 1), ('Two', 2)`,
  // Otherwise each request would change what the next one reads.
  { USAGE_ENABLED: 'false' },
)
const reader = await own.addUser([{ collection: 'books', action: 'read', fields: 'id,title' }])
for (const list of [
  'users',
  'roles',
  'policies',
  'access',
  'permissions',
  'folders',
  'files',
  'activity',
  'revisions',
]) {
  const { data } = (await own.ask(`GET /${list}?limit=1`)).body as {
    readonly data: readonly { readonly id: string }[]
  }
  found[list] = data[0]?.id ?? '00000000-0000-4000-8000-0000000000aa'
}
afterAll(() => own.close())

const paths = spec.paths as unknown as {
  readonly [path: string]: { readonly get?: { readonly 'x-search'?: boolean; readonly description: string } }
}
const searched = Object.entries(paths).flatMap(([path, { get }]) => (get?.['x-search'] === true ? [path] : []))

const filled = (path: string): string => {
  const names: { readonly [name: string]: string } = { collection: 'books', field: 'title', id: '1' }
  const list = path.split('/')[1] ?? ''
  return path.replaceAll(/\{(\w+)\}/g, (_all, name: string) =>
    name === 'id' ? (found[list] ?? '1') : (names[name] ?? name),
  )
}

test('every read has it, or its description says why not', () => {
  const reads = Object.entries(paths).flatMap(([path, { get }]) => (get === undefined ? [] : [{ path, ...get }]))
  const silent = reads.filter((get) => get['x-search'] !== true && !get.description.includes('there is no SEARCH'))
  expect(silent.map(({ path }) => path)).toEqual([])
})

/** Answers that differ each time. */
const byChance = ['/utils/random/string']

test.each(searched.filter((path) => !byChance.includes(path)))('SEARCH %s', async (path) => {
  for (const token of [own.adminToken, reader, null]) {
    const target = filled(path)
    const [got, asked] = [
      await own.ask(`GET ${target}`, { token }),
      await own.ask(`SEARCH ${target}`, { token, body: { query: {} } }),
    ]
    expect([asked.status, asked.body]).toEqual([got.status, got.body])
    const empty = await own.ask(`SEARCH ${target}`, { token, body: {} })
    expect([empty.status, empty.body]).toEqual([got.status, got.body])
  }
})

test.each([
  ['/items/books/1', { fields: ['title'] }, 'fields=title', { title: 'One' }],
  ['/items/books/2', { fields: 'name', alias: { name: 'title' } }, 'fields=name&alias[name]=title', { name: 'Two' }],
  ['/users/me', { fields: ['email'] }, 'fields=email', { email: 'admin@example.com' }],
  ['/usage', { client: 'nobody', limit: 5 }, 'client=nobody&limit=5', []],
  ['/settings', { fields: ['project_name'] }, 'fields=project_name', { project_name: 'Tandem' }],
] as const)('the query of SEARCH %s is that of GET', async (path, query, text, data) => {
  expect((await own.ask(`GET ${path}?${text}`)).body).toEqual({ data })
  expect((await own.ask(`SEARCH ${path}`, { body: { query } })).body).toEqual({ data })
})

test('what the query of a single read cannot be is refused', async () => {
  for (const body of [{ query: 5 }, { query: {}, keys: [1] }, { filter: {} }, 5])
    expect([body, (await own.ask('SEARCH /items/books/1', { body })).status]).toEqual([body, 400])
  expect(
    (await own.ask('SEARCH /items/books/1', { body: { query: { fields: ['pages'] } }, token: reader })).status,
  ).toBe(403)
})
