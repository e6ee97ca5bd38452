import { buildASTSchema, Kind, parse, print, printSchema, visit } from 'graphql'
import { afterAll, expect, test } from 'vitest'
import { createTestContext } from '../../core/testing/test-context.ts'
import { readSdl } from '../../graphql/schema/sdl.ts'
import { createTestDatabase } from '../../sql/testing/test-database.ts'
import { perVendor } from '../../sql/testing/test-vendors.ts'
import { createTestServer, tokens } from '../testing/test-server.ts'
import { createView } from '../views/schema-view.ts'
import { servedSchema } from './schema.ts'

const server = await createTestServer()

afterAll(() => server.close())

const ask = async (query: string, variables?: object): Promise<unknown> => {
  const { status, body } = await server.ask('POST /_/gql', { body: { query, ...(variables && { variables }) } })
  expect(status).toBe(200)
  return body
}

/** The same items by REST. */
const rest = async (request: string): Promise<unknown> => (await server.ask(`GET /_/items/${request}`)).body

test('a collection has the items and the facts that REST has of it', async () => {
  const answer = await ask(
    `{ articles(limit: 2, offset: 1) {
         data { id title author { name region { name } } comments { id body } status published_on image { id } }
         meta { result_count total_count filter_count collection type status_count } } }`,
  )
  const fields = 'id,title,author.name,author.region.name,comments.id,comments.body,status,published_on,image.id'
  const facts = 'result_count,total_count,filter_count,collection,type,status_count'
  expect(answer).toEqual({
    data: { articles: await rest(`articles?limit=2&offset=1&fields=${fields}&meta=${facts}`) },
  })
})

const filters: readonly (readonly [filter: string, parameters: string])[] = [
  ['title_contains: "ME"', 'filter[title][contains]=ME'],
  ['title_ncontains: "e"', 'filter[title][ncontains]=e'],
  ['title_rlike: "%melt%"', 'filter[title][rlike]=%25melt%25'],
  ['views_gt: 1, views_lte: 100', 'filter[views][gt]=1&filter[views][lte]=100'],
  ['views_between: [0, 10]', 'filter[views][between]=0,10'],
  ['id_nin: [1, 2]', 'filter[id][nin]=1,2'],
  ['author_eq: 1', 'filter[author]=1'],
  ['author_in: [1, null]', 'filter[author][in]=1'],
  ['author_contains: "ann"', 'filter[author][contains]=ann'],
  ['views_contains: "2"', 'filter[views][contains]=2'],
  ['published_on_rlike: "2024-0_-15"', 'filter[published_on][rlike]=2024-0_-15'],
  ['price_ncontains: "5"', 'filter[price][ncontains]=5'],
  ['author_null: true', 'filter[author][null]='],
  ['author_null: false', 'filter[author][nnull]='],
  ['comments_has: 1', 'filter[comments][has]=1'],
  ['featured_eq: true', 'filter[featured]=true'],
  ['published_on_gte: "2020-01-01"', 'filter[published_on][gte]=2020-01-01'],
  [
    'or: [{ id_eq: 1 }, { title_contains: "cup" }]',
    'filter[id]=1&filter[title][contains]=cup&filter[title][logical]=or',
  ],
  ['and: [{ id_gt: 1 }, { id_lt: 4 }]', 'filter[id][gt]=1&filter[id][lt]=4'],
]

test.each(filters)('filter: { %s } finds what REST finds with %s', async (filter, parameters) => {
  const found = await ask(`{ articles(filter: { ${filter} }) { data { id } meta { filter_count } } }`)
  expect(found).toEqual({ data: { articles: await rest(`articles?fields=id&meta=filter_count&${parameters}`) } })
})

const exactsBy = (filter: string, variable = '') => `query ${variable} { exacts(filter: ${filter}) { data { id } } }`

test('numbers keep their digits in documents and in variables', async () => {
  const exact = '123456789123456789.12345'
  const sql = `create table exacts (id serial primary key, value numeric(30, 10)); insert into exacts (value) values (${exact});`
  const own = await createTestServer({}, sql)
  const askText = async (query: string, variable = 'null'): Promise<unknown> => {
    const headers = { authorization: `Bearer ${tokens.admin}`, 'content-type': 'application/json' }
    const body = `{"query":${JSON.stringify(query)},"variables":{"v":${variable}}}`
    return (await fetch(`${own.url}/_/gql`, { method: 'POST', headers, body })).json()
  }
  const found = { data: { exacts: { data: [{ id: 1 }] } } }
  const answers = [
    await askText(exactsBy(`{ value_eq: ${exact} }`)),
    await askText(exactsBy(`{ value_in: [1, ${exact}] }`)),
    await askText(exactsBy('{ value_between: [123456789123456789.12344, 123456789123456789.12346] }')),
    await askText(exactsBy('{ value_eq: $v }', '($v: Float)'), exact),
    await askText(exactsBy('{ value_in: $v }', '($v: [Float])'), `[1, ${exact}]`),
    await askText(exactsBy('$v', '($v: ExactsFilter)'), `{"value_eq":${exact}}`),
  ]
  const other = await askText(exactsBy('{ value_eq: 123456789123456789.12346 }'))
  await own.close()
  expect(answers).toEqual(answers.map(() => found))
  expect(other).toEqual({ data: { exacts: { data: [] } } })
})

