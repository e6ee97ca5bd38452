/** Pages that begin behind a row: REST and GraphQL, in every order, with nulls, under writes, and with rights. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { toCursor } from '../src/domain/query/cursor.ts'
import { type OwnDatabase, openOwnDatabase } from './own-database.ts'
import type { RequestOptions } from './send.ts'

const sql = `
create table shelves (id serial primary key);
insert into shelves (id) values (1), (2), (3);
create table notes (id serial primary key, shelf int references shelves, place int, title text, "rank" int, score double precision, price numeric(12,4), made timestamptz, day date, done boolean, body varchar(200) not null default '');
create table marks (row_id int, col_id int, label text, primary key (row_id, col_id));
insert into platform_collections (collection) values ('notes'), ('marks'), ('shelves');
insert into platform_relations (many_collection, many_field, one_collection, one_field, sort_field) values ('notes', 'shelf', 'shelves', 'notes', 'place')`

let own: OwnDatabase
beforeAll(async () => {
  own = await openOwnDatabase(sql)
  for (let at = 0; at < 60; at += 1) {
    const some = (value: string, every: number): string => (at % every === 0 ? 'null' : value)
    await own.rows(`insert into notes (shelf, place, title, "rank", score, price, made, day, done) values (${1 + (at % 3)}, ${some(String(at % 4), 6)},
      ${some(`'${String.fromCharCode(97 + (at % 7))} ♥'`, 9)}, ${some(String(at % 5), 4)}, ${some(String((at % 6) / 3), 8)},
      ${some(String((at % 4) / 8), 7)}, ${some(`'2026-01-0${1 + (at % 3)} 10:00:00.12345${at % 8}'`, 10)},
      ${some(`'2026-02-1${at % 9}'`, 11)}, ${some(at % 2 === 0 ? 'true' : 'false', 5)})`)
  }
  await own.rows(`insert into marks values (1, 1, 'a'), (1, 2, 'b'), (2, 1, 'a'), (2, 2, 'c'), (3, 1, 'b')`)
})
afterAll(() => own.close())

type Row = { readonly id: number; readonly $cursor: string }

const ask = async (request: string, options?: RequestOptions) => own.ask(request, options)

async function rowsOf<T = Row>(request: string, options?: RequestOptions): Promise<readonly T[]> {
  const { status, body } = await ask(request, options)
  expect([request, status, status === 200 ? null : body]).toEqual([request, 200, null])
  return (body as { readonly data: readonly T[] }).data
}

async function byPages(query: string, size: number): Promise<readonly number[]> {
  const found: number[] = []
  for (let cursor = ''; ; ) {
    const page = await rowsOf(`GET /items/notes?fields=id,$cursor&limit=${size}${query}${cursor}`)
    found.push(...page.map(({ id }) => id))
    if (page.length < size) return found
    cursor = `&cursor=${page.at(-1)?.$cursor}`
  }
}

const orders = [
  '',
  'id',
  '-id',
  'title',
  '-title',
  'rank,-title',
  '-rank,title',
  'rank,title,id',
  '-score,-rank,-id',
  'price,-score',
  '-made',
  'made,rank',
  'day,-made',
  'done,-day,title',
  'body,id',
  '-body,-id',
]

describe.each(orders)('sort=%s', (sort) => {
  test.each([1, 7, 25])('gives each row once, %i at a time', async (size) => {
    const all = await rowsOf(`GET /items/notes?fields=id&limit=-1&sort=${sort}`)
    expect(await byPages(`&sort=${sort}`, size)).toEqual(all.map(({ id }) => id))
  })
})

test('rows made before and behind the page move nothing', async () => {
  const first = await rowsOf('GET /items/notes?fields=id,rank,$cursor&sort=-rank&limit=20')
  const rest = await rowsOf('GET /items/notes?fields=id&sort=-rank&limit=-1&offset=20')
  const made = await rowsOf('POST /items/notes?fields=id', { body: [{ rank: 99 }, { rank: -1 }] })
  const last = first.at(-1) as Row
  const more = await rowsOf(`GET /items/notes?fields=id&sort=-rank&limit=-1&cursor=${last.$cursor}`)
  expect(more.map(({ id }) => id)).toEqual([...rest.map(({ id }) => id), made[1]?.id])
  await ask(`DELETE /items/notes/${last.id}`)
  const again = await rowsOf(`GET /items/notes?fields=id&sort=-rank&limit=-1&cursor=${last.$cursor}`)
  expect(again).toEqual(more)
})

test('filters, search and counts are those of the list', async () => {
  const query = 'filter[rank][_gt]=1&search=♥&sort=title'
  const all = await rowsOf(`GET /items/notes?fields=id,$cursor&limit=-1&${query}`)
  const { body } = await ask(`GET /items/notes?fields=id&limit=-1&${query}&meta=filter_count&cursor=${all[4]?.$cursor}`)
  const data = all.slice(5).map(({ id }) => ({ id }))
  expect(body).toEqual({ meta: { filter_count: all.length }, data })
  const search = await ask('SEARCH /items/notes', {
    body: {
      query: {
        fields: ['id'],
        limit: -1,
        sort: ['title'],
        cursor: all[4]?.$cursor,
        filter: { rank: { _gt: 1 } },
        search: '♥',
      },
    },
  })
  expect(search.body).toEqual({ data })
})

test('a key of several columns ends the order', async () => {
  type Mark = { readonly row_id: number; readonly col_id: number; readonly $cursor: string }
  const found: string[] = []
  for (let cursor = ''; ; ) {
    const [mark] = await rowsOf<Mark>(`GET /items/marks?fields=*,$cursor&sort=label,-col_id&limit=1${cursor}`)
    if (mark === undefined) break
    found.push(`${mark.row_id}${mark.col_id}`)
    cursor = `&cursor=${mark.$cursor}`
  }
  expect(found).toEqual(['11', '21', '12', '31', '22'])
})

const list = async (args: string) => {
  const query = `{ notes(sort: ["-title"], ${args}) { id place: _cursor } }`
  const { body } = await ask('POST /graphql', { body: { query } })
  return (body as { readonly data: { readonly notes: readonly { readonly id: string; readonly place: string }[] } })
    .data.notes
}

test('GraphQL has the same cursors', async () => {
  const all = await list('limit: -1')
  const rest = await rowsOf('GET /items/notes?fields=id,$cursor&sort=-title&limit=-1')
  expect(all).toEqual(rest.map(({ id, $cursor }) => ({ id: String(id), place: $cursor })))
  expect(await list(`limit: 5, cursor: "${all[9]?.place}"`)).toEqual(all.slice(10, 15))
})

test.each(['users', 'folders', 'files'])(
  'the list of %s has them, also where unknown parameters are refused',
  async (name) => {
    const columns = { users: 'email, role', folders: 'name', files: 'storage, filename_download' }[name]
    const values = { users: `n || '@example.com', null`, folders: `'f' || n`, files: `'local', 'f' || n` }[name]
    await own.rows(`insert into platform_${name} (id, ${columns})
    select ('00000000-0000-4000-8000-0000000001' || n)::uuid, ${values} from generate_series(10, 14) n`)
    const strict = await own.openReplica({ STRICT_QUERY: 'true' })
    const idsOf = async (query: string) => {
      const { body } = await strict.ask(`GET /${name}?fields=id,$cursor&sort=id&${query}`)
      return (body as { readonly data: readonly { readonly id: string; readonly $cursor: string }[] }).data
    }
    const all = await idsOf('limit=-1')
    expect(all.length).toBeGreaterThanOrEqual(5)
    expect(await idsOf(`limit=2&cursor=${all[1]?.$cursor}`)).toEqual(all.slice(2, 4))
  },
)

const ofId = (...values: readonly (string | null)[]) =>
  toCursor([{ kind: 'field', path: [], field: 'id', descending: false }], values)

test.each([
  ['fields=$cursor&sort=-rank&cursor=nonsense', '"cursor"'],
  [`sort=-rank&cursor=${ofId('1')}`, '"cursor"'],
  [`cursor=${ofId('1', '2')}`, '"cursor"'],
  [`cursor=${ofId('1')}&offset=5`, '"cursor"'],
  [`cursor=${ofId('1')}&page=2&limit=5`, '"cursor"'],
  [`cursor=${ofId('1')}&aggregate[count]=*`, '"cursor"'],
  ['fields=$cursor&sort=year(made)', '"sort"'],
])('GET /items/notes?%s is refused', async (query, name) => {
  const { status, body } = await ask(`GET /items/notes?${query}`)
  const [{ message }] = (body as { readonly errors: readonly [{ readonly message: string }] }).errors
  expect([status, message]).toEqual([400, expect.stringContaining(name)])
})

test('a value that the column cannot hold is the caller’s error', async () => {
  expect((await ask(`GET /items/notes?cursor=${ofId('one')}`)).status).toBe(400)
  expect(await rowsOf(`GET /items/notes?cursor=${ofId(null)}`)).toEqual([])
})

test('who may not read the key or a field of the order gets no cursor of it', async () => {
  const token = await own.addUser([{ collection: 'notes', action: 'read', fields: 'title,id' }])
  const blind = await own.addUser([{ collection: 'notes', action: 'read', fields: 'title,rank' }])
  expect((await ask('GET /items/notes?fields=title,$cursor&sort=title', { token })).status).toBe(200)
  expect((await ask('GET /items/notes?fields=title,$cursor&sort=rank', { token })).status).toBe(403)
  expect((await ask('GET /items/notes?fields=title,$cursor&sort=rank', { token: blind })).status).toBe(403)
  expect((await ask(`GET /items/notes?fields=title&cursor=${ofId('3')}`, { token: blind })).status).toBe(403)
})

test('a cursor of an item whose key or order is readable on other items only begins a page', async () => {
  const action = 'read'
  const token = await own.addUser([
    { collection: 'notes', action, fields: 'title' },
    { collection: 'notes', action, fields: 'id,rank', permissions: { rank: { _gt: 2 } } },
  ])
  for (const sort of ['id', '-id', 'title', '-title', '-title,-id', 'rank', '-rank', 'rank,-id']) {
    const all = await rowsOf(`GET /items/notes?fields=id,title,$cursor&sort=${sort}&limit=-1`, { token })
    expect(all.some(({ id }) => id === null)).toBe(true)
    for (const { id, $cursor } of all) {
      const page = await rowsOf(`GET /items/notes?fields=id&sort=${sort}&limit=3&cursor=${$cursor}`, { token })
      const at = all.findIndex((each) => each.id === id)
      if (id !== null) expect(page.map((each) => each.id)).toEqual(all.slice(at + 1, at + 4).map((each) => each.id))
    }
  }
})

const notesOfShelf = async (args: string) => {
  const query = `{ shelves_by_id(id: 1) { notes(sort: ["-title"], ${args}) { id place: _cursor } } }`
  const { body } = await ask('POST /graphql', { body: { query } })
  expect(body).not.toHaveProperty('errors')
  type Note = { readonly id: string; readonly place: string }
  return (body as { readonly data: { readonly shelves_by_id: { readonly notes: readonly Note[] } } }).data.shelves_by_id
    .notes
}

describe('nested lists', () => {
  type Shelf = { readonly id: number; readonly notes: readonly Row[] }
  const idsOf = (shelf: Shelf | undefined) => shelf?.notes.map(({ id }) => id)
  const cursorOf = (shelf: Shelf | undefined, at: number) => shelf?.notes[at]?.$cursor
  const shelves = (query: string) =>
    rowsOf<Shelf>(`GET /items/shelves?sort=id&fields=id,notes.id,notes.$cursor&${query}`)

  test.each(['', '-rank,title', 'made', '-place'])('sorted by "%s" have the pages of each list', async (sort) => {
    const deep = (limit: number) => `deep[notes][_sort]=${sort}&deep[notes][_limit]=${limit}`
    const all = await shelves(deep(-1))
    expect(all).toHaveLength(3)
    for (const [at, shelf] of all.entries()) {
      const found = await shelves(`${deep(3)}&deep[notes][_cursor]=${cursorOf(shelf, 7)}`)
      expect(idsOf(found[at])).toEqual(idsOf(shelf)?.slice(8, 11))
      const [only] = await shelves(`filter[id]=${shelf.id}&${deep(-1)}&deep[notes][_cursor]=${cursorOf(shelf, 18)}`)
      expect(idsOf(only)).toEqual(idsOf(shelf)?.slice(19))
    }
  })

  test('without a sort have the order of the relation', async () => {
    const [shelf] = await rowsOf<Shelf>('GET /items/shelves?sort=id&limit=1&fields=id,notes.id,notes.$cursor')
    const rows = await own.rows('select id from notes where shelf = 1 order by place is null, place, id')
    expect(idsOf(shelf)).toEqual(rows.map(({ id }) => id))
  })

  test('begin in GraphQL behind the same place', async () => {
    const all = await notesOfShelf('limit: -1')
    expect(await notesOfShelf(`limit: 5, cursor: "${all[9]?.place}"`)).toEqual(all.slice(10, 15))
    const [shelf] = await rowsOf<Shelf>(
      'GET /items/shelves?filter[id]=1&fields=id,notes.id,notes.$cursor&deep[notes][_sort]=-title',
    )
    expect(shelf?.notes.map(({ $cursor }) => $cursor)).toEqual(all.map(({ place }) => place))
  })

  test('refuse a cursor of another order, also where nothing of them is selected', async () => {
    const refused = { status: 400, body: { error: { code: 'INVALID_QUERY' } } }
    for (const fields of ['id,notes.id', 'id', '*.*']) {
      const query = `GET /items/shelves?fields=${fields}&deep[notes][_sort]=rank&deep[notes][_cursor]=${ofId('1')}`
      const message = expect.stringContaining('"deep.notes._cursor"') as unknown
      expect(await ask(query)).toMatchObject({ status: 400, body: { error: { code: 'INVALID_QUERY', message } } })
    }
    const offset = `GET /items/shelves?fields=notes.id&deep[notes][_offset]=1&deep[notes][_sort]=id`
    expect(await ask(`${offset}&deep[notes][_cursor]=${ofId('1')}`)).toMatchObject(refused)
    expect(await ask('GET /items/notes?fields=id,shelf.$cursor')).toMatchObject(refused)
    expect(await ask(`GET /items/notes?fields=id,shelf.id&deep[shelf][_cursor]=${ofId('1')}`)).toMatchObject(refused)
  })

  test('give who may not read the order or the key no cursor', async () => {
    const shelf = { collection: 'shelves', action: 'read', fields: '*' }
    const token = await own.addUser([shelf, { collection: 'notes', action: 'read', fields: 'id,title' }])
    const ofNotes = (sort: string, more = '') =>
      ask(`GET /items/shelves?fields=notes.title${more}&deep[notes][_sort]=${sort}`, { token })
    expect((await ofNotes('title', ',notes.$cursor')).status).toBe(200)
    expect((await ofNotes('rank', ',notes.$cursor')).status).toBe(403)
    expect((await ofNotes('id', `&deep[notes][_cursor]=${ofId('1')}`)).status).toBe(200)
    const blind = await own.addUser([shelf, { collection: 'notes', action: 'read', fields: 'title,rank' }])
    const query = `GET /items/shelves?fields=notes.title&deep[notes][_sort]=id&deep[notes][_cursor]=${ofId('1')}`
    expect((await ask(query, { token: blind })).status).toBe(403)
  })
})
