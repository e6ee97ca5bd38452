/** Runs the root fields that every collection has. */

import { readVersionedItem } from '../../core/history/versions.ts'
import { singletonKey, writeItems } from '../../core/items/items.ts'
import { upsertItems } from '../../core/items/upsert-items.ts'
import { notFound } from '../../core/rows/keys.ts'
import { readBack, readItem, readItems, readSingleton } from '../../core/rows/read-items.ts'
import type { Context } from '../../domain/ports/context.ts'
import { jsonOf } from '../../domain/ports/row-store.ts'
import type { Key } from '../../domain/query/key.ts'
import type { Mutation } from '../../domain/query/mutation.ts'
import type { Query } from '../../domain/query/query.ts'
import type { Answer } from '../../graphql/execute.ts'
import type { Root } from '../../graphql/schema/schema-types.ts'
import type { RootKind } from '../../graphql/schema/template.ts'
import type { SelectedField } from '../../graphql/selected-field.ts'
import { withStoredArguments } from '../views/system-names.ts'
import {
  conflictFields,
  type OpenAction,
  type OpenedCollection,
  openCollection,
  openSystemCollection,
} from '../wire/collections.ts'
import { parseCreate, parseDelete, parseSingleton, parseUpdate, parseUpdateMany } from '../wire/mutation.ts'
import { toGroupsQuery } from './groups.ts'
import { toItemQuery, toListQuery, toWrittenQuery } from './query.ts'

export type CollectionRoot = Exclude<Root, { readonly kind: 'named' }>

/** Special behavior of some collections. */
export type Family = {
  /** Whether a list without `limit` returns all items. */
  readonly isListedWhole?: boolean
  readonly write?: typeof writeItems
}

type Call = {
  readonly ctx: Context
  readonly selected: SelectedField
  readonly opened: OpenedCollection
  readonly family: Family
}

/** Returns the JSON text of the field. `ctx` has the GraphQL view of the schema. */
export async function runCollectionRoot(
  ctx: Context,
  { kind, collection }: CollectionRoot,
  { selected, family }: { readonly selected: SelectedField; readonly family: Family },
): Promise<Answer> {
  const isSystem = ctx.schema.collections.get(collection)?.system === true
  const opened = (isSystem ? openSystemCollection : openCollection)(ctx, collection, actions[kind])
  const args = isSystem ? withStoredArguments(selected.args, ctx) : selected.args
  const call: Call = { ctx, selected: { ...selected, args }, opened, family }
  const answer = await runners[kind](call)
  return typeof answer === 'string' || Array.isArray(answer)
    ? { kind: 'text', text: answer as string | readonly string[] }
    : { kind: 'value', value: answer }
}

const actions = {
  list: 'read',
  item: 'read',
  groups: 'read',
  version: 'read',
  singleton: 'read',
  'singleton-version': 'read',
  create: 'create',
  'create-many': 'create',
  'upsert-many': 'upsert',
  update: 'update',
  'update-many': 'update',
  'update-each': 'update',
  'write-singleton': 'update',
  delete: 'delete',
  'delete-many': 'delete',
} as const satisfies Record<RootKind, OpenAction>

type Runner = (call: Call) => Promise<string | readonly string[] | object>

