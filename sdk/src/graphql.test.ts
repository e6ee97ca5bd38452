import { expect, test } from 'vitest'
import { createCurrentClient } from './current.ts'
import { TandemApiError } from './errors.ts'
import type { GraphqlDocument } from './graphql.ts'
import { observedFetch } from './observed-fetch.ts'

function clientOf(replies: Parameters<typeof observedFetch>[0]) {
  const { fetch, asked } = observedFetch(replies)
  return { client: createCurrentClient({ url: 'http://api.example', token: 't', fetch }), asked }
}

test('a document is sent with its variables, and answered with its data', async () => {
  const { client, asked } = clientOf([{ body: { data: { articles: [] } } }])
  expect(await client.graphql('query ($n: Int) { articles(limit: $n) { id } }', { n: 1 })).toEqual({ articles: [] })
  expect(asked[0]).toMatchObject({ method: 'POST', url: 'http://api.example/graphql' })
  expect(JSON.parse(asked[0]?.body as string)).toEqual({
    query: 'query ($n: Int) { articles(limit: $n) { id } }',
    variables: { n: 1 },
  })
})

test('a typed document determines result and variables', async () => {
  const { client, asked } = clientOf([
    { body: { data: { it: { id: '1' } } } },
    { body: { data: {} } },
    { body: { data: {} } },
  ])
  type Data = { readonly it: { readonly id: string } }
  const typed = 'query ($id: ID!) { it: users_by_id(id: $id) { id } }' as unknown as GraphqlDocument<
    Data,
    { id: string }
  >
  const { it } = await client.graphql(typed, { id: '1' }, { system: true, operationName: 'x' })
  expect(it.id satisfies string).toBe('1')
  expect(asked[0]?.url).toBe('http://api.example/graphql/system')
  const parsed = { loc: { source: { body: '{ a }' } } } as GraphqlDocument<Data, { [name: string]: never }>
  await client.graphql(parsed)
  expect(JSON.parse(asked[1]?.body as string)).toEqual({ query: '{ a }' })
  class Text extends String {}
  await client.graphql(new Text('{ b }') as unknown as GraphqlDocument<Data, { [name: string]: never }>)
  expect(JSON.parse(asked[2]?.body as string)).toEqual({ query: '{ b }' })
  // @ts-expect-error The variables are wanted.
  void client.graphql(typed).catch(() => null)
})

test('a failed field throws with the partial data', async () => {
  const body = { data: { a: 1, b: null }, errors: [{ message: 'No.', extensions: { code: 'FORBIDDEN' } }] }
  const { client } = clientOf([{ body }])
  const error: unknown = await client.graphql('{ a b }').catch((each: unknown) => each)
  expect(error).toBeInstanceOf(TandemApiError)
  expect(error).toMatchObject({ code: 'FORBIDDEN', status: 200, body })
})

test('a document without its text is refused before anything is sent', async () => {
  const { client, asked } = clientOf([{}])
  await expect(client.graphql({ kind: 'Document' } as never)).rejects.toThrow('Expected a GraphQL document as text')
  expect(asked).toEqual([])
})
