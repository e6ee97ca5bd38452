/** The data model of the journey: a library with every kind of relation, made as a client makes it. */
import type { Ask } from './instance.ts'

const key = { field: 'id', type: 'integer', schema: { is_primary_key: true, has_auto_increment: true } }
const uuidKey = { field: 'id', type: 'uuid', meta: { special: ['uuid'] }, schema: { is_primary_key: true } }
const number = (field: string) => ({ field, type: 'integer' })
const text = (field: string) => ({ field, type: 'string' })
const alias = (field: string, special: string) => ({ field, type: 'alias', meta: { special: [special] } })

const collections = [
  { collection: 'library', meta: { icon: 'folder' }, schema: null },
  {
    collection: 'writers',
    meta: { group: 'library' },
    schema: {},
    fields: [uuidKey, text('name'), { field: 'mentor', type: 'uuid' }, alias('books', 'o2m'), alias('pupils', 'o2m')],
  },
  {
    collection: 'books',
    meta: { group: 'library', archive_field: 'status', archive_value: 'archived', sort_field: 'position' },
    schema: {},
    fields: [
      key,
      { field: 'title', type: 'string', schema: { is_nullable: false, max_length: 100 } },
      { field: 'status', type: 'string', schema: { default_value: 'draft' } },
      number('position'),
      { field: 'writer', type: 'uuid' },
      { field: 'price', type: 'decimal', schema: { numeric_precision: 8, numeric_scale: 2 } },
      { field: 'facts', type: 'json' },
      { field: 'words', type: 'csv' },
      alias('topics', 'm2m'),
      alias('parts', 'm2a'),
    ],
  },
  { collection: 'topics', schema: {}, fields: [key, text('name')] },
  {
    collection: 'books_topics',
    meta: { hidden: true },
    schema: {},
    fields: [key, number('book'), number('topic'), number('position')],
  },
  { collection: 'chapters', schema: {}, fields: [key, text('heading')] },
  { collection: 'pictures', schema: {}, fields: [key, text('caption')] },
  {
    collection: 'books_parts',
    meta: { hidden: true },
    schema: {},
    fields: [key, number('book'), text('collection'), text('item')],
  },
]

const cascade = { on_delete: 'CASCADE' }

const relation = (holder: string, related: string | null, meta: object, schema = { on_delete: 'SET NULL' }) => {
  const [collection, field] = holder.split('.')
  return { collection, field, related_collection: related, schema: related === null ? null : schema, meta }
}

const relations = [
  relation('books.writer', 'writers', { one_field: 'books' }),
  relation('writers.mentor', 'writers', { one_field: 'pupils' }),
  relation(
    'books_topics.book',
    'books',
    { one_field: 'topics', junction_field: 'topic', sort_field: 'position' },
    cascade,
  ),
  relation('books_topics.topic', 'topics', { junction_field: 'book' }, cascade),
  relation('books_parts.book', 'books', { one_field: 'parts', junction_field: 'item' }, cascade),
  relation('books_parts.item', null, {
    one_collection_field: 'collection',
    one_allowed_collections: ['chapters', 'pictures'],
    junction_field: 'book',
  }),
]

/** Makes it; resolves to the statuses of all answers. */
export async function buildLibrary(ask: Ask): Promise<readonly number[]> {
  const made = [await ask('/collections', collections)]
  for (const each of relations) made.push(await ask('/relations', each))
  return made.map(({ status }) => status)
}

/** A book with everything that hangs on it, in one request. */
export const book = {
  title: 'Two wheels',
  status: 'published',
  price: '12.50',
  facts: { pages: 90 },
  words: ['a', 'b'],
  writer: { name: 'Ann', mentor: { name: 'Bo' } },
  topics: [{ topic: { name: 'travel' } }, { topic: { name: 'craft' } }],
  parts: [
    { collection: 'chapters', item: { heading: 'The frame' } },
    { collection: 'pictures', item: { caption: 'A chain' } },
  ],
}

/** What is asked to see all of it. */
export const wholeBook = [
  'title',
  'status',
  'price',
  'facts',
  'words',
  'writer.name',
  'writer.mentor.name',
  'topics.topic.name',
  'parts.collection',
  'parts.item:chapters.heading',
  'parts.item:pictures.caption',
].join(',')
