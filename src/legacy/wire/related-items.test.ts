import { afterAll, describe, expect, test } from 'vitest'
import { createTestServer, tokens } from '../testing/test-server.ts'

/** Junctions with composite keys; one shows its other side by number. */
const junctionsSql = `
  create table likes (article integer references articles (id), author integer references authors (id), note text, primary key (author, article));
  create table readings (article integer references articles (id), reader uuid references platform_users (id), primary key (reader, article));
  insert into platform_fields (collection, field, special) values ('articles', 'likes', 'm2m'), ('articles', 'readings', 'm2m');
  insert into platform_relations (many_collection, many_field, one_collection, one_field, junction_field) values
    ('likes', 'article', 'articles', 'likes', 'author'), ('likes', 'author', 'authors', null, 'article'),
    ('readings', 'article', 'articles', 'readings', 'reader'), ('readings', 'reader', 'platform_users', null, 'article');`

const server = await createTestServer({}, junctionsSql)

afterAll(() => server.close())

const send = async (request: string, body: unknown): Promise<unknown> => {
  const answer = await server.ask(request, { body })
  return (answer.body as { data?: unknown }).data ?? answer.body
}

const codes = async (request: string, body: unknown, token: string = tokens.admin): Promise<readonly unknown[]> => {
  const answer = await server.ask(request, { body, token })
  return [answer.status, (answer.body as { error?: { code: number } }).error?.code]
}

describe('many-to-one', () => {
  const path = 'PATCH /_/items/articles/1?fields=author.id,author.name,author.age'

  test('an object creates, links, updates, or creates under its key', async () => {
    expect(await send(path, { author: { name: 'Dee' } })).toMatchObject({ author: { name: 'Dee', age: null } })
    expect(await send(path, { author: { id: 2 } })).toEqual({ author: { id: 2, name: 'Bob', age: 34 } })
    expect(await send(path, { author: { id: 3, age: 5 } })).toEqual({ author: { id: 3, name: 'Cyd', age: 5 } })
    expect(await send(path, { author: { id: 77, name: 'New' } })).toEqual({
      author: { id: 77, name: 'New', age: null },
    })
  })

  test('$delete deletes the row and the link', async () => {
    expect(await send(path, { author: { id: 77, $delete: true } })).toEqual({ author: null })
    expect(await codes('GET /_/items/authors/77', undefined)).toEqual([404, 203])
  })

  test('an empty object leaves the link alone', async () => {
    expect(await send(path, { author: 1 })).toMatchObject({ author: { id: 1 } })
    expect(await send(path, { author: {} })).toMatchObject({ author: { id: 1 } })
    const made = { title: 'Without', author: {} }
    expect(await send('POST /_/items/articles?fields=title,author', made)).toEqual({ title: 'Without', author: null })
    expect(await codes(path, { author: [] })).toEqual([422, 213])
  })

  test('null unlinks', async () => {
    expect(await send(path, { author: 1 })).toMatchObject({ author: { id: 1 } })
    expect(await send(path, { author: null })).toEqual({ author: null })
  })
})

