import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { atCommit, broken, create, dawdle, type Operation, unservable } from './batch-refusals.ts'
import { type OwnDatabase, openOwnDatabase } from './own-database.ts'

const tables = `
  create table shelves (id serial primary key, name text not null unique);
  create table books (
    id serial primary key, title text not null, code text unique, pages integer,
    shelf integer references shelves (id) deferrable initially deferred
  );
  create table about (id serial primary key, text text);
  insert into platform_collections (collection, singleton) values ('shelves', false), ('books', false), ('about', true)`

const own = await openOwnDatabase(tables)
const writer = await own.addUser(
  ['create', 'read', 'update'].map((action) => ({
    collection: 'books',
    action,
    permissions: { title: { _neq: 'Kept' } },
    fields: 'id,title,code,pages',
  })),
)
const blind = await own.addUser([{ collection: 'books', action: 'create' }])
beforeEach(() =>
  own.rows(
    'truncate shelves, books, about, platform_idempotency_keys, platform_revisions, platform_activity restart identity cascade',
  ),
)
afterAll(() => own.close())

type RequestOptions = { readonly token?: string | null; readonly dry?: boolean; readonly path?: string }

async function run(operations: readonly Operation[], { token, dry, path = '/batch' }: RequestOptions = {}) {
  const body = { operations, ...(dry === undefined ? {} : { dry_run: dry }) }
  const { status, body: answer } = await own.ask(`POST ${path}`, { body, ...(token === undefined ? {} : { token }) })
  return { status, answer: answer as never }
}

async function refusal(operations: readonly Operation[], options: RequestOptions = {}): Promise<readonly unknown[]> {
  const { status, answer } = await run(operations, options)
  const { error } = answer as { readonly error?: { readonly operation?: number; readonly message: string } }
  return [status, error?.operation, error?.message]
}

const titles = async (): Promise<unknown> =>
  (await own.rows('select title from books order by id')).map(({ title }) => title)

