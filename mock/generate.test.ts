/** Generated rows: the same for one seed, and such that the server takes them. */
import { expect, test } from 'vitest'
import { createMock, type Snapshot } from './src/mock.ts'

const key = { data_type: 'integer', is_nullable: false, is_primary_key: true, has_auto_increment: true }
const field = (collection: string, name: string, type: string, schema: object) => ({
  collection,
  field: name,
  type,
  schema: { data_type: type, is_nullable: false, ...schema },
})
const choices = { options: { choices: [{ value: 'draft' }, { value: 'published' }] } }
const schema: Snapshot = {
  collections: ['books', 'authors'].map((collection) => ({ collection, schema: { name: collection } })),
  fields: [
    field('books', 'id', 'integer', key),
    field('books', 'title', 'string', { data_type: 'varchar', max_length: 8 }),
    { ...field('books', 'status', 'string', { data_type: 'varchar' }), meta: choices },
    field('books', 'price', 'decimal', { data_type: 'numeric', numeric_precision: 4, numeric_scale: 2 }),
    field('books', 'published', 'date', {}),
    field('books', 'author', 'uuid', {}),
    field('authors', 'id', 'uuid', { is_primary_key: true }),
    field('authors', 'email', 'string', { data_type: 'varchar', is_unique: true }),
    field('authors', 'active', 'boolean', {}),
  ],
  relations: [{ collection: 'books', field: 'author', related_collection: 'authors', schema: {} }],
}

const made = (seed: number, rows = {}) => createMock({ schema, seed, count: 30, rows }).state()

test('a seed makes the same rows, another one others', () => {
  expect(made(1)).toEqual(made(1))
  expect(made(1)['books']).not.toEqual(made(2)['books'])
  expect(made(1)['authors']).toHaveLength(30)
})

test('values fit their columns', () => {
  const { books = [], authors = [] } = made(1)
  expect(books.map(({ id }) => id)).toEqual(Array.from({ length: 30 }, (_, at) => at + 1))
  const ids = authors.map(({ id }) => id)
  for (const book of books) {
    expect(ids).toContain(book['author'])
    expect(String(book['title']).length).toBeLessThanOrEqual(8)
    expect(['draft', 'published']).toContain(book['status'])
    expect(Number(book['price'])).toBeLessThan(100)
    expect(book['published']).toMatch(/^20\d\d-\d\d-\d\d$/)
  }
  expect(new Set(authors.map(({ email }) => email)).size).toBe(30)
  for (const { email } of authors) expect(email).toMatch(/^[a-z0-9.]+@example\.com$/)
  expect(new Set(authors.map(({ active }) => active))).toEqual(new Set([true, false]))
})

test('given rows are kept and referred to', () => {
  const author = { id: 'd9428888-122b-41e1-b85c-61f4ac1b1c11', email: 'ann@example.com', active: true }
  const { books = [], authors } = made(1, { authors: [author] })
  expect(authors).toEqual([author])
  expect(new Set(books.map((book) => book['author']))).toEqual(new Set([author.id]))
})