test('one item is a list too, and one that there is not is an error with its code', async () => {
  expect(await ask('query ($id: Int) { articles(id: $id) { data { id title } } }', { id: 1 })).toEqual({
    data: { articles: { data: [{ id: 1, title: 'Glaciers melt' }] } },
  })
  expect(await ask('{ articles(id: 999) { data { id } } }')).toEqual({
    data: { articles: null },
    errors: [
      { message: 'Item not found', extensions: { code: 203 }, path: ['articles'], locations: [{ line: 1, column: 3 }] },
    ],
  })
  expect(await ask('{ tags(id: "ice") { data { name } } }')).toEqual({ data: { tags: { data: [{ name: 'ice' }] } } })
})

test('a fragment on Node selects the keys of items that have an id', async () => {
  const query = `
    { articles(id: 1) { data { ...key author { ...key } } } tags(id: "ice") { data { ... on TagsItem { name } } } }
    fragment key on Node { id __typename }`
  expect(await ask(query)).toEqual({
    data: {
      articles: { data: [{ id: 1, __typename: 'ArticlesItem', author: { id: 1, __typename: 'AuthorsItem' } }] },
      tags: { data: [{ name: 'ice' }] },
    },
  })
})

test('aliases, fragments and __typename, at every level', async () => {
  const query = `
    { one: articles(id: 1) { __typename rows: data { ...part writer: author { n: name } } again: data { id } m: meta { n: result_count __typename } } }
    fragment part on ArticlesItem { key: id __typename }`
  const { data: articles } = (await rest('articles/1?fields=author.name')) as { data: { author: { name: string } } }
  expect(await ask(query)).toEqual({
    data: {
      one: {
        __typename: 'Articles',
        rows: [{ key: 1, __typename: 'ArticlesItem', writer: { n: articles.author.name } }],
        again: [{ id: 1 }],
        m: { n: 1, __typename: 'Metadata' },
      },
    },
  })
})

test('facts alone, and system collections under their names', async () => {
  expect(await ask('{ articles(limit: 1) { meta { total_count } } }')).toEqual({
    data: { articles: { meta: { total_count: 4 } } },
  })
  const { data } = (await ask(
    '{ platform_users(filter: { email_eq: "admin@example.com" }) { data { email status } } platform_collection_presets { meta { result_count } } platform_permissions { meta { result_count } } }',
  )) as { data: object }
  expect(data).toMatchObject({
    platform_users: { data: [{ email: 'admin@example.com', status: 'active' }] },
    platform_collection_presets: { meta: {} },
    platform_permissions: { meta: {} },
  })
})

test('the addresses of a file come under whatever name they are asked for', async () => {
  await server.db.run({
    text: `insert into platform_files (id, storage, filename_disk, filename_download, title, private_hash)
           values (gen_random_uuid(), 'local', 'a.txt', 'a.txt', 'A', 'abcdefghijklmnop')`,
    values: [],
  })
  await server.db.run({
    text: `update articles set image = (select id from platform_files where title = 'A') where id = 1`,
    values: [],
  })
  const { body } = await server.ask('GET /_/files?fields=data')
  const [{ data } = { data: {} }] = (body as { data: readonly { data: { full_url?: string; url?: string } }[] }).data
  expect(await ask('{ platform_files { data { links: data { __typename full: full_url embed { html } } } } }')).toEqual(
    {
      data: {
        platform_files: { data: [{ links: { __typename: 'FileLinks', full: data.full_url, embed: null } }] },
      },
    },
  )
  const nested = '{ comments(id: "1") { data { article { image { data { full_url } } } } } }'
  const image = { data: { full_url: data.full_url } }
  expect(await ask(nested)).toEqual({ data: { comments: { data: [{ article: { image } }] } } })
  const dataAt = async (path: string) => ((await server.ask(`GET /_/items/${path}`)).body as { data: unknown }).data
  expect(await dataAt('articles/1?fields=image.data.full_url')).toEqual({ image })
  expect(await dataAt('comments/1?fields=id,article.image.data.full_url,article.image.data.url')).toEqual({
    id: '1',
    article: { image: { data: { full_url: data.full_url, url: data.url } } },
  })
  expect(await dataAt('articles/1?fields=image.data.*')).toEqual({ image: { data } })
  expect(await dataAt('articles/1?fields=image.data.thumbnails.url')).toEqual({ image: { data: { thumbnails: null } } })
  expect(await dataAt('articles/1?fields=image.title,image.data.never')).toBeUndefined()
  expect(await dataAt('articles?fields=image.title,image.data.full_url&limit=2&sort=id')).toEqual([
    { image: { title: 'A', ...image } },
    { image: null },
  ])
})