describe('operations', () => {
  test('run in their order, by method and path or by operationId, and see what earlier ones have written', async () => {
    const { status, answer } = await run([
      { method: 'POST', path: '/items/shelves?fields=id,name', body: { name: 'Top' } },
      {
        ...create([{ title: 'One', shelf: { $ref: '0.data.id' } }, { title: 'Two' }]),
        query: { fields: ['id', 'shelf.name'] },
      },
      {
        method: 'PATCH',
        path: '/items/books/{second}',
        parameters: { second: { $ref: '1.data.1.id' } },
        body: { title: 'Changed', shelf: { $ref: '0.data.id' } },
      },
      {
        operation: 'updateItems',
        parameters: { collection: 'books' },
        body: { query: { filter: { shelf: { _eq: { $ref: '0.data.id' } } } }, data: { pages: 7 } },
        query: { fields: 'pages' },
      },
      { method: 'DELETE', path: '/items/books/1' },
    ])
    expect(status).toBe(200)
    expect(answer).toEqual({
      data: [
        { status: 200, body: { data: { id: 1, name: 'Top' } } },
        {
          status: 200,
          body: {
            data: [
              { id: 1, shelf: { name: 'Top' } },
              { id: 2, shelf: null },
            ],
          },
        },
        { status: 200, body: { data: { id: 2, title: 'Changed', code: null, pages: null, shelf: 1 } } },
        { status: 200, body: { data: [{ pages: 7 }, { pages: 7 }] } },
        { status: 204, body: null },
      ],
    })
    expect(await own.rows('select id, title, pages, shelf from books')).toEqual([
      { id: 2, title: 'Changed', pages: 7, shelf: 1 },
    ])
  })

  test.for(['/batch', '/_/batch'])('may refer to earlier answers in their query: %s', async (path) => {
    const { status, answer } = await run(
      [
        { ...create({ title: 'pages', code: '1' }), query: { fields: 'id,title' } },
        { ...create({ title: 'Two', pages: 2 }), query: { fields: [{ $ref: '0.data.title' }, 'title'] } },
        { ...create({ title: 'Three', pages: 3 }), query: { fields: { $ref: '0.data.title' } } },
        {
          method: 'PATCH',
          path: `${path === '/batch' ? '' : '/_'}/items/books/2?fields=title`,
          body: { title: 'Last' },
          query: { limit: { $ref: '0.data.id' } },
        },
      ],
      { path },
    )
    expect([status, answer]).toEqual([
      200,
      {
        data: [
          { status: 200, body: { data: { id: 1, title: 'pages' } } },
          { status: 200, body: { data: { pages: 2, title: 'Two' } } },
          { status: 200, body: { data: { pages: 3 } } },
          { status: 200, body: { data: { title: 'Last' } } },
        ],
      },
    ])
  })

  test('leave the history that each would leave alone, in their order', async () => {
    await run([
      create({ title: 'One' }),
      { operation: 'updateItem', parameters: { collection: 'books', id: 1 }, body: { title: 'Two' } },
      { operation: 'deleteItem', parameters: { collection: 'books', id: 1 } },
    ])
    const found = await own.rows('select action, item, user is not null as known from platform_activity order by id')
    expect(found).toEqual(['create', 'update', 'delete'].map((action) => ({ action, item: '1', known: true })))
    const revisions = await own.rows("select delta->>'title' as title from platform_revisions order by id")
    expect(revisions).toEqual([{ title: 'One' }, { title: 'Two' }])
  })

  test('on system collections end sessions and change rights once, after the commit', async () => {
    const { status, answer } = await run([
      { operation: 'createRoles', parameters: {}, body: { name: 'Readers' } },
      { operation: 'createPolicies', body: { name: 'Reading' } },
      {
        operation: 'createPermissions',
        body: { policy: { $ref: '1.data.id' }, collection: 'shelves', action: 'read', fields: ['*'] },
      },
      { operation: 'createAccesses', body: { role: { $ref: '0.data.id' }, policy: { $ref: '1.data.id' } } },
      {
        operation: 'createUsers',
        body: {
          email: 'new@example.com',
          password: 'secret-of-new',
          token: 'token-of-the-new-user',
          role: { $ref: '0.data.id' },
        },
      },
    ])
    expect([
      status,
      (answer as { data: { body: { data: { password: string } } }[] }).data[4]?.body.data.password,
    ]).toEqual([200, '**********'])
    expect((await own.ask('GET /items/shelves', { token: 'token-of-the-new-user' })).body).toEqual({ data: [] })
  })

  test('of the legacy generation are answered in its envelope', async () => {
    const { status, answer } = await run(
      [
        { method: 'POST', path: '/_/items/books', body: { title: 'One' } },
        {
          operation: 'updateItem',
          parameters: { collection: 'books', id: { $ref: '0.data.id' } },
          body: { title: 'Two' },
          query: { fields: 'title' },
        },
        { operation: 'deleteItem', parameters: { collection: 'books', id: '1' } },
      ],
      { path: '/_/batch' },
    )
    expect([status, answer]).toEqual([
      200,
      {
        data: [
          expect.objectContaining({ status: 200 }),
          { status: 200, body: { data: { title: 'Two' } } },
          { status: 204, body: null },
        ],
      },
    ])
    expect(
      await refusal([{ method: 'POST', path: '/other/items/books', body: { title: 'One' } }], { path: '/_/batch' }),
    ).toEqual([400, undefined, 'Expected the "project" of the batch for "operations.0"'])
  })
})

