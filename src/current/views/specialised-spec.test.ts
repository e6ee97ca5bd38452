import SwaggerParser from '@apidevtools/swagger-parser'
import { expect, test } from 'vitest'
import { userWith } from '../../core/testing/test-context.ts'
import type { Context } from '../../domain/ports/context.ts'
import { withViewedWorld } from '../testing/test-view.ts'
import { createView } from './schema-view.ts'
import { specialisedSpec } from './specialised-spec.ts'

let ctx: Context

withViewedWorld((_world, viewed) => (ctx = viewed))

type Document = {
  readonly paths: { readonly [path: string]: { readonly [method: string]: { readonly operationId: string } } }
  readonly components: { readonly schemas: { readonly [name: string]: { readonly properties: object } } }
}

const documentFor = (asker: Context): Document => JSON.parse(specialisedSpec(asker)) as Document

test('an administrator gets a valid document with every collection', async () => {
  const document = documentFor(ctx)
  await SwaggerParser.validate(structuredClone(document) as never)
  expect(Object.keys(document.paths)).toContain('/items/articles/{id}')
  expect(Object.keys(document.paths)).toContain('/items/articles/changes')
  expect(Object.keys(document.paths)).toContain('/users/me')
  expect(Object.keys(document.paths)).not.toContain('/items/{collection}')
  expect(document.components.schemas['Item_articles']?.properties).toMatchObject({
    id: { type: 'integer' },
    title: { type: 'string', maxLength: 200 },
    body: { type: ['string', 'null'] },
    reads: { type: ['string', 'null'] },
    author: { description: 'Key of authors, or the item itself.' },
    comments: {
      type: 'array',
      items: { anyOf: [{ type: 'string' }, { $ref: '#/components/schemas/Item_comments' }] },
    },
  })
})

const operations = ({ paths }: Document) =>
  Object.values(paths).flatMap((path) => Object.values(path).map(({ operationId }) => operationId))

test('operations for administrators are in the document of administrators alone', async () => {
  const forAdministrators = ['readUsage', 'createCollections', 'applySchema', 'applyConfiguration']
  expect(operations(documentFor(ctx))).toEqual(expect.arrayContaining(forAdministrators))
  const document = documentFor({ ...ctx, actor: userWith([]) })
  await SwaggerParser.validate(structuredClone(document) as never)
  const left = operations(document)
  expect(left.filter((each) => forAdministrators.includes(each))).toEqual([])
  // Paths that have others keep them.
  expect(left).toEqual(expect.arrayContaining(['readCollections', 'readFields', 'login', 'readServerInfo']))
  expect(document.paths['/usage']).toBeUndefined()
})

test('table names may contain characters that components and paths cannot', async () => {
  const name = 'quo"te\\b$&{x}%é.'
  const articles = ctx.schema.collections.get('articles')
  if (articles === undefined) throw new Error('The world has no articles')
  const schema = { ...ctx.schema, collections: new Map([...ctx.schema.collections, [name, { ...articles, name }]]) }
  const document = documentFor({ ...ctx, schema, view: createView(schema) })
  await SwaggerParser.validate(structuredClone(document) as never)
  expect(Object.keys(document.paths)).toContain(`/items/${encodeURIComponent(name)}/{id}`)
  const components = Object.keys(document.components.schemas).filter((each) => each.startsWith('Item_quo'))
  expect(components).toEqual(['Item_quo.22.te.5c.b.24..26..7b.x.7d..25..e9..2e.'])
  expect(components.every((each) => /^[\w.-]+$/.test(each))).toBe(true)
})

test('a singleton is read and updated', () => {
  expect(Object.keys(documentFor(ctx).paths['/items/homepage'] ?? {})).toEqual(['get', 'patch'])
  expect(documentFor(ctx).paths['/items/homepage/{id}']).toBeUndefined()
})

test('the key of a singleton is null until there is a row', () => {
  const { properties } = documentFor(ctx).components.schemas['Item_homepage'] ?? {}
  expect(properties).toMatchObject({ id: { type: ['integer', 'null'] } })
})

