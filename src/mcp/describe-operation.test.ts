import { expect, test } from 'vitest'
import { describeOperation } from './describe-operation.ts'
import { type Operation, readOperations } from './operations.ts'
import { searchOperations } from './search.ts'

const to = (name: string) => ({ $ref: `#/components/schemas/${name}` })
const index = readOperations({
  paths: {
    '/users': {
      post: {
        operationId: 'createUsers',
        summary: 'Create a user',
        'x-transactional': true,
        requestBody: { content: { 'application/json': { schema: to('A') } } },
        responses: { 200: { description: 'Done.', content: { 'application/json': { schema: { type: 'object' } } } } },
      },
    },
  },
  components: {
    schemas: {
      A: to('B'),
      B: to('User'),
      User: { type: 'object', properties: { status: { ...to('UserStatus'), description: 'May log in.' } } },
      UserStatus: { description: 'State.', type: 'string', enum: ['active', 'archived'] },
    },
  },
})

test('a list of values is shown at any depth, with what its place says of it', () => {
  const operation = index.operations.get('createUsers') as Operation
  const { body } = JSON.parse(describeOperation(index, operation)) as { readonly body: { readonly schema: unknown } }
  expect(body.schema).toEqual({
    type: 'object',
    properties: { status: { description: 'May log in.', type: 'string', enum: ['active', 'archived'] } },
  })
})

test('an operation is found by a value of a list that has a name', () => {
  expect(searchOperations(index, 'archived', 1).map(({ id }) => id)).toEqual(['createUsers'])
})
