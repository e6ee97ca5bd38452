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
  current: null,
  secured: true,
  parameters: [id],
  requestBody: { content: { 'application/json': { examples: { some: { value: { name: "It's" } } } } } },
  responses: {},
}

const samplesWith = (changed: Partial<Operation>): readonly { readonly source: string }[] => {
  const spec = {
    generation: 'current',
    document: { paths: { '/things/{id}': { patch: {} } } },
    operations: [{ ...operation, ...changed }],
  } as unknown as SpecModel
  const { patch } = withSamples(spec).paths['/things/{id}'] as unknown as {
    readonly patch: { readonly 'x-codeSamples': readonly { readonly source: string }[] }
  }
  return patch['x-codeSamples']
}

test('samples show the request of the examples', () => {
  const [curl, sdk] = samplesWith({})
  expect(curl?.source).toBe(String.raw`curl -X PATCH 'https://tandem.example.com/things/a%2Fb' \
  -H "Authorization: Bearer $TOKEN" \
  -H 'Content-Type: application/json' \
  -d '{"name":"It'\''s"}'`)
  expect(sdk?.source).toContain(
    'await operations.updateThing(client, {\n  "path": {\n    "id": "a/b"\n  },\n  "body": {\n    "name": "It\'s"\n  }\n})',
  )
})

test('forms are sent as multipart, and public operations without a token', () => {
  const form = { content: { 'multipart/form-data': { example: { title: 'Notes', file: 'x' } } } }
  const [curl] = samplesWith({ secured: false, requestBody: form })
  expect(curl?.source).toBe(
    "curl -X PATCH 'https://tandem.example.com/things/a%2Fb' \\\n  -F 'title=Notes' \\\n  -F file=@file",
  )
})
