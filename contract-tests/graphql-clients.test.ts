/** A client of somebody else over a socket, documents by their hash, and what the log says of them. */
import { createHash } from 'node:crypto'
import { ClientError, GraphQLClient, gql } from 'graphql-request'
import { afterAll, expect, test } from 'vitest'
import type { Log } from '../src/domain/ports/context.ts'
import { openWorld } from './world.ts'

const known = 'query Titles($limit: Int) { articles(sort: ["id"], limit: $limit) { title } }'
const hash = createHash('sha256').update(known).digest('hex')

const lines: { readonly path?: string; readonly operation?: string }[] = []
const log: Log = {
  debug: () => undefined,
  info: (line) => void lines.push(line),
  warn: () => undefined,
  error: () => undefined,
}

const world = await openWorld({ GRAPHQL_DOCUMENTS: JSON.stringify({ [hash]: known }) }, log)
const client = new GraphQLClient(`${world.url}/graphql`, { headers: { authorization: `Bearer ${world.tokens.admin}` } })
afterAll(() => world.close())

test('graphql-request reads with variables and fragments, and writes', async () => {
  const query = gql`
    query One($id: ID!) { articles_by_id(id: $id) { ...parts comments(limit: 1) { id } } }
    fragment parts on articles { title author { name } }
  `
  expect(await client.request(query, { id: '1' })).toEqual({
    articles_by_id: { title: 'Hello', author: { name: 'Ann' }, comments: [{ id: '1' }] },
  })
  const write = gql`mutation ($data: create_tags_input!) { create_tags_item(data: $data) { name } }`
  expect(await client.request(write, { data: { name: 'fresh' } })).toEqual({ create_tags_item: { name: 'fresh' } })
  await world.reset()
})

test('graphql-request throws what is refused, with its code and what there is of the data', async () => {
  const failure = await client
    .request('{ a: articles_by_id(id: 999) { id } b: articles_by_id(id: 1) { id } }')
    .catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(ClientError)
  const { response } = failure as ClientError
  expect(response.errors?.[0]?.extensions['code']).toBe('FORBIDDEN')
  const partial = new GraphQLClient(`${world.url}/graphql`, {
    headers: { authorization: `Bearer ${world.tokens.admin}` },
    errorPolicy: 'all',
  })
  const { data } = await partial.rawRequest('{ a: articles_by_id(id: 999) { id } b: articles_by_id(id: 1) { id } }')
  expect(data).toEqual({ a: null, b: { id: '1' } })
})

test('graphql-request asks by GET too, and several operations in one request are refused', async () => {
  const byGet = new GraphQLClient(`${world.url}/graphql`, {
    method: 'GET',
    jsonSerializer: JSON,
    headers: { authorization: `Bearer ${world.tokens.admin}` },
  })
  expect(await byGet.request('{ articles(limit: 1) { id } }')).toEqual({ articles: [{ id: '1' }] })
  const batch = client.batchRequests([{ document: '{ __typename }' }, { document: '{ __typename }' }])
  await expect(batch).rejects.toThrow()
})

const post = async (body: object): Promise<unknown> => {
  const headers = { authorization: `Bearer ${world.tokens.admin}`, 'content-type': 'application/json' }
  return (await fetch(`${world.url}/graphql`, { method: 'POST', headers, body: JSON.stringify(body) })).json()
}

test('a document is run by its hash, in both conventions, by POST and GET', async () => {
  const variables = { limit: 1 }
  const data = { data: { articles: [{ title: 'Hello' }] } }
  expect(await post({ documentId: `sha256:${hash}`, variables })).toEqual(data)
  expect(await post({ extensions: { persistedQuery: { version: 1, sha256Hash: hash } }, variables })).toEqual(data)
  const parameters = new URLSearchParams({ documentId: hash, variables: JSON.stringify(variables) })
  const headers = { authorization: `Bearer ${world.tokens.admin}` }
  expect(await (await fetch(`${world.url}/graphql?${parameters}`, { headers })).json()).toEqual(data)
  expect(await post({ documentId: 'f'.repeat(64) })).toMatchObject({
    errors: [{ message: 'PersistedQueryNotFound', extensions: { code: 'PERSISTED_QUERY_NOT_FOUND' } }],
  })
})

test('the log has the name of the operation, and never its variables', async () => {
  lines.length = 0
  await post({
    query: 'query Secretive($text: String) { articles(search: $text) { id } }',
    variables: { text: 'whisper' },
  })
  await expect.poll(() => lines.find(({ path }) => path === '/graphql')?.operation).toBe('Secretive')
  expect(JSON.stringify(lines)).not.toContain('whisper')
})
