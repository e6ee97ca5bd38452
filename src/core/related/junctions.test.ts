import { afterAll, expect, test } from 'vitest'
import { jsonOf } from '../../domain/ports/row-store.ts'
import { createTestDatabase } from '../../sql/testing/test-database.ts'
import { writeItems } from '../items/items.ts'
import { readBack } from '../rows/read-items.ts'
import { changesOf, createTestContext, failuresOf, is, queryOf } from '../testing/test-context.ts'

const sql = `
create table lists (id integer primary key);
create table songs (id integer primary key);
create table lists_songs (list integer references lists, song integer references songs, note text, primary key (list, song));
insert into platform_collections (collection, accountability) values ('lists_songs', 'all');
insert into lists values (1), (2);
insert into songs values (1), (2);
`

const database = await createTestDatabase({ sql })
const ctx = createTestContext(database.db, await database.loadSchema())

afterAll(() => database.close())

test('rows of a junction table with a key of two columns are created, each with one revision of its own', async () => {
  const items = [
    changesOf({ list: 1, song: 1 }),
    changesOf({ list: 1, song: 2 }),
    changesOf({ list: 2, song: 1, note: 'x' }),
  ]
  const keys = await writeItems(ctx, { kind: 'create', collection: 'lists_songs', items })
  expect(keys).toEqual(['1;1', '1;2', '2;1'])
  const shown = await readBack(ctx, keys.toReversed(), queryOf('lists_songs'))
  expect(JSON.parse(shown === null ? '[]' : jsonOf(shown))).toEqual([
    { list: 2, song: 1, note: 'x' },
    { list: 1, song: 2, note: null },
    { list: 1, song: 1, note: null },
  ])
  const { rows } = await database.db.run({
    text: 'select item, data from platform_revisions order by item',
    values: [],
  })
  expect(rows).toEqual([
    { item: '1;1', data: { list: 1, song: 1, note: null } },
    { item: '1;2', data: { list: 1, song: 2, note: null } },
    { item: '2;1', data: { list: 2, song: 1, note: 'x' } },
  ])
})

test('junction rows are named by the text of their whole key, and by a query', async () => {
  const notFound = [{ kind: 'item-not-found', collection: 'lists_songs' }]
  const target = { kind: 'keys', keys: [1] } as const
  const query = { kind: 'query', query: queryOf('lists_songs', { filter: is('song', 2) }) } as const
  const gone = { kind: 'delete', collection: 'lists_songs', target } as const
  expect(await failuresOf(writeItems(ctx, gone))).toEqual(notFound)
  expect(await writeItems(ctx, { ...gone, target: query })).toEqual(['1;2'])
  const changes = changesOf({ note: 'y' })
  expect(await failuresOf(writeItems(ctx, { kind: 'update', collection: 'lists_songs', target, changes }))).toEqual(
    notFound,
  )
})

const wrongKeys = ['nosuch', 'null', '{}', '1;', '1;2;3', '\0;1', '%;1', 1]

test.each(wrongKeys)(
  'an update of the row %j is refused like one of a missing row, whatever it changes',
  async (key) => {
    const target = { kind: 'keys', keys: [key] } as const
    for (const values of [{ note: 'y' }, { list: 2 }, { list: { id: 1 } }]) {
      const update = { kind: 'update', collection: 'lists_songs', target, changes: changesOf(values) } as const
      expect(await failuresOf(writeItems(ctx, update))).toEqual([{ kind: 'item-not-found', collection: 'lists_songs' }])
    }
  },
)