describe('a failure', () => {
  test.for<[string, readonly Operation[], readonly unknown[]]>([
    [
      'of the database',
      [create({ title: 'One', code: 'a' }), create({ title: 'Two' }), create({ title: 'Three', code: 'a' })],
      [400, 2, 'Value "a" for field "code" in collection "books" has to be unique.'],
    ],
    [
      'of a value',
      [create({ title: 'One' }), create({ title: null })],
      [400, 1, 'Validation failed for field "title". Value can\'t be null.'],
    ],
    [
      'of an item that is not there',
      [create({ title: 'One' }), { method: 'PATCH', path: '/items/books/99', body: { title: 'Two' } }],
      [403, 1, "You don't have permission to access this."],
    ],
    [
      'of a condition',
      [
        create({ title: 'One' }),
        { method: 'PATCH', path: '/items/books/1', body: { title: 'Two' }, if_match: '"other"' },
      ],
      [412, 1, 'The contents do not match If-Match.'],
    ],
    [
      'of a singleton',
      [create({ title: 'One' }), create({ text: 'a' }, 'about')],
      [404, 1, "Route /items/about doesn't exist."],
    ],
    [
      'of a reference without a value',
      [create({ title: 'One' }), create({ title: { $ref: '0.data.no_such' } })],
      [400, 1, 'Invalid payload. Expected a value in an earlier answer for "$ref" but found none at "0.data.no_such".'],
    ],
    [
      'of a reference to an object in a path',
      [
        create({ title: 'One' }),
        { operation: 'deleteItem', parameters: { collection: 'books', id: { $ref: '0.data' } } },
      ],
      [400, 1, 'Invalid payload. Expected a text without lone surrogates or a number for "id" of "parameters".'],
    ],
    [
      'of a field that a reference in a query names',
      [create({ title: 'no_such' }), { ...create({ title: 'Two' }), query: { fields: { $ref: '0.data.title' } } }],
      [403, 1, 'You don\'t have permission to access field "no_such" in collection "books" or it does not exist.'],
    ],
    ['of the commit', [create({ title: 'One', shelf: 99 })], [400, atCommit, broken]],
  ])('%s undoes everything and names its operation', async ([, operations, expected]) => {
    expect(await refusal(operations)).toEqual(expected)
    expect(await titles()).toEqual([])
    expect(await own.rows('select id from platform_activity')).toEqual([])
  })

  test('of rights is told as it is alone, and nothing remains', async () => {
    await own.rows("insert into books (title) values ('Kept')")
    const change = { method: 'PATCH', path: '/items/books/1', body: { title: 'Mine' } }
    expect(await refusal([create({ title: 'One' }), change], { token: writer })).toEqual([
      403,
      1,
      "You don't have permission to access this.",
    ])
    expect(
      await refusal([create({ title: 'One' }), { method: 'DELETE', path: '/items/books/1' }], { token: writer }),
    ).toEqual([403, 1, 'You don\'t have permission to access collection "books" or it does not exist.'])
    expect(await refusal([create({ title: 'One' }), create({ name: 'Top' }, 'shelves')], { token: writer })).toEqual([
      403,
      1,
      'You don\'t have permission to access collection "shelves" or it does not exist.',
    ])
    expect(await refusal([create({ title: 'One' })], { token: null })).toEqual([
      403,
      0,
      'You don\'t have permission to access collection "books" or it does not exist.',
    ])
    expect(await titles()).toEqual(['Kept'])
  })

  test('of the legacy generation has its code and the position', async () => {
    const { status, answer } = await run(
      [
        { operation: 'createItems', parameters: { collection: 'books' }, body: { title: 'One', code: 'a' } },
        { operation: 'createItems', parameters: { collection: 'books' }, body: { title: 'Two', code: 'a' } },
      ],
      { path: '/_/batch' },
    )
    expect([status, answer]).toEqual([
      409,
      { error: { code: 204, message: expect.stringContaining('Duplicate value') as string, operation: 1 } },
    ])
    expect(await titles()).toEqual([])
  })

  test('of an answer that the caller may not read leaves nothing to refer to', async () => {
    expect((await run([create({ title: 'One' })], { token: blind })).answer).toEqual({
      data: [{ status: 204, body: null }],
    })
    expect(
      await refusal([create({ title: 'Two' }), create({ title: { $ref: '0.data.id' } })], { token: blind }),
    ).toEqual([
      400,
      1,
      'Invalid payload. Expected a value in an earlier answer for "$ref" but found none at "0.data.id".',
    ])
    expect(await titles()).toEqual(['One'])
  })
})

