import { expect, test } from 'vitest'
import { readOperations } from './operations.ts'
import { searchOperations } from './search.ts'
import { searchStems, stemsOf } from './words.ts'

const json = { content: { 'application/json': { schema: { type: 'object' } } } }
const row = (fields: readonly string[]) => ({
  type: 'object',
  properties: Object.fromEntries(fields.map((field) => [field, { type: 'string' }])),
})
const ofItems = (name: string, fields: readonly string[]) => ({
  [`/items/${name}`]: {
    get: {
      operationId: `readItems_${name}`,
      summary: `List the items of ${name}`,
      parameters: [{ name: 'groupBy', in: 'query' }],
      responses: { 200: { content: { 'application/json': { schema: row(fields) } } } },
    },
    post: {
      operationId: `createItems_${name}`,
      summary: `Create one item or several of ${name}`,
      'x-transactional': true,
      requestBody: { content: { 'application/json': { schema: row(fields) } } },
      responses: { 200: json },
    },
  },
})
const openApi = (paths: object) => readOperations({ paths })
const namesOf = (index: ReturnType<typeof openApi>, words: string, limit = 3) =>
  searchOperations(index, words, limit).map(({ id }) => id)

const index = openApi({
  ...ofItems('blog_posts', ['headline', 'price']),
  ...ofItems('categories', ['label']),
  '/comments': {
    get: { operationId: 'readComments', summary: 'List comments', responses: { 200: json } },
  },
})

test('words are compared by their stems', () => {
  expect(stemsOf('readItems_blog_posts')).toEqual(['read', 'item', 'blog', 'post'])
  for (const [one, other] of [
    ['categories', 'category'],
    ['boxes', 'box'],
    ['planned', 'plan'],
    ['making', 'make'],
    ['Publishes', 'published'],
  ])
    expect(stemsOf(one ?? '')).toEqual(stemsOf(other ?? ''))
  expect(stemsOf('status')).not.toEqual(stemsOf('stat'))
  expect(searchStems('the of')).toEqual(['the', 'of'])
  expect(searchStems('')).toEqual([])
})

test.each([
  ['category', 'readItems_categories'],
  ['list the catgories', 'readItems_categories'],
  ['a new categorie', 'createItems_categories'],
  ['headline', 'readItems_blog_posts'],
  ['group by price', 'readItems_blog_posts'],
  ['remarks', 'readComments'],
  ['comments on the categories', 'readComments'],
  ['comm', 'readComments'],
  ['who commented on my categories', 'readComments'],
  ['export the categories', 'readItems_categories'],
])('"%s" finds %s', (words, first) => {
  expect(namesOf(index, words)[0]).toBe(first)
})

test('nothing is found for words without a match; no words list the first operations', () => {
  expect(namesOf(index, 'zebra')).toEqual([])
  expect(namesOf(index, '  ', 2)).toEqual(['readItems_blog_posts', 'createItems_blog_posts'])
  expect(namesOf(index, '%§$ 〆', 2)).toHaveLength(0)
})

test('the collection that is meant is found among five thousand', () => {
  const many = openApi(
    Object.assign({}, ...Array.from({ length: 5000 }, (_, at) => ofItems(`table_${at}`, ['name', `field_${at}`]))),
  )
  expect(namesOf(many, 'make a row in table 4711', 1)).toEqual(['createItems_table_4711'])
})
