/** The AsyncAPI document for one caller and the connected database: the events that the caller can subscribe to. */

import { visibleView } from '../../authz/grants.ts'
import { isRecordable } from '../../domain/model/recordable.ts'
import { showNames } from '../../domain/model/system-spelling.ts'
import type { Context } from '../../domain/ports/context.ts'
import type { CollectionView } from '../../domain/schema/view.ts'
import template from '../../generated/current-events.json' with { type: 'json' }
import internalSpec from '../../generated/current-spec.json' with { type: 'json' }
import { type Json, memoizeByRights, type Scope as SpecScope } from './current-spec.ts'
import { ownName, records } from './field-schemas.ts'
import { itemSchema } from './item-schemas.ts'

type Scope = SpecScope & Pick<Context, 'server'>

/** The document as JSON text, cached per schema and permissions. */
export const specialisedEvents = memoizeByRights((scope: Scope): string =>
  showNames(JSON.stringify(specialise(scope)), scope.view.systemPrefix),
)

/** A collection with the name of the schema of its items. */
type EventRecord = { readonly view: CollectionView; readonly record: string; readonly isSystem: boolean }

function specialise(scope: Scope): Json {
  const { 'x-generated': _generated, channels, operations, components, ...rest } = template
  const collections = [...visibleView(scope).byCore.values()].flatMap((view) => eventsOf(scope, view))
  const door = scope.server.sockets?.rest
  const socket = door === undefined || door === false ? null : withCollections(channels.socket, door.path, collections)
  const streams = collections.filter(({ isSystem }) => !isSystem)
  const changes = collections.map(
    (eventRecord) => [ownName('changes', eventRecord.view.name), changesMessage(eventRecord)] as const,
  )
  const events = streams.flatMap(eventMessages)
  const messages = Object.fromEntries([
    ...(socket === null ? [] : [...Object.entries(components.messages), ...changes]),
    ...events,
  ])
  return {
    ...rest,
    servers: serversOf(scope, socket !== null),
    channels: {
      ...(socket === null ? {} : { socket }),
      ...Object.fromEntries(streams.map((stream) => [ownName('changesOf', stream.view.name), streamChannel(stream)])),
    },
    operations: {
      ...(socket === null ? {} : { ...operations, sendMessages: withChanges(operations.sendMessages, collections) }),
      ...Object.fromEntries(
        streams.map((reported) => [ownName('sendChangesOf', reported.view.name), streamOperation(reported)]),
      ),
    },
    components: { messages, schemas: { ...components.schemas, ...schemasOf(scope, messages) } },
  }
}

const specSchemas = internalSpec.components.schemas as unknown as { readonly [name: string]: Json }

/** Collections whose changes clients can receive. */
function eventsOf({ schema }: Scope, view: CollectionView): readonly EventRecord[] {
  const isSystem = schema.collections.get(view.collection)?.system === true
  const record = isSystem ? records.get(view.collection) : ownName('Item', view.name)
  return record === undefined || !isRecordable(view.collection) ? [] : [{ view, record, isSystem }]
}

const refTo = (kind: 'schemas' | 'messages', name: string): Json => ({ $ref: `#/components/${kind}/${name}` })

function withCollections(socket: Json, path: string, collections: readonly EventRecord[]): Json {
  const own = collections.map(({ view }) => ownName('changes', view.name))
  const messages = {
    ...(socket['messages'] as Json),
    ...Object.fromEntries(own.map((name) => [name, refTo('messages', name)])),
  }
  return { ...socket, address: path, messages }
}

const withChanges = (operation: Json, collections: readonly EventRecord[]): Json => ({
  ...operation,
  messages: [
    ...(operation['messages'] as readonly Json[]),
    ...collections.map(({ view }) => ({ $ref: `#/channels/socket/messages/${ownName('changes', view.name)}` })),
  ],
})

const anyKey: Json = { type: ['string', 'integer'], description: 'Key of an item.' }

const changesOf = (events: readonly string[], items: Json, required: readonly string[]): Json => ({
  type: 'object',
  properties: {
    type: { const: 'subscription' },
    event: { type: 'string', enum: events },
    data: { type: 'array', items },
    uid: { type: 'string' },
  },
  required: ['type', 'event', ...required],
})

/** The messages that a subscription of the WebSocket receives. */
function changesMessage({ view: { name }, record }: EventRecord): Json {
  return {
    title: `Changes of ${name}`,
    payload: {
      oneOf: [
        changesOf(['init'], refTo('schemas', record), []),
        changesOf(['create', 'update'], refTo('schemas', record), ['data']),
        changesOf(['delete'], anyKey, ['data']),
      ],
    },
  }
}

const kinds = ['created', 'updated', 'deleted'] as const
const eventNames = { created: 'create', updated: 'update', deleted: 'delete' } as const

const eventMessages = ({ view: { name }, record }: EventRecord): readonly (readonly [string, Json])[] =>
  kinds.map((kind) => [
    ownName(kind, name),
    {
      name: eventNames[kind],
      title: `An item of ${name} is ${kind}`,
      payload: kind === 'deleted' ? anyKey : refTo('schemas', record),
    },
  ])

const streamChannel = ({ view: { name } }: EventRecord): Json => ({
  address: `/items/${encodeURIComponent(name)}/changes`,
  title: `Changes of ${name}`,
  description: 'Server-Sent Events. The name of the event is that of the message.',
  messages: Object.fromEntries(kinds.map((kind) => [kind, refTo('messages', ownName(kind, name))])),
})

const streamOperation = ({ view: { name } }: EventRecord): Json => ({
  action: 'send',
  channel: { $ref: `#/channels/${ownName('changesOf', name)}` },
  summary: `Changes of ${name} are told.`,
})

function serversOf({ server }: Scope, hasSocket: boolean): Json {
  const { protocol, host, pathname } = new URL(server.address())
  const isSecure = protocol === 'https:'
  const address = { host, ...(pathname === '/' ? {} : { pathname: pathname.replace(/\/$/, '') }) }
  return {
    events: { ...address, protocol: isSecure ? 'https' : 'http' },
    ...(hasSocket ? { sockets: { ...address, protocol: isSecure ? 'wss' : 'ws' } } : {}),
  }
}

function schemasOf(scope: Scope, messages: Json): Json {
  const own = new Map<string, () => Json>()
  for (const view of visibleView(scope).byCore.values()) {
    const collection = scope.schema.collections.get(view.collection)
    if (collection !== undefined && !collection.system)
      own.set(ownName('Item', view.name), () => readable(itemSchema(scope, collection, view)))
  }
  const channels: Record<string, Json> = {}
  const follow = (value: unknown): void => {
    for (const [, name = ''] of JSON.stringify(value).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
      const schema = own.get(name)?.() ?? specSchemas[name]
      if (schema === undefined || Object.hasOwn(channels, name)) continue
      channels[name] = schema
      follow(schema)
    }
  }
  follow(messages)
  return channels
}

/** Without the fields that the caller may only write. */
function readable({ properties, ...rest }: Json): Json {
  const stored = Object.entries(properties as Json).filter(([, schema]) => (schema as Json)['writeOnly'] !== true)
  return { ...rest, properties: Object.fromEntries(stored) }
}
