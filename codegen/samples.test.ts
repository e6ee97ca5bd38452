import { expect, test } from 'vitest'
import type { Operation, SpecModel } from './model.ts'
import { withSamples } from './samples.ts'

const id = { name: 'id', in: 'path', required: true, schema: { type: 'string' }, example: 'a/b' } as const
const operation: Operation = {
  id: 'updateThing',
  method: 'patch',
  path: '/things/{id}',
  tag: 'things',
  summary: 'Update a thing',
  description: 'Updates it.',
  search: false,
  transactional: false,
  administratorsOnly: false,
  changesModel: false,
  receives: false,
  independent: false,
  unidentified: false,
  current: null,
  secured: true,
  parameters: [id],
  requestBody: { content: { 'application/json': { examples: { some: { value: { name: "It's" } } } } } },
  responses: {},
}

const samplesWith = (changed: Partial<Operation>): readonly { readonly source: string }[] => {
  const made = { ...operation, ...changed }
  const spec = {
    generation: 'current',
    document: {
      tags: [{ name: 'users', description: 'People.' }],
      paths: { [made.path]: { [made.method]: {} } },
      components: {},
    },
    operations: [made],
  } as unknown as SpecModel
  const item = withSamples(spec).paths[made.path] as unknown as {
    readonly [method: string]: { readonly 'x-codeSamples': readonly { readonly source: string }[] }
  }
  return item[made.method]?.['x-codeSamples'] ?? []
}

test('samples show the request of the examples', () => {
  const [curl, sdk] = samplesWith({})
  expect(curl?.source).toBe(String.raw`curl -X PATCH 'https://tandem.example.com/things/a%2Fb' \
  -H "Authorization: Bearer $TOKEN" \
  -H 'Content-Type: application/json' \
  -d '{"name":"It'\''s"}'`)
  expect(sdk?.source).toBe(`import { createCurrentClient, operations } from '@tandem/sdk/current'

const client = createCurrentClient({ url: 'https://tandem.example.com', token })
await operations.updateThing(client, { path: { id: 'a/b' }, body: { name: "It's" } })`)
})

const invitation = { content: { 'application/json': { example: { email: 'ada@example.com', role: 'a' } } } }

test('the SDK is called by its methods, with the values of the path, the body and the query', () => {
  const [, sdk] = samplesWith({
    id: 'inviteUsers',
    method: 'post',
    path: '/users/invite',
    tag: 'users',
    parameters: [],
    requestBody: invitation,
  })
  expect(sdk?.source).toBe(`import { createCurrentClient, users } from '@tandem/sdk/current'

const client = createCurrentClient({ url: 'https://tandem.example.com', token }).with({ users })
await client.users.invite({ email: 'ada@example.com', role: 'a' })`)
})

test('items are typed by the schema of the project', () => {
  const collection = { ...id, name: 'collection', example: 'articles' }
  const found = { '200': { description: 'Found.', content: { 'application/json': {} } } }
  const path = '/items/{collection}/{id}'
  const [, sdk] = samplesWith({
    method: 'get',
    path,
    parameters: [collection, id],
    requestBody: null,
    responses: found,
  })
  expect(sdk?.source.split('\n').slice(1)).toEqual([
    "import type { Schema } from './schema.ts' // written by `tandem types`",
    '',
    "const client = createCurrentClient<Schema>({ url: 'https://tandem.example.com', token })",
    "const answer = await client.items('articles').readOne('a/b')",
  ])
})

test('forms are sent as multipart, and public operations without a token', () => {
  const form = { content: { 'multipart/form-data': { example: { title: 'Notes', file: 'x' } } } }
  const [curl] = samplesWith({ secured: false, requestBody: form })
  expect(curl?.source).toBe(
    "curl -X PATCH 'https://tandem.example.com/things/a%2Fb' \\\n  -F 'title=Notes' \\\n  -F file=@file",
  )
})
