import { expect, test } from 'vitest'
import { checkAnswers } from './check.ts'
import { createCurrentClient, users } from './current.ts'
import { observedFetch } from './observed-fetch.ts'

const spec = {
  openapi: '3.1.0',
  paths: {
    '/items/articles': {
      get: { responses: { 200: { $ref: '#/components/responses/Articles' } } },
    },
    '/users/me': {
      get: { responses: { 200: { content: { 'application/json': { schema: { required: ['data'] } } } } } },
    },
  },
  components: {
    responses: {
      Articles: {
        content: {
          'application/json': {
            schema: {
              type: 'object',
              required: ['data'],
              properties: { data: { type: 'array', items: { $ref: '#/components/schemas/Article' } } },
            },
          },
        },
      },
    },
    schemas: {
      Article: {
        type: 'object',
        additionalProperties: false,
        required: ['id'],
        properties: {
          id: { type: 'integer' },
          status: { type: 'string', enum: ['draft', 'published'] },
          title: { type: ['string', 'null'] },
          subtitle: { type: 'string', nullable: true },
          author: { oneOf: [{ type: 'integer' }, { type: 'object', required: ['name'] }] },
        },
      },
    },
  },
}

type Schema = { articles: { id: number }[]; tags: { id: number }[] }

const clientOf = (...replies: Parameters<typeof observedFetch>[0]) =>
  createCurrentClient<Schema>({
    url: 'https://api.example.com/data',
    token: 't',
    fetch: observedFetch(replies).fetch,
    ...checkAnswers(Promise.resolve(spec)),
  })

const article = { id: 1, status: 'draft', title: null, subtitle: null, author: { name: 'Ada' } }

test('an answer as documented passes, and stays readable', async () => {
  const client = clientOf({ body: { data: [article] } })
  expect(await client.items('articles').read()).toEqual([article])
})

test.each([
  ['a missing property', { data: [{ status: 'draft' }] }, '/data/0/id', 'a value'],
  ['a further property', { data: [{ id: 1, 'a/b': 1 }] }, '/data/0/a~1b', 'no such property'],
  ['a wrong type', { data: [{ id: '1' }] }, '/data/0/id', 'integer'],
  ['a wrong value', { data: [{ id: 1, status: 'lost' }] }, '/data/0/status', 'one of ["draft","published"]'],
  ['null', { data: [{ id: 1, status: null }] }, '/data/0/status', 'string'],
  ['none of the forms', { data: [{ id: 1, author: {} }] }, '/data/0/author', 'a documented form'],
  ['no list', { data: {} }, '/data', 'array'],
])('%s is a mismatch', async (_, body, pointer, expected) => {
  const failure = await clientOf({ body })
    .items('articles')
    .read()
    .catch((error: unknown) => error)
  expect(failure).toMatchObject({ name: 'AnswerMismatch', operation: 'GET /items/articles', pointer })
  expect(String(failure)).toContain(`expected ${expected} at "${pointer}"`)
})

test('an undocumented status is a mismatch', async () => {
  await expect(clientOf({ status: 403, body: {} }).items('articles').read()).rejects.toThrow(
    'GET /items/articles: expected status 200 at "/" but received 403.',
  )
})

test('the operation of the exact path is taken, and an unknown one is not checked', async () => {
  await expect(clientOf({ body: {} }).with({ users }).users.readMe()).rejects.toThrow('GET /users/me: expected a value')
  expect(
    await clientOf({ body: { data: [{ x: 1 }] } })
      .items('tags')
      .read(),
  ).toEqual([{ x: 1 }])
})