test('other callers find only what they may access', async () => {
  const actor = userWith([
    { collection: 'articles', action: 'read', fields: ['id', 'title'] },
    { collection: 'articles', action: 'create', fields: ['title', 'body'] },
    { collection: 'tags', action: 'create', fields: ['name'] },
  ])
  const document = documentFor({ ...ctx, actor })
  await SwaggerParser.validate(structuredClone(document) as never)
  const items = Object.entries(document.paths).filter(([path]) => path.startsWith('/items'))
  expect(items.map(([path, operations]) => [path, Object.keys(operations)])).toEqual([
    ['/items/articles', ['get', 'post']],
    ['/items/articles/changes', ['get']],
    ['/items/articles/{id}', ['get']],
    ['/items/tags', ['post']],
  ])
  expect(Object.keys(document.components.schemas['Item_articles']?.properties ?? {})).toEqual(['id', 'title', 'body'])
  expect(Object.keys(document.components.schemas).filter((name) => name.startsWith('Item_'))).toEqual([
    'Item_articles',
    'Item_tags',
  ])
})

test('only a new item requires fields: those that nothing else fills', () => {
  const { schema } = ctx
  const articles = schema.collections.get('articles')
  const title = articles?.fields.get('title')
  if (articles === undefined || title?.column == null) throw new Error('The world has no titles')
  const { column } = title
  const strict = { ...column, nullable: false, hasDefault: false }
  const fields = new Map([
    ['id', articles.fields.get('id') as typeof title],
    ['title', { ...title, column: strict }],
    ['slug', { ...title, name: 'slug', column: { ...strict, hasDefault: true } }],
    ['body', { ...title, name: 'body', column: { ...strict, nullable: true } }],
    ['sum', { ...title, name: 'sum', column: { ...strict, generated: true } }],
    ['made', { ...title, name: 'made', column: strict, special: ['date-created' as const] }],
    ['changed', { ...title, name: 'changed', column: strict, special: ['date-updated' as const] }],
    ['code', { ...title, name: 'code', column: strict, special: ['uuid' as const] }],
    ['status', { ...title, name: 'status', column: strict }],
  ])
  const more = { ...schema, collections: new Map([...schema.collections, ['articles', { ...articles, fields }]]) }
  const asker = { ...ctx, schema: more, view: createView(more) }
  const { schemas } = documentFor(asker).components
  expect(schemas['NewItem_articles']).toMatchObject({ required: ['title', 'changed', 'status'] })
  expect(Object.keys(schemas['NewItem_articles']?.properties ?? {})).toEqual(
    [...fields.keys()].filter((name) => name !== 'sum' && name !== 'made'),
  )
  expect(schemas['Item_articles']).not.toHaveProperty('required')
  expect(schemas['Item_articles']?.properties).toMatchObject({ sum: { readOnly: true }, changed: { readOnly: true } })
  expect(schemas['Item_articles']?.properties).not.toHaveProperty('made.readOnly')
  const actor = userWith([
    { collection: 'articles', action: 'read' },
    { collection: 'articles', action: 'create', fields: ['title', 'status'], presets: { status: 'draft' } },
  ])
  const limited = documentFor({ ...asker, actor }).components.schemas
  expect(limited['NewItem_articles']).toMatchObject({ required: ['title'] })
  expect(Object.keys(limited['NewItem_articles']?.properties ?? {})).toEqual(['title', 'status'])
  expect(limited['Item_articles']?.properties).toMatchObject({ body: { readOnly: true } })
})

const named = (name: string) => ({ $ref: `#/components/schemas/${name}` })

