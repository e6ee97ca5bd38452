import { expect, test } from 'vitest'
import { build, relation } from '../testing/test-tables.ts'

test('a registered foreign key gives the one side an alias', () => {
  const { field } = build({
    relations: [relation('articles.author', 'authors.articles', { id: 5, sort_field: 'sort' })],
  })
  expect(field('authors.articles')).toMatchObject({
    type: 'alias',
    column: null,
    special: ['o2m'],
    relation: {
      kind: 'one-to-many',
      collection: 'articles',
      foreignKey: 'author',
      sortField: 'sort',
      junctionField: null,
    },
  })
  expect(field('articles.author')?.relation).toMatchObject({ kind: 'many-to-one', relation: { id: 5 } })
})

test('a many-to-many is the one-to-many of its junction, which names the other key', () => {
  const { field } = build({
    relations: [
      relation('articles_tags.article', 'articles.tags', { junction_field: 'tag', one_deselect_action: 'delete' }),
      relation('articles_tags.tag', 'tags.articles', { junction_field: 'article' }),
    ],
    fields: [{ collection: 'articles', field: 'tags', special: 'm2m' }],
  })
  expect(field('articles.tags')).toMatchObject({
    special: ['m2m'],
    relation: { kind: 'one-to-many', collection: 'articles_tags', foreignKey: 'article', junctionField: 'tag' },
  })
  expect(field('tags.articles')?.relation).toMatchObject({ foreignKey: 'tag', junctionField: 'article' })
})

test('a many-to-any leads to those of its collections that are there', () => {
  const { field } = build({
    relations: [
      relation('blocks.item', null, {
        one_collection_field: 'collection',
        one_allowed_collections: 'articles,authors,dropped',
      }),
    ],
  })
  expect(field('blocks.item')?.relation).toMatchObject({
    kind: 'many-to-any',
    collectionField: 'collection',
    allowed: ['articles', 'authors'],
  })
})

test.each([
  ['a collection that is not there', relation('nothing.author', 'authors'), 'its collection is not there'],
  ['a field that is not there', relation('articles.editor', 'authors'), 'its field is not there'],
  ['a target that is not there', relation('articles.sort', 'nothing'), 'the collection it leads to is not there'],
  ['a foreign key elsewhere', relation('articles.author', 'tags'), 'its foreign key leads to another collection'],
  ['no target at all', relation('articles.sort', null), 'the field that names its collection is not there'],
  [
    'any of nothing',
    relation('blocks.item', null, { one_collection_field: 'collection', one_allowed_collections: '' }),
    'none of its collections is there',
  ],
  ['any over a foreign key', relation('articles.author', null), 'its field has a foreign key'],
  ['no names', {}, 'its collection is not there'],
  ['names that are no texts', { many_collection: { a: 1 }, many_field: 7 }, 'its collection is not there'],
  ['the name of a prototype', relation('__proto__.constructor', 'prototype'), 'its collection is not there'],
])('a row with %s is left out and told', (_name, row, reason) => {
  const { schema, warnings } = build({ relations: [row] })
  expect(warnings).toEqual([`A relation is left out: ${reason}`])
  expect(schema.relations.map((each) => each.id)).toEqual(schema.relations.map(() => null))
  expect(schema.relations.filter((each) => each.constraint !== null)).toHaveLength(3)
})

test('of two rows about one field, or with one alias, the first counts', () => {
  const { field, warnings } = build({
    relations: [
      relation('articles.author', 'authors.articles', { id: 1 }),
      relation('articles.author', 'authors.texts', { id: 2 }),
      relation('articles.sort', 'authors.articles', { id: 3 }),
    ],
  })
  expect(field('authors.texts')).toBeUndefined()
  expect(field('articles.sort')?.relation).toBeNull()
  expect(warnings).toEqual(Array(2).fill('A relation is left out: another one has its field or its alias'))
})

test('an alias with the name of a column gives way to it', () => {
  const { field, warnings } = build({ relations: [relation('articles.author', 'authors.name')] })
  expect(field('authors.name')?.type).toBe('string')
  expect(warnings).toEqual(['An alias has the name of a column; the column counts'])
})
