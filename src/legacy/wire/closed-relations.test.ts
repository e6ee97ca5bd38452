/** Relations to collections that the caller may not read: the reader reads articles, and no authors. */
import { afterAll, expect, test } from 'vitest'
import { createTestServer, tokens } from '../testing/test-server.ts'

const server = await createTestServer()
afterAll(() => server.close())

type Answer = { readonly data: readonly { readonly id: number; readonly author: unknown }[] }

const read = async (fields: string): Promise<Answer> =>
  (await server.ask(`GET /_/items/articles?sort=id&fields=${fields}`, { token: tokens.reader })).body as Answer

const warning = (field: string): object => ({
  type: 'warning',
  message: `Can't read \`${field}\`: read access to its collection denied`,
  code: 18,
  fields: [field],
})

test('an item that may not be read is its key where fields lead through it, and lists are left out', async () => {
  const plain = await read('id,author')
  expect(plain).not.toHaveProperty('messages')
  const shown = plain.data.map(({ id, author }) => ({ id, author: author === null ? null : { id: author } }))
  expect(shown.slice(0, 1)).toEqual([{ id: 1, author: { id: expect.any(Number) as number } }])
  expect(shown.map(({ author }) => author)).toContain(null)
  for (const fields of ['id,author.name', 'id,author.*'])
    expect(await read(fields)).toEqual({ data: shown, messages: [warning('author')] })
  const { data, ...around } = await read('*.*')
  expect(data.map(({ id, author }) => ({ id, author }))).toEqual(shown)
  expect(around).toMatchObject({ messages: expect.arrayContaining([warning('author')]) as object })
})
