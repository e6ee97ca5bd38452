import { expect, test } from 'vitest'
import type { OpenApiDocument, Operation } from './model.ts'
import { lintOperationProse, lintSchemaProse } from './prose.ts'

const operation = {
  summary: 'List articles',
  description: 'Answers with the articles.\n',
  responses: { 200: { description: 'The articles.' } },
} as unknown as Operation

const operations: readonly (readonly [string, Partial<Operation>, readonly string[]])[] = [
  ['valid prose', {}, []],
  [
    'a long summary',
    { summary: 'Read all of the articles that the caller may read' },
    ['the summary has more than 8 words'],
  ],
  ['a summary without a verb', { summary: 'Articles' }, ['the summary "Articles" does not begin with a verb']],
  ['a summary with a period', { summary: 'List articles.' }, ['the summary ends like a sentence']],
  ['a description that is not a sentence', { description: 'the articles' }, ['the description is no sentence']],
  [
    'an answer that is not a sentence',
    { responses: { 404: { description: 'none' } } },
    ['the description of 404 is no sentence'],
  ],
]

test.each(operations)('%s', (_name, changed, found) => {
  expect(lintOperationProse({ ...operation, ...changed })).toEqual(found)
})

const documentWith = (schema: object): OpenApiDocument =>
  ({ components: { schemas: { Thing: schema } } }) as unknown as OpenApiDocument

test('properties need a description, and those of records an example', () => {
  const properties = { id: { type: 'integer' }, name: { type: 'string', description: 'Name.' } }
  expect(lintSchemaProse(documentWith({ properties }))).toEqual([
    'the property Thing.id is not described in a sentence',
  ])
  expect(lintSchemaProse(documentWith({ 'x-collection': 'things', properties: { name: properties.name } }))).toEqual([
    'the property Thing.name has no example',
  ])
})

test('a schema with an envelope of its own is a record', () => {
  const properties = { name: { type: 'string', description: 'Name.' } }
  const schemas = {
    Thing: { properties },
    ThingEnvelope: { properties: { data: { $ref: '#/components/schemas/Thing' } } },
  }
  expect(lintSchemaProse({ components: { schemas } } as unknown as OpenApiDocument)).toEqual([
    'the property Thing.name has no example',
  ])
})