test('the values of a column have one schema with a name, which all forms refer to', () => {
  const { schema } = ctx
  const articles = schema.collections.get('articles')
  const title = articles?.fields.get('title')
  if (articles === undefined || title?.column == null) throw new Error('The world has no titles')
  const { column } = title
  const mood = (nullable: boolean) => ({ ...title, column: { ...column, nullable, values: ['sad', 'glad'] } })
  const fields = new Map([
    ['id', articles.fields.get('id') as typeof title],
    ['mood', { ...mood(false), name: 'mood' }],
    ['later.on', { ...mood(true), name: 'later.on' }],
  ])
  const users = schema.collections.get('platform_users')
  const more = {
    ...schema,
    collections: new Map([
      ...schema.collections,
      ['articles', { ...articles, fields }],
      [
        'platform_users',
        { ...users, fields: new Map([...(users?.fields ?? []), ['mood', { ...mood(false), name: 'mood' }]]) },
      ],
    ] as [string, typeof articles][]),
  }
  const asker = { ...ctx, schema: more, view: createView(more) }
  const { schemas } = documentFor(asker).components
  for (const form of ['Item_articles', 'NewItem_articles'])
    expect(schemas[form]?.properties).toMatchObject({
      mood: named('Value_mood_of_articles'),
      'later.on': named('Value_later.2e.on_of_articles'),
    })
  for (const form of ['User', 'UserInput', 'UserPatch'])
    expect(schemas[form]?.properties).toMatchObject({ mood: named('Value_mood_of_platform_users') })
  expect(schemas).toMatchObject({
    Value_mood_of_articles: { type: 'string', enum: ['sad', 'glad'] },
    'Value_later.2e.on_of_articles': { type: ['string', 'null'], enum: ['sad', 'glad', null] },
    Value_mood_of_platform_users: { enum: ['sad', 'glad'] },
  })
})

test('a record has columns that the project added, for callers that may read them', () => {
  const { schema } = ctx
  const users = schema.collections.get('platform_users')
  const title = schema.collections.get('articles')?.fields.get('title')
  if (users === undefined || title === undefined) throw new Error('The world has no users or titles')
  const fields = new Map([...users.fields, ['shoe_size', { ...title, name: 'shoe_size', type: 'integer' as const }]])
  const more = { ...schema, collections: new Map([...schema.collections, ['platform_users', { ...users, fields }]]) }
  const asker = { ...ctx, schema: more, view: createView(more) }
  const { schemas } = documentFor(asker).components
  for (const form of ['User', 'UserInput', 'UserPatch']) {
    expect(schemas[form]?.properties).toMatchObject({ shoe_size: { type: 'integer' }, email: {} })
  }
  const actor = userWith([{ collection: 'platform_users', action: 'read', fields: ['email'] }])
  expect(documentFor({ ...asker, actor }).components.schemas['User']?.properties).not.toHaveProperty('shoe_size')
})

test('a schema that nothing refers to is left out, unless fields may lead to it', () => {
  const { paths, components } = documentFor(ctx)
  const names = Object.keys(components.schemas)
  const text = JSON.stringify([paths, components])
  const unused = names.filter((name) => !text.includes(`"#/components/schemas/${name}"`))
  expect(unused).toEqual([])
  expect(
    names.filter((name) => /^(NewItem|RevisionInput|SettingsListEnvelope|ItemListEnvelope_articles)$/.test(name)),
  ).toEqual([])
})

test('callers with equal permissions share one text', () => {
  expect(specialisedSpec(ctx)).toBe(specialisedSpec({ ...ctx }))
})

test('schemas of writes end after two levels, so that tools need not walk them without end', () => {
  const { schemas } = documentFor(ctx).components as { readonly schemas: { readonly [name: string]: object } }
  const refsOf = (name: string): readonly string[] =>
    [...JSON.stringify(schemas[name]).matchAll(/"#\/components\/schemas\/([^"]+)"/g)].flatMap(([, to]) => to ?? [])
  const writes = Object.keys(schemas).filter((name) => /(Input|Patch|Related|Nested)$/.test(name))
  const depthOf = (name: string, seen: readonly string[]): number => {
    expect(seen).not.toContain(name)
    const below = refsOf(name).filter((to) => writes.includes(to))
    return 1 + Math.max(0, ...below.map((to) => depthOf(to, [...seen, name])))
  }
  expect(Math.max(...writes.map((name) => depthOf(name, [])))).toBe(3)
  expect(refsOf('RolePatch')).toEqual(['RolePatchNested', 'UserRelated', 'RoleRelated', 'AccessRelated'])
  expect(refsOf('UserRelated')).toEqual(['UserPatchNested', 'UserInputNested', 'UserPatchNested'])
  const { users } = (schemas['RolePatchNested'] as { readonly properties: { readonly users: object } }).properties
  expect(users).toMatchObject({
    anyOf: [{ type: ['array', 'object'], items: {}, additionalProperties: true }, { type: 'null' }],
  })
})
