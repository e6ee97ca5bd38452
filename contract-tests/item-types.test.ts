/** `tandem types`: what is written of a data model, and what compiles against it. */
import { expect, test } from 'vitest'
import {
  type DataModel,
  type ModelField,
  type ModelRelation,
  type SystemRecord,
  typesOfModel,
} from '../sdk/src/project-types/item-types.ts'
import { compileTypes } from './compile-types.ts'

const records: ReadonlyMap<string, SystemRecord> = new Map([
  ['platform_users', { name: 'User', key: 'Uuid', properties: new Set(['id', 'email', 'role']) }],
  ['platform_files', { name: 'File', key: 'Uuid', properties: new Set(['id', 'title']) }],
])

type Facts = Partial<ModelField> & { readonly needed?: true }

const field = (collection: string, name: string, type: string, { needed, ...more }: Facts = {}): ModelField => ({
  collection,
  field: name,
  type,
  schema: { is_nullable: needed !== true },
  ...more,
})

const key = (collection: string): ModelField =>
  field(collection, 'id', 'integer', { schema: { is_nullable: false, is_primary_key: true, has_auto_increment: true } })

const list = (collection: string, name: string): ModelField => field(collection, name, 'alias', { schema: null })

const relation = (collection: string, name: string, related: string | null, oneField: string | null = null) =>
  ({ collection, field: name, related_collection: related, meta: { one_field: oneField } }) satisfies ModelRelation

const choices = [{ value: 'draft', text: 'Draft' }, { value: "author's cut" }]

const model: DataModel = {
  collections: [
    { collection: 'articles', meta: { note: 'What we  publish */' }, schema: {} },
    { collection: 'articles_tags', schema: {} },
    { collection: 'tags', schema: {} },
    { collection: 'sections', schema: {} },
    { collection: 'about-us', meta: { singleton: true }, schema: {} },
    { collection: 'a_folder', schema: null },
    { collection: 'file', schema: {} },
    { collection: 'platform_users', schema: {} },
    { collection: 'platform_files', schema: {} },
  ],
  fields: [
    key('articles'),
    field('articles', 'title', 'string', { needed: true, meta: { note: 'Shown above' } }),
    field('articles', 'status', 'string', { meta: { interface: 'select-dropdown', options: { choices } } }),
    field('articles', 'length', 'integer', { schema: { is_nullable: false, is_generated: true } }),
    field('articles', 'made', 'timestamp', { needed: true, meta: { special: ['date-created'] } }),
    field('articles', 'author', 'uuid', { needed: true }),
    field('articles', 'facts', 'json'),
    field('articles', 'views', 'bigInteger', { schema: { is_nullable: false, default_value: 0 } }),
    list('articles', 'tags'),
    list('articles', 'sections'),
    list('articles', 'divider'),
    key('articles_tags'),
    field('articles_tags', 'article', 'integer'),
    field('articles_tags', 'tag', 'integer'),
    key('tags'),
    field('tags', 'word', 'string', { needed: true }),
    key('sections'),
    field('sections', 'article', 'integer'),
    field('sections', 'kind', 'string', { needed: true }),
    field('sections', 'item', 'string'),
    key('about-us'),
    field('about-us', 'head line', 'text'),
    key('file'),
    field('platform_users', 'email', 'string'),
    field('platform_users', 'shoe_size', 'integer', { needed: true }),
    field('platform_files', 'title', 'string'),
  ],
  relations: [
    relation('articles', 'author', 'platform_users'),
    relation('articles_tags', 'article', 'articles', 'tags'),
    relation('articles_tags', 'tag', 'tags'),
    relation('sections', 'article', 'articles', 'sections'),
    {
      collection: 'sections',
      field: 'item',
      related_collection: null,
      meta: { one_collection_field: 'kind', one_allowed_collections: ['articles', 'tags', 'hidden'] },
    },
  ],
  rights: null,
}

const written = `// Written by \`tandem types\`. Write it anew when the data model or the rights change.
import type { AnyOf, BigInteger, DateTime, Json, Rules, User, Uuid } from '@tandem/sdk/current'

/** The collections: \`createCurrentClient<Schema>(…)\`. */
export interface Schema {
  'about-us': AboutUs
  articles: Articles[]
  articles_tags: ArticlesTags[]
  file: FileItem[]
  platform_users: PlatformUsers[]
  sections: Sections[]
  tags: Tags[]
}

export interface AboutUs {
  id: number
  'head line': string | null
}

/** What we publish * / */
export interface Articles extends Rules<'author' | 'title', 'length'> {
  id: number
  author: Uuid | PlatformUsers
  facts: Json<{ [key: string]: unknown } | unknown[]> | null
  length: number
  made: DateTime
  sections: number[] | Sections[]
  status: 'draft' | 'author\\'s cut' | null
  tags: number[] | ArticlesTags[]
  /** Shown above */
  title: string
  views: BigInteger
}

export interface ArticlesTags {
  id: number
  article: number | Articles | null
  tag: number | Tags | null
}

export interface FileItem {
  id: number
}

export type PlatformUsers = User & Rules<'shoe_size', never> & {
  shoe_size: number
}

export interface Sections extends Rules<'kind', never> {
  id: number
  article: number | Articles | null
  item: AnyOf<'articles' | 'tags'> | null
  kind: 'articles' | 'tags' | 'hidden'
}

export interface Tags extends Rules<'word', never> {
  id: number
  word: string
}
`