test('nothing can be written, and what is unknown is refused with code 4', async () => {
  for (const query of ['mutation { create_tags_item { name } }', 'subscription { articles_mutated { key } }']) {
    expect(await ask(query)).toMatchObject({ errors: [{ extensions: { code: 4 } }] })
  }
  const refused = await ask('{ articles { data { nowhere } } articls { data { id } } }')
  expect(refused).toEqual({
    errors: [
      {
        message: 'Cannot query field "nowhere" on type "ArticlesItem".',
        locations: [{ line: 1, column: 21 }],
        extensions: { code: 4 },
      },
      {
        message: 'Cannot query field "articls" on type "Query".',
        locations: [{ line: 1, column: 33 }],
        extensions: { code: 4 },
      },
    ],
  })
  expect(await ask('{ articles(limit: -2) { data { id } } }')).toMatchObject({
    data: { articles: null },
    errors: [{ message: expect.stringContaining('"limit"'), extensions: { code: 4 } }],
  })
})

test('only administrators may ask', async () => {
  const body = { query: '{ articles { data { id } } }' }
  for (const token of [null, tokens.reader]) {
    const answer = await server.ask('POST /_/gql', { token, body })
    expect([answer.status, answer.body]).toEqual([401, { error: { code: 3, message: 'Unauthorized request' } }])
  }
  const byQuery = await server.ask(`POST /_/gql?access_token=${tokens.admin}`, { token: null, body })
  expect(byQuery.status).toBe(200)
  const empty = await server.ask('POST /_/gql', { body: {} })
  expect([empty.status, (empty.body as { error: { code: number } }).error.code]).toEqual([400, 4])
})

const exampleSql = `
create table example_related (id serial primary key, example integer);
create table example (
  id serial primary key, "string" varchar(50), "text" text, "boolean" boolean, "integer" integer, "bigInteger" bigint,
  "float" real, "decimal" numeric(10, 2), "dateTime" timestamp, "timestamp" timestamptz, "date" date, "time" time,
  "json" json, "csv" text, "uuid" uuid, "hash" varchar(255), "binary" bytea, "unknown" inet,
  many_to_one integer references example_related (id)
);
alter table example_related add foreign key (example) references example (id);
insert into platform_collections (collection) values ('example'), ('example_related');
insert into platform_fields (collection, field, special) values
  ('example', 'csv', 'cast-csv'), ('example', 'hash', 'hash'), ('example', 'one_to_many', 'o2m');
insert into platform_relations (many_collection, many_field, one_collection, one_field)
  values ('example_related', 'example', 'example', 'one_to_many');
`

/** A table has no file of its own, and MariaDB no type that is unknown. */
const hasLine = (line: string): boolean =>
  !line.includes('FileLinks') && perVendor({ postgres: true, mariadb: !line.trim().startsWith('unknown') })

test('the types of a collection are those of the spec, for every type of field and kind of relation', async () => {
  const database = await createTestDatabase({ sql: exampleSql })
  const schema = await database.loadSchema()
  const ctx = createTestContext(database.db, schema)
  const served = servedSchema({ ...ctx, view: createView(schema) })
  await database.close()
  const found = definitionsOf(printSchema(served.schema))
  const expected = definitionsOf(printSchema(buildASTSchema(parse(readSdl('legacy')))))
  for (const name of ['Example', 'ExampleItem', 'ExampleFilter', 'Metadata', 'JSON']) {
    expect(found.get(name)?.filter(hasLine), name).toEqual(expected.get(name)?.filter(hasLine))
  }
  expect(found.get('Query')?.find((line) => line.startsWith('  example('))).toBe(
    expected.get('Query')?.find((line) => line.startsWith('  example(')),
  )
})

test('everything in the spec is described', () => {
  const missing: string[] = []
  visit(parse(readSdl('legacy')), {
    enter(node) {
      const isQuery = node.kind === Kind.OBJECT_TYPE_DEFINITION && node.name.value === 'Query'
      if (!isQuery && node.kind.endsWith('Definition') && 'description' in node && node.description === undefined)
        missing.push('name' in node ? (node.name?.value ?? '') : '')
    },
  })
  expect(missing).toEqual([])
})

/** The sorted lines of each definition, without descriptions. The test database has no geometry. */
function definitionsOf(text: string): ReadonlyMap<string, readonly string[]> {
  const document = visit(parse(text), {
    enter: (node) => ('description' in node ? { ...node, description: undefined } : undefined),
  })
  return new Map(
    document.definitions.map((each) => {
      const lines = print(each).split('\n')
      const name = 'name' in each ? (each.name?.value ?? '') : ''
      return [name, lines.filter((line) => !line.includes(' geometry')).toSorted()]
    }),
  )
}
