import { afterAll, describe, expect, test } from 'vitest'
import { createTestServer } from '../testing/test-server.ts'

const server = await createTestServer()

afterAll(() => server.close())

const urlencoded = { 'content-type': 'application/x-www-form-urlencoded' }

const send = (request: string, body: string) => server.ask(request, { body, headers: urlencoded })

const multipart = (fields: readonly (readonly [string, string])[]): FormData => {
  const form = new FormData()
  for (const [name, value] of fields) form.append(name, value)
  return form
}

const fields = 'fields=title,price,featured,keywords,status,author.name'

describe.each([
  [
    'urlencoded',
    (request: string, pairs: readonly (readonly [string, string])[]) =>
      send(request, new URLSearchParams(pairs.map(([name, value]) => [name, value])).toString()),
  ],
  [
    'multipart',
    (request: string, pairs: readonly (readonly [string, string])[]) => server.ask(request, { body: multipart(pairs) }),
  ],
] as const)('%s forms', (_kind, form) => {
  test('create an item with typed fields, lists and a related item', async () => {
    const { status, body } = await form(`POST /_/items/articles?${fields}`, [
      ['title', 'Größe & more'],
      ['price', '12.5'],
      ['featured', '1'],
      ['status', 'published'],
      ['keywords[]', 'a'],
      ['keywords[]', 'b'],
      ['author[name]', 'Dee'],
    ])
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        data: {
          title: 'Größe & more',
          price: 12.5,
          featured: true,
          keywords: ['a', 'b'],
          status: 'published',
          author: { name: 'Dee' },
        },
      },
    })
  })

  test('an empty value of a field that holds no text is none', async () => {
    const { body } = await form('POST /_/items/articles?fields=title,body,price,featured,author', [
      ['title', ''],
      ['price', ''],
      ['featured', ''],
      ['author', ''],
    ])
    expect(body).toEqual({ data: { title: '', body: null, price: null, featured: false, author: null } })
    const folder = await form('POST /_/folders?fields=parent_folder', [
      ['name', `Of ${_kind}`],
      ['parent_folder', ''],
    ])
    expect(folder.body).toEqual({ data: { parent_folder: null } })
  })

  test('create several items', async () => {
    const { body } = await form('POST /_/items/articles?fields=title', [
      ['0[title]', 'first'],
      ['1[title]', 'second'],
    ])
    expect(body).toEqual({ data: [{ title: 'first' }, { title: 'second' }] })
  })

  test('change an item', async () => {
    const { body } = await form('PATCH /_/items/articles/1?fields=title,featured', [
      ['title', 'Changed'],
      ['featured', 'false'],
    ])
    expect(body).toEqual({ data: { title: 'Changed', featured: false } })
  })

  test('log in', async () => {
    const { status, body } = await form('POST /_/auth/authenticate', [
      ['email', 'admin@example.com'],
      ['password', 'correct-horse-42'],
    ])
    expect(status).toBe(200)
    expect(body).toMatchObject({ data: { user: { email: 'admin@example.com' } } })
  })

  test('give integers and booleans to operations that ask for them', async () => {
    const { body } = await form('POST /_/utils/random/string', [['length', '12']])
    expect((body as { data: { random: string } }).data.random).toHaveLength(12)
    const role = await form('POST /_/roles?fields=name,enforce_2fa', [
      ['name', `Editors ${_kind}`],
      ['enforce_2fa', '1'],
    ])
    expect(role.body).toEqual({ data: { name: `Editors ${_kind}`, enforce_2fa: true } })
  })

  test('a value that is no number is refused by the name of the field', async () => {
    const { status, body } = await form('POST /_/utils/random/string', [['length', 'many']])
    expect([status, body]).toMatchObject([400, { error: { message: expect.stringContaining('length') } }])
  })

  test('names of prototypes are refused', async () => {
    const { status, body } = await form('POST /_/items/articles', [['a[__proto__][b]', '1']])
    expect([status, body]).toMatchObject([400, { error: { message: expect.stringContaining('__proto__') } }])
  })
})

test('a file is refused where fields are expected', async () => {
  const form = multipart([['title', 'x']])
  form.append('picture', new Blob(['x']), 'x.txt')
  const { status, body } = await server.ask('POST /_/items/articles', { body: form })
  expect([status, body]).toMatchObject([400, { error: { message: expect.stringContaining('picture') } }])
})

test('forms are bounded as JSON is', async () => {
  const deep = await send('POST /_/items/articles', `a${'[b]'.repeat(150)}=1`)
  const wide = await send('POST /_/items/articles', Array.from({ length: 10_001 }, (_, at) => `f${at}=1`).join('&'))
  const large = await send('POST /_/items/articles', `title=${'x'.repeat(1_000_001)}`)
  expect([deep.status, wide.status, large.status]).toEqual([400, 400, 400])
  expect(large.body).toMatchObject({ error: { message: expect.stringContaining('1000000') } })
})

test('of a field that is sent twice the last value counts', async () => {
  const { body } = await send(
    'POST /_/items/articles?fields=title,keywords',
    'title=a&title=b&keywords[]=1&keywords[]=2',
  )
  expect(body).toEqual({ data: { title: 'b', keywords: ['1', '2'] } })
})

test('a form without fields has no values', async () => {
  const { status, body } = await send('POST /_/utils/random/string', '')
  expect([status, (body as { data: { random: string } }).data.random.length]).toEqual([200, 32])
  const login = await send('POST /_/auth/authenticate', '')
  expect([login.status, login.body]).toMatchObject([422, { error: { code: 114 } }])
})

test('numbers in brackets are positions of a list only from 0 on and without gaps', async () => {
  const numbers = 'view_options[2][name]=Draft&view_options[1][name]=Live&filters[0][field]=a&filters[1][field]=b'
  const { body } = await send('POST /_/collection_presets?fields=filters,view_options', `collection=x&${numbers}`)
  expect(body).toEqual({
    data: {
      filters: [{ field: 'a' }, { field: 'b' }],
      view_options: { 1: { name: 'Live' }, 2: { name: 'Draft' } },
    },
  })
})

test('positions of a list may have gaps', async () => {
  const { body } = await send(
    'POST /_/items/articles?fields=keywords,comments.body',
    'title=gaps&keywords[1]=a&keywords[4]=b&comments[2][body]=one&comments[5][body]=two',
  )
  expect(body).toEqual({ data: { keywords: ['a', 'b'], comments: [{ body: 'one' }, { body: 'two' }] } })
})

test('uploads stay forms with a file', async () => {
  const form = multipart([['title', 'Mine']])
  form.append('file', new Blob(['hello']), 'hello.txt')
  const { body } = await server.ask('POST /_/files?fields=title,filesize', { body: form })
  expect(body).toEqual({ data: { title: 'Mine', filesize: 5 } })
})