test('a dry run answers what would be, also what only the commit refuses, and writes nothing', async () => {
  const { answer } = await run(
    [
      create({ title: 'One' }),
      { ...create({ title: 'Two', code: { $ref: '0.data.title' } }), query: { fields: 'id,code' } },
    ],
    { dry: true },
  )
  expect(answer).toMatchObject({
    dry_run: true,
    data: [
      { status: 200, body: { data: { id: 1 } } },
      { status: 200, body: { data: { id: 2, code: 'One' } } },
    ],
  })
  expect(await refusal([create({ title: 'One', shelf: 99 })], { dry: true })).toEqual([400, atCommit, broken])
  expect(await refusal([create({ title: 'One' }), create({})], { dry: true })).toEqual([
    400,
    1,
    'Validation failed for field "title". Value is required.',
  ])
  expect(await titles()).toEqual([])
})

describe('refused before the start', () => {
  test.for(unservable)('%s', async ([, operations, reason]) => {
    const [status, , message] = await refusal(operations)
    expect([status, message]).toEqual([400, expect.stringContaining(reason)])
    expect(await titles()).toEqual([])
    // Not even a key was taken.
    expect((await run([create({ title: 'First' })])).answer).toMatchObject({ data: [{ body: { data: { id: 1 } } }] })
  })
})

test('a body may hold what looks like a reference', async () => {
  const { status } = await run([
    create({ title: 'One' }),
    { ...create({ title: 'Two', code: { $ref: '0.data.id' } }), references: false },
  ])
  expect(status).toBe(400)
  expect((await run([{ ...create({ title: 'One' }), references: false }])).status).toBe(200)
})

const late = (what: string) =>
  `Service "database" is unavailable. A statement of the ${what} took longer than 2000 ms (BATCH_TIMEOUT).`

describe('bounds', () => {
  let small: OwnDatabase
  beforeAll(async () => {
    small = await openOwnDatabase(tables, { MAX_BATCH_MUTATION: '3', BATCH_TIMEOUT: '2s' })
  })
  afterAll(() => small.close())

  const ask = async (operations: readonly Operation[]) => {
    const { status, body } = await small.ask('POST /batch', { body: { operations } })
    const { error } = body as { readonly error?: { readonly operation?: number; readonly message: string } }
    return [status, error?.operation, error?.message]
  }

  test('hold for the operations and for their items together', async () => {
    const one = create({ title: 'One' })
    expect(await ask([one, one, one])).toEqual([200, undefined, undefined])
    expect(await ask([one, one, one, one])).toEqual([
      400,
      undefined,
      'Invalid payload. Expected at most 3 operations for "operations" but received 4.',
    ])
    expect(
      await ask([create([{ title: 'One' }, { title: 'Two' }]), create([{ title: 'One' }, { title: 'Two' }])]),
    ).toEqual([400, 1, 'Invalid payload. Expected at most 1 items but received 2.'])
    const all = { operation: 'deleteItems', parameters: { collection: 'books' }, body: { query: { limit: -1 } } }
    expect(await ask([one, all])).toEqual([400, 1, 'Invalid payload. Expected at most 2 items but received more.'])
    expect(await small.rows('select count(*)::int as n from books')).toEqual([{ n: 3 }])
  })

  // The embedded database cannot be stopped within a statement.
  const testOnServer = process.env['TEST_DATABASE_URL'] === undefined ? () => {} : test
  testOnServer('hold for the time', async () => {
    await small.db.run({ text: dawdle, values: [] })
    const refused = await ask([create({ title: 'Late' }), create({ name: 'Top' }, 'shelves')])
    expect(refused).toEqual([503, 1, late('batch')])
    const rows = [{ collection: 'shelves', items: [{ name: 'Top' }] }]
    const tried = await small.ask('POST /utils/import?dryRun=true', { body: rows })
    expect([tried.status, tried.body]).toMatchObject([503, { error: { message: late('import') } }])
    expect(await small.rows("select id from books where title = 'Late'")).toEqual([])
  })
})
