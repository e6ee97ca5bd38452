import { Parser } from '@asyncapi/parser'
import specs from '@asyncapi/specs'
import { Ajv } from 'ajv'
import { expect, test } from 'vitest'
import { is, userWith } from '../../core/testing/test-context.ts'
import type { Context } from '../../domain/ports/context.ts'
import { withViewedWorld } from '../testing/test-view.ts'
import { createView } from './schema-view.ts'
import { specialisedEvents } from './specialised-events.ts'

let ctx: Context

withViewedWorld((_world, viewed) => (ctx = viewed))

type Document = {
  readonly servers: { readonly [name: string]: object }
  readonly channels: { readonly [name: string]: { readonly address: string; readonly messages: object } }
  readonly operations: { readonly [name: string]: object }
  readonly components: {
    readonly messages: { readonly [name: string]: object }
    readonly schemas: { readonly [name: string]: { readonly properties: object } }
  }
}

const sockets = { rest: { authentication: 'handshake', path: '/live' }, graphql: false, heartbeat: 30 } as const
const live = (asker: Context, address = 'https://api.example.com/data'): Context => ({
  ...asker,
  server: { ...asker.server, sockets, address: () => address },
})

const isValid = new Ajv({ strict: false, validateFormats: false, validateSchema: false, meta: false }).compile(
  specs.schemas['3.0.0'] as object,
)

/** The document, valid by the published schema of AsyncAPI. */
function documentFor(asker: Context): Document {
  const document = JSON.parse(specialisedEvents(asker)) as Document
  isValid(document)
  expect(isValid.errors).toBe(null)
  return document
}

test('an administrator gets a valid document with every collection', () => {
  const { servers, channels, operations, components } = documentFor(live(ctx))
  expect(servers).toEqual({
    events: { host: 'api.example.com', pathname: '/data', protocol: 'https' },
    sockets: { host: 'api.example.com', pathname: '/data', protocol: 'wss' },
  })
  expect(channels['socket']?.address).toBe('/live')
  expect(channels['socket']?.messages).toMatchObject({
    subscribe: { $ref: '#/components/messages/subscribe' },
    changes_articles: { $ref: '#/components/messages/changes_articles' },
    changes_platform_users: { $ref: '#/components/messages/changes_platform_users' },
  })
  expect(channels['socket']?.messages).not.toHaveProperty('changes_platform_activity')
  expect(channels['changesOf_articles']).toMatchObject({
    address: '/items/articles/changes',
    messages: { created: { $ref: '#/components/messages/created_articles' } },
  })
  expect(operations).toMatchObject({ sendChangesOf_articles: { action: 'send' } })
  expect(components.schemas['Item_articles']?.properties).toMatchObject({ title: { type: 'string', maxLength: 200 } })
  expect(components.schemas['User']?.properties).toHaveProperty('email')
})

test('other callers get the collections and fields that they may read, and the sockets that there are', async () => {
  const actor = userWith([
    { collection: 'articles', filter: is('status', 'draft'), fields: ['id', 'title'] },
    { collection: 'comments', action: 'update', fields: ['text'] },
  ])
  const { servers, channels, components } = documentFor({ ...ctx, actor })
  // The parser needs minutes for the documents of administrators.
  const { diagnostics } = await new Parser().parse(specialisedEvents({ ...ctx, actor }))
  expect(diagnostics.filter(({ severity }) => (severity as number) === 0)).toEqual([])
  expect(Object.keys(servers)).toEqual(['events'])
  expect(Object.keys(channels)).toEqual(['changesOf_articles'])
  expect(Object.keys(components.schemas['Item_articles']?.properties ?? {})).toEqual(['id', 'title'])
  expect(Object.keys(components.messages)).toEqual(['created_articles', 'updated_articles', 'deleted_articles'])
})

test('without read rights the document is valid and has no collections', () => {
  const { channels } = documentFor(live({ ...ctx, actor: userWith([]) }))
  expect(Object.keys(channels)).toEqual(['socket'])
})

test('table names may contain characters that components and addresses cannot', () => {
  const name = 'quo"te\\b$&{x}%é.'
  const articles = ctx.schema.collections.get('articles')
  if (articles === undefined) throw new Error('The world has no articles')
  const schema = { ...ctx.schema, collections: new Map([...ctx.schema.collections, [name, { ...articles, name }]]) }
  const { channels } = documentFor({ ...ctx, schema, view: createView(schema) })
  expect(Object.values(channels).map(({ address }) => address)).toContain(`/items/${encodeURIComponent(name)}/changes`)
})