describe('to-many', () => {
  test('rows without a key are created, with one updated or created, with $delete deleted, and others untouched', async () => {
    const comments = [{ body: 'New' }, { id: 2, body: 'Edited' }, { id: 90, body: 'Ninety' }, { id: 3, $delete: true }]
    expect(await send('PATCH /_/items/articles/1?fields=comments.body', { comments })).toEqual({
      comments: [{ body: 'Well said' }, { body: 'Edited' }, { body: 'Ninety' }, { body: 'New' }],
    })
    expect(await send('PATCH /_/items/articles/1?fields=comments.body', { comments: [] })).toMatchObject({
      comments: [{ body: 'Well said' }, {}, {}, {}],
    })
  })

  test('null leaves all rows as they are', async () => {
    const path = 'PATCH /_/items/articles/1?fields=title,comments.id'
    const before = (await send(path, { title: 'Before' })) as object
    expect(await send(path, { title: 'After', comments: null })).toEqual({ ...before, title: 'After' })
    const made = await send('POST /_/items/authors?fields=name,articles.id', { name: 'Nobody', articles: null })
    expect(made).toEqual({ name: 'Nobody', articles: [] })
    expect(await codes(path, { comments: 'x' })).toEqual([422, 12])
  })

  test.each(['true', '1', 1])('$delete may be %j, as forms send it', async (flag) => {
    const body = {
      children: [
        { id: 600, name: 'Six' },
        { id: 601, name: 'Seven' },
      ],
    }
    const path = 'PATCH /_/items/categories/1?fields=children.name'
    const before = (await send(path, body)) as { children: readonly object[] }
    const children = [
      { id: 600, $delete: flag },
      { id: 601, name: 'Eight', $delete: 'false' },
    ]
    const rest = before.children.filter((each) => !['Six', 'Seven'].includes((each as { name: string }).name))
    expect(await send(path, { children })).toEqual({ children: [...rest, { name: 'Eight' }] })
    expect(await codes('GET /_/items/categories/600', undefined)).toEqual([404, 203])
    await send('DELETE /_/items/categories/601', undefined)
  })

  test('a row may name its own parent, or none', async () => {
    const body = { articles: [{ id: 2, author: null }, { id: 3, author: 4 }, { id: 5 }] }
    await send('PATCH /_/items/authors/2', body)
    expect(await send('GET /_/items/articles/2,3,5?fields=author', undefined)).toEqual([
      { author: null },
      { author: 4 },
      { author: 2 },
    ])
  })

  test('the other side of a junction row is created, updated or linked inside it', async () => {
    const tags = [{ tag: { name: 'fresh', color: 'red' } }, { tag: 'sport' }, { id: 1, $delete: true }]
    expect(await send('PATCH /_/items/articles/1?fields=tags.tag.name,tags.sort', { tags })).toEqual({
      tags: [
        { tag: { name: 'ice' }, sort: 1 },
        { tag: { name: 'fresh' }, sort: 2 },
        { tag: { name: 'sport' }, sort: 3 },
      ],
    })
  })

  test('rows with composite keys are named by all key fields', async () => {
    const path = 'PATCH /_/items/articles/3?fields=likes.author.id,likes.note'
    const likes = [{ author: 1, note: 'a' }, { author: { id: 2 } }, { author: { id: 80, name: 'New' } }]
    expect(await send(path, { likes })).toEqual({
      likes: [
        { author: { id: 1 }, note: 'a' },
        { author: { id: 2 }, note: null },
        { author: { id: 80 }, note: null },
      ],
    })
    const more = [
      { author: 1, note: 'A' },
      { article: 3, author: 2, note: 'x', $delete: true },
      { author: 80 },
      { author: 3 },
    ]
    expect(await send(path, { likes: more })).toEqual({
      likes: [
        { author: { id: 1 }, note: 'A' },
        { author: { id: 3 }, note: null },
        { author: { id: 80 }, note: null },
      ],
    })
    expect(await codes(path, { likes: [{ note: 'x' }] })).toEqual([400, 4])
    expect((await codes(path, { likes: [{ note: 'x', $delete: true }] }))[0]).toBe(400)
  })

  test('a key field may be the number of a user', async () => {
    const path = 'PATCH /_/items/articles/3?fields=readings.reader.id'
    expect(await send(path, { readings: [{ reader: 1 }, { reader: 2 }] })).toEqual({
      readings: [{ reader: { id: 1 } }, { reader: { id: 2 } }],
    })
    expect(await send(path, { readings: [{ reader: 1 }, { reader: 2, $delete: true }] })).toEqual({
      readings: [{ reader: { id: 1 } }],
    })
  })

  test('a new item can contain rows, nested several levels', async () => {
    const children = [{ name: 'One', children: [{ name: 'Two' }] }]
    expect(
      await send('POST /_/items/categories?fields=name,children.name,children.children.name', {
        name: 'Zero',
        children,
      }),
    ).toEqual({ name: 'Zero', children: [{ name: 'One', children: [{ name: 'Two' }] }] })
  })
})

describe('refusals', () => {
  test('an error in one row refuses all', async () => {
    expect(await codes('PATCH /_/items/articles/2', { comments: [{ body: 'x' }, {}] })).toEqual([400, 4])
    expect(await codes('PATCH /_/items/articles/2', { comments: [{ body: 'x', nope: 1 }] })).toEqual([422, 12])
    expect(await codes('PATCH /_/items/articles/2', { comments: [1] })).toEqual([422, 12])
    expect(await codes('PATCH /_/items/articles/2', { author: { id: 4040, $delete: true } })).toEqual([404, 203])
    expect(await codes('PATCH /_/items/articles/2', { comments: [{ id: 4, $delete: 'yes' }] })).toEqual([400, 4])
    expect(await codes('PATCH /_/items/articles/2', { author: { id: 2, $delete: {} } })).toEqual([400, 4])
    expect(await send('GET /_/items/articles/2?fields=comments.body', undefined)).toEqual({
      comments: [{ body: 'What a game' }],
    })
  })

  test('a caller without permissions for the related collection', async () => {
    expect((await codes('PATCH /_/items/articles/1', { comments: [{ body: 'x' }] }, tokens.reader))[0]).toBe(403)
  })
})
