/** Programs that nobody sends in earnest: each is refused with a clear answer, and writes nothing. */
import { afterAll, beforeEach, expect, test } from 'vitest'
import { openOwnDatabase } from './own-database.ts'

const tables = `
  create table notes (id serial primary key, text text, rank integer, parent integer references notes);
  insert into platform_collections (collection, singleton) values ('notes', false);
  insert into platform_relations (many_collection, many_field, one_collection, one_field) values ('notes', 'parent', 'notes', 'children')`
const own = await openOwnDatabase(tables, { MAX_BATCH_MUTATION: '50' })
beforeEach(() => own.rows('truncate notes restart identity'))
afterAll(() => own.close())

const create = (body: unknown) => ({ method: 'POST', path: '/items/notes', body })
const first = create({ text: 'must not stay' })
const then = (...more: readonly object[]) => [first, ...more]
const nest = (depth: number): unknown => (depth === 0 ? { text: 'x' } : { text: 'x', children: [nest(depth - 1)] })

const programs: readonly (readonly [name: string, operations: unknown])[] = [
  ['a reference to a later result', [create({ text: { $ref: '1.data.id' } }), first]],
  ['a reference to itself', then(create({ text: { $ref: '1.data.id' } }))],
  ['a cycle', [create({ text: { $ref: '1.data.id' } }), create({ text: { $ref: '0.data.id' } })]],
  ['a reference to nothing', then(create({ parent: { $ref: '0.data.nothing' } }))],
  [
    'a reference to an answer without a body',
    then({ method: 'DELETE', path: '/items/notes/1' }, create({ text: { $ref: '1.data' } })),
  ],
  ['a reference to a failed operation', then(create({ parent: 999_999 }), create({ parent: { $ref: '1.data.id' } }))],
  ['a negative position', then(create({ text: { $ref: '-1.data.id' } }))],
  ['a position with a leading zero', then(create({ text: { $ref: '00.data.id' } }))],
  ['a huge position', then(create({ text: { $ref: `${'9'.repeat(400)}.data.id` } }))],
  ['a reference through __proto__', then(create({ text: { $ref: '0.data.__proto__' } }))],
  ['a reference through constructor', then(create({ text: { $ref: '0.constructor.name' } }))],
  ['a reference to the length of a text', then(create({ text: { $ref: '0.data.text.length' } }))],
  [
    'a reference to the length of a list',
    [create([{ text: 'must not stay' }]), create({ text: { $ref: '0.data.length' } })],
  ],
  ['an object where a number is expected', then(create({ rank: { $ref: '0.data' } }))],
  [
    'a key of another kind',
    then({ operation: 'deleteItem', parameters: { collection: 'notes', id: { $ref: '0.data' } } }),
  ],
  [
    'a key that no address can have',
    then({ operation: 'deleteItem', parameters: { collection: 'notes', id: '\ud800' } }),
  ],
  [
    'a collection named by a reference',
    then({ operation: 'createItems', parameters: { collection: { $ref: '0.data.text' } }, body: {} }),
  ],
  [
    '__proto__ as a field',
    then({ method: 'POST', path: '/items/notes', body: JSON.parse('{"__proto__": {"text": 1}}') as object }),
  ],
  ['a path of another project', then({ method: 'POST', path: '/other/items/notes', body: {} })],
  ['a path of the other generation', then({ method: 'POST', path: '/_/items/notes', body: {} })],
  ['a path that climbs', then({ method: 'POST', path: '/items/../users', body: {} })],
  ['an encoded path that climbs', then({ method: 'POST', path: '/items/%2e%2e%2fusers', body: {} })],
  ['an address', then({ method: 'POST', path: 'http://example.com/items/notes', body: {} })],
  ['a broken escape', then({ method: 'DELETE', path: '/items/notes/%E0%A4%A' })],
  ['a batch in a batch', then({ method: 'POST', path: '/batch', body: { operations: [] } })],
  ['a stream', then({ method: 'GET', path: '/items/notes/changes' })],
  ['a file', then({ method: 'GET', path: '/assets/1' })],
  ['an export', then({ method: 'POST', path: '/utils/export/notes', body: { format: 'json', query: {} } })],
  ['a list as a file', then({ method: 'GET', path: '/items/notes?export=csv' })],
  ['a login', then({ method: 'POST', path: '/auth/login', body: { email: 'a@example.com', password: 'x' } })],
  ['a logout', then({ method: 'POST', path: '/auth/logout', body: {} })],
  ['an upload', then({ method: 'POST', path: '/files', body: {} })],
  ['a resumable upload', then({ method: 'POST', path: '/files/tus' })],
  ['an API key', then({ method: 'POST', path: '/keys', body: { name: 'x' } })],
  ['a change of the data model', then({ method: 'POST', path: '/collections', body: { collection: 'x', schema: {} } })],
  ['an agent', then({ method: 'POST', path: '/mcp', body: {} })],
  ['GraphQL', then({ method: 'POST', path: '/graphql', body: { query: '{ __typename }' } })],
  ['too many operations', Array.from({ length: 51 }, () => first)],
  ['too many items', then(create(Array.from({ length: 51 }, () => ({ text: 'x' }))))],
  ['too many nested items', then(create(nest(60)))],
  ['an If-Match that is wrong', then({ method: 'PATCH', path: '/items/notes/1', body: {}, if_match: '"x"' })],
  ['a method in lower case', then({ method: 'post', path: '/items/notes', body: {} })],
  ['a member that nobody knows', then({ ...first, headers: { authorization: 'Bearer x' } })],
  ['a token in the path', then({ method: 'POST', path: '/items/notes?access_token=x', body: {} })],
  ['no list', { ...first }],
  ['a list of lists', [[first]]],
  ['null', then(null as unknown as object)],
  ['nothing', []],
]

test.for(programs)('%s is refused, and nothing is written', async ([, operations]) => {
  const { status, body } = await own.ask('POST /batch', { body: { operations } })
  expect([status >= 400 && status < 500, JSON.stringify(body)]).toEqual([
    true,
    expect.stringMatching(/"code":"(?!INTERNAL)/),
  ])
  expect(await own.rows('select text from notes')).toEqual([])
})

test('a long reference is named by its beginning', async () => {
  const operations = then(create({ text: { $ref: `0${'.a'.repeat(1000)}` } }))
  const found = `found none at "0${'.a'.repeat(99)}."`
  expect(await own.ask('POST /batch', { body: { operations } })).toMatchObject({
    status: 400,
    body: {
      error: {
        message: `Invalid payload. Expected a value in an earlier answer for "$ref" but ${found}.`,
        operation: 1,
      },
    },
  })
})
