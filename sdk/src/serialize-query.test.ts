import { expect, test } from 'vitest'
import { fieldPaths, plainQuery, serializeQuery } from './serialize-query.ts'

const json = (query: object): string => decodeURIComponent(serializeQuery(query, 'json'))
const brackets = (query: object): string => decodeURIComponent(serializeQuery(query, 'brackets'))

test('nested fields become dotted paths in one comma list', () => {
  expect(json({ fields: ['id', { author: ['name', { articles: ['title'] }] }] })).toBe(
    'fields=id,author.name,author.articles.title',
  )
})

test('a level that is an object scopes a many-to-any by collection', () => {
  expect(fieldPaths([{ sections: ['collection', { item: { headings: ['title'], paragraphs: ['body'] } }] }])).toEqual([
    'sections.collection',
    'sections.item:headings.title',
    'sections.item:paragraphs.body',
  ])
})

test('objects are JSON text for the current generation', () => {
  expect(json({ filter: { title: { _eq: 'a & b' } }, limit: 5 })).toBe('filter={"title":{"_eq":"a+&+b"}}&limit=5')
})

test('objects are brackets for the legacy generation, lists in them comma lists', () => {
  expect(brackets({ filter: { id: { in: [1, 2] }, 'author.name': { eq: 'Ann' } } })).toBe(
    'filter[id][in]=1,2&filter[author.name][eq]=Ann',
  )
})

test('a list whose element holds a comma is repeated instead', () => {
  expect(json({ sort: ['a,b', 'c'] })).toBe('sort[]=a,b&sort[]=c')
})

test('dates are written in ISO 8601', () => {
  const date = new Date('2026-01-31T10:00:00Z')
  expect(brackets({ filter: { published: { gt: date } } })).toBe('filter[published][gt]=2026-01-31T10:00:00.000Z')
  expect(json({ filter: { published: { _gt: date } } })).toBe('filter={"published":{"_gt":"2026-01-31T10:00:00.000Z"}}')
})

test('undefined is left out; false, 0 and the empty text are not', () => {
  expect(json({ search: undefined, backlink: false, offset: 0, q: '' })).toBe('backlink=false&offset=0&q=')
})

test('the body of a SEARCH keeps lists and objects as they are', () => {
  expect(plainQuery({ fields: ['id', { author: ['name'] }], filter: { id: { _in: [1] } }, sort: ['-id'] })).toEqual({
    fields: ['id', 'author.name'],
    filter: { id: { _in: [1] } },
    sort: ['-id'],
  })
})