const runners = {
  list: async ({ ctx, selected, opened, family }) => {
    const query = toListQuery(selected, opened.collection.name, opened.visible)
    const isWhole = family.isListedWhole === true && selected.args['limit'] == null
    const page = { limit: ctx.limits.queryMax, offset: query.page.offset }
    return (await readItems(ctx, isWhole ? { ...query, page } : query)).pieces
  },
  groups: async ({ ctx, selected, opened }) =>
    (await readItems(ctx, toGroupsQuery(selected, opened.collection.name, opened.visible))).pieces,
  item: ({ ctx, selected, opened }) => readOne(ctx, itemQuery(selected, opened), keyOf(selected), versionOf(selected)),
  version: ({ ctx, selected, opened }) =>
    readOne(ctx, itemQuery(selected, opened), keyOf(selected), versionOf(selected)),
  singleton: (call) => readOnly(call),
  'singleton-version': (call) => readOnly(call),
  create: (call) => write(call, parseCreate(call.selected.args['data'], call.opened), 'one'),
  'create-many': (call) => {
    const { data } = call.selected.args
    if (data == null || (Array.isArray(data) && data.length === 0)) return Promise.resolve('[]')
    return write(call, parseCreate(data, call.opened), 'list')
  },
  'upsert-many': (call) => {
    const { selected, opened } = call
    const { data, on_conflict: names } = selected.args
    if ((data as readonly unknown[]).length === 0) return Promise.resolve('[]')
    const { items } = parseCreate(data, opened)
    const fields = conflictFields(names as readonly string[], opened)
    return answerWritten(call, 'list', () => upsertItems(call.ctx, { collection: opened.collection, items, fields }))
  },
  update: (call) => {
    const { selected, opened } = call
    return write(call, parseUpdate(selected.args['data'], keyOf(selected), opened), 'one')
  },
  'update-many': (call) => {
    const { ids, data } = call.selected.args
    return write(call, parseUpdateMany({ keys: ids, data }, call.opened), 'list')
  },
  'update-each': (call) => {
    const { data } = call.selected.args
    return write(call, parseUpdateMany(data ?? [], call.opened), 'list')
  },
  'write-singleton': (call) => write(call, parseSingleton(call.selected.args['data'], call.opened), 'one'),
  delete: async (call) => {
    const id = keyOf(call.selected)
    await remove(call, { keys: [id] })
    return { id }
  },
  'delete-many': async (call) => {
    const { ids } = call.selected.args
    await remove(call, { keys: ids })
    return { ids: ids as readonly Key[] }
  },
} satisfies Record<RootKind, Runner>

const keyOf = ({ args }: SelectedField): Key => args['id'] as Key

const versionOf = ({ args: { version } }: SelectedField): string | null =>
  typeof version !== 'string' || version === '' || version === 'main' ? null : version

const itemQuery = (selected: SelectedField, { collection, visible }: OpenedCollection): Query =>
  toItemQuery(selected, collection.name, visible)

const readOne = (ctx: Context, query: Query, key: Key, version: string | null): Promise<string> =>
  version === null ? readItem(ctx, query, key) : readVersionedItem(ctx, query, key, { name: version, raw: false })

async function readOnly({ ctx, selected, opened }: Call): Promise<string> {
  const query = itemQuery(selected, opened)
  const version = versionOf(selected)
  if (version !== null) {
    const key = await singletonKey(ctx, query.collection)
    if (key === null) throw notFound(query.collection)
    return readVersionedItem(ctx, query, key, { name: version, raw: false })
  }
  const page = await readItems(ctx, { ...query, page: { limit: 1, offset: 0 } })
  return page.rowCount > 0 ? jsonOf(page).slice(1, -1) : defaultsOf(selected, (await readSingleton(ctx, query)).json)
}

/** Default values of a singleton without a row. Every selected field is present, if only as null. */
function defaultsOf({ fields }: SelectedField, text: string): string {
  const defaults = JSON.parse(text) as { readonly [key: string]: unknown }
  const entries = fields.map(({ key, name, parent }) => {
    const value = name === '__typename' ? parent : (defaults[key] ?? null)
    return `${JSON.stringify(key)}:${JSON.stringify(value)}`
  })
  return `{${entries.join(',')}}`
}

/** A caller that may not read the result learns that the write succeeded. */
const write = (call: Call, mutation: Mutation, shape: Shape): Promise<string | readonly string[]> =>
  answerWritten(call, shape, () => (call.family.write ?? writeItems)(call.ctx, mutation))

type Shape = 'one' | 'list'

/** Checks first what the field asks of the written items. */
export async function answerWritten(
  { ctx, selected, opened }: Pick<Call, 'ctx' | 'selected' | 'opened'>,
  shape: Shape,
  work: () => Promise<readonly Key[]>,
): Promise<string | readonly string[]> {
  const { collection, readable } = opened
  const query = readable === null ? null : toWrittenQuery(selected, collection.name, readable)
  const keys = await work()
  if (query === null) return 'true'
  if (keys.length === 0) return shape === 'list' ? '[]' : 'null'
  const result = await readBack(ctx, keys, query)
  if (shape === 'list') return result === null ? '[]' : result.pieces
  return result === null ? 'null' : jsonOf(result).slice(1, -1)
}

async function remove({ ctx, opened, family }: Call, body: object): Promise<void> {
  await (family.write ?? writeItems)(ctx, parseDelete(body, opened))
}