test('a data model is written with its relations, words, null and rules', () => {
  expect(typesOfModel(model, records)).toBe(written)
})

test('what is written compiles, and refuses what the data model refuses', () => {
  const use = `import { createCurrentClient, users } from '@tandem/sdk/current'
import type { Schema } from './schema.ts'
const client = createCurrentClient<Schema>({ url: 'https://a.example' }).with({ users })
const articles = client.items('articles')
export async function use(): Promise<void> {
  const [one] = await articles.read({
    fields: ['title', { author: ['email', 'shoe_size'], tags: [{ tag: ['word'] }], sections: [{ item: { tags: ['word'] } }] }],
    filter: { status: { _eq: 'draft' }, sections: { 'item:tags': { word: { _eq: 'a' } } } },
    sort: ['-author.shoe_size'],
  })
  const size: number | undefined = one?.author.shoe_size
  const word: string | undefined = one?.tags[0]?.tag?.word
  await articles.create({ title: 'a', author: 'b', tags: [{ tag: { word: 'c' } }] })
  await articles.update(1, { status: null, made: new Date() })
  await client.users.create({ shoe_size: 40 })
  await client.singleton('about-us').update({ 'head line': 'a' })
  // @ts-expect-error the title is needed
  await articles.create({ author: 'b' })
  // @ts-expect-error the database computes it
  await articles.update(1, { length: 5 })
  // @ts-expect-error no such word
  await articles.update(1, { status: 'lost' })
  // @ts-expect-error no such field
  await articles.update(1, { titel: 'a' })
  // @ts-expect-error it takes no null
  await articles.update(1, { title: null })
  // @ts-expect-error the shoe size is needed
  await client.users.create({ email: 'a' })
  // @ts-expect-error no such collection
  client.items('nothing')
  void [size, word]
}
`
  expect(compileTypes({ 'schema.ts': written, 'use.ts': use }).failures).toEqual([])
})

test('a token without a right gets fields that are not written, and its presets are not needed', () => {
  const rights = {
    tags: { read: { fields: ['*'] }, create: { fields: ['word'], presets: { word: 'new' } } },
    articles: { read: { fields: ['*'] }, update: { fields: ['title'] } },
  }
  const seen = (name: string) => ({
    collections: model.collections.filter(({ collection }) => collection === name),
    fields: model.fields.filter((each) => each.collection === name && ['id', 'word', 'title'].includes(each.field)),
    relations: [],
    rights,
  })
  expect(typesOfModel(seen('tags'), records)).toContain("export interface Tags extends Rules<never, 'id'> {\n")
  expect(typesOfModel(seen('articles'), records)).toContain("export interface Articles extends Rules<never, 'id'> {\n")
})

/** Collections that lead to each other in every way. */
function manyCollections(count: number): DataModel {
  const names = Array.from({ length: count }, (_, index) => `c${index}`)
  const at = (index: number): string => names[index % count] as string
  const types = [
    'string',
    'text',
    'integer',
    'timestamp',
    'uuid',
    'csv',
    'json',
    'boolean',
    'string',
    'integer',
  ] as const
  return {
    collections: names.map((collection) => ({ collection, schema: {} })),
    fields: names.flatMap((name) => [
      key(name),
      field(name, 'title', 'string', { needed: true }),
      ...types.map((type, index) => field(name, `f${index}`, type)),
      field(name, 'next', 'integer'),
      field(name, 'other', 'integer'),
      field(name, 'any', 'string'),
      list(name, 'back'),
      list(name, 'more'),
    ]),
    relations: names.flatMap((name, index) => [
      relation(name, 'next', at(index + 1), 'back'),
      relation(name, 'other', at(index * 7 + 3), 'more'),
      {
        collection: name,
        field: 'any',
        related_collection: null,
        meta: { one_allowed_collections: [at(index + 1), at(index + 5)] },
      },
    ]),
    rights: null,
  }
}

test('forty collections with five calls each take at most 500,000 instantiations', () => {
  const calls = Array.from({ length: 40 }, (_, index) => {
    const one = `client.items('c${index}')`
    return `  const [found${index}] = await ${one}.read({
    fields: ['id', 'title', 'f0', { next: ['title', { other: ['id'] }], back: ['id', 'f2'] }],
    filter: { title: { _eq: 'a' }, next: { f0: { _contains: 'x' } } },
    sort: ['-f3', 'next.title'],
    limit: 5,
  })
  const title${index}: string | undefined = found${index}?.next?.title
  const id${index}: number = (await ${one}.readOne(1)).id
  await ${one}.create({ title: 'a', next: { title: 'b' }, back: [1, { title: 'c' }] })
  await ${one}.update(1, { f3: new Date() })
  void [title${index}, id${index}]
`
  })
  const use = `import { createCurrentClient } from '@tandem/sdk/current'
import type { Schema } from './schema.ts'
const client = createCurrentClient<Schema>({ url: 'https://a.example' })
export async function use(): Promise<void> {
${calls.join('')}}
`
  const { failures, instantiations } = compileTypes({
    'schema.ts': typesOfModel(manyCollections(40), records),
    'use.ts': use,
  })
  expect(failures).toEqual([])
  expect(instantiations).toBeLessThan(500_000)
})
