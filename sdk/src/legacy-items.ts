/** Typed items of the legacy generation. */
import type { Client, Operation, RequestOptions } from './client.ts'
import { type EachOptions, eachItem } from './paging.ts'
import type { CheckedFields, FieldOf, LegacyCreated, LegacyKeyed, LegacyWritten, Selected } from './types/fields.ts'
import type { ParsedFields } from './types/legacy-filter.ts'
import type { LegacySelecting } from './types/query.ts'
import type { ItemOf, WithNumbers } from './types/schema.ts'

type Key = string | number

/** `fields` as a list of names and nested objects, or as a comma-separated text. */
type FieldList<Schema, Item> = readonly FieldOf<Schema, Item>[] | string

type Entries<Fields> = Fields extends string ? ParsedFields<Fields> : Fields

type CheckedAsked<Schema, Item, Fields> = Fields extends string
  ? ParsedFields<Fields> extends readonly FieldOf<Schema, Item>[]
    ? ParsedFields<Fields> extends CheckedFields<Schema, Item, ParsedFields<Fields>>
      ? unknown
      : never
    : never
  : CheckedFields<Schema, Item, Fields>

type FoundItem<Schema, Item, Fields> =
  Entries<Fields> extends readonly (infer Field)[] ? WithNumbers<Selected<Schema, Item, Field>> : never

type ItemQuery<Schema, Item, Fields> = { readonly fields?: Fields & CheckedAsked<Schema, Item, Fields> }

/** What a write may be asked for: the fields of its answer, all of the item if absent. */
type WriteOptions<Schema, Item, Fields> = RequestOptions & ItemQuery<Schema, Item, Fields>

/** Metadata of a page. */
type Meta = { readonly [name: string]: unknown }

/** Reads and writes of a collection. Writes resolve to undefined if the caller may not read the result. */
export type LegacyItems<Schema, Item> = {
  readonly read: <const Fields extends FieldList<Schema, Item> = '*'>(
    query?: ItemQuery<Schema, Item, Fields> & LegacySelecting<Item>,
    options?: RequestOptions,
  ) => Promise<FoundItem<Schema, Item, Fields>[]>
  readonly readPage: <const Fields extends FieldList<Schema, Item> = '*'>(
    query?: ItemQuery<Schema, Item, Fields> & LegacySelecting<Item>,
    options?: RequestOptions,
  ) => Promise<{ readonly data: FoundItem<Schema, Item, Fields>[]; readonly meta: Meta }>
  /** All items of the query, requested page by page. */
  readonly each: <const Fields extends FieldList<Schema, Item> = '*'>(
    query?: ItemQuery<Schema, Item, Fields> & Omit<LegacySelecting<Item>, 'page'>,
    options?: EachOptions,
  ) => AsyncGenerator<FoundItem<Schema, Item, Fields>, void, undefined>
  readonly readOne: <const Fields extends FieldList<Schema, Item> = '*'>(
    key: Key,
    query?: ItemQuery<Schema, Item, Fields>,
    options?: RequestOptions,
  ) => Promise<FoundItem<Schema, Item, Fields>>
  readonly create: <const Fields extends FieldList<Schema, Item> = '*'>(
    item: LegacyCreated<Schema, Item>,
    options?: WriteOptions<Schema, Item, Fields>,
  ) => Promise<FoundItem<Schema, Item, Fields> | undefined>
  readonly createMany: <const Fields extends FieldList<Schema, Item> = '*'>(
    items: readonly LegacyCreated<Schema, Item>[],
    options?: WriteOptions<Schema, Item, Fields>,
  ) => Promise<FoundItem<Schema, Item, Fields>[] | undefined>
  readonly update: <const Fields extends FieldList<Schema, Item> = '*'>(
    key: Key,
    changes: LegacyWritten<Schema, Item>,
    options?: WriteOptions<Schema, Item, Fields>,
  ) => Promise<FoundItem<Schema, Item, Fields> | undefined>
  readonly updateMany: <const Fields extends FieldList<Schema, Item> = '*'>(
    keys: readonly Key[],
    changes: LegacyWritten<Schema, Item>,
    options?: WriteOptions<Schema, Item, Fields>,
  ) => Promise<FoundItem<Schema, Item, Fields>[] | undefined>
  /** Different changes for each item; each contains its key. */
  readonly updateEach: <const Fields extends FieldList<Schema, Item> = '*'>(
    items: readonly LegacyKeyed<Schema, Item>[],
    options?: WriteOptions<Schema, Item, Fields>,
  ) => Promise<FoundItem<Schema, Item, Fields>[] | undefined>
  readonly delete: (key: Key, options?: RequestOptions) => Promise<void>
  readonly deleteMany: (keys: readonly Key[], options?: RequestOptions) => Promise<void>
}

/** The same for records that only the server writes. */
export type LegacyReads<Schema, Item> = Pick<LegacyItems<Schema, Item>, 'read' | 'readPage' | 'each' | 'readOne'>

/** One record by itself, such as the caller's user. */
export type LegacySingle<Schema, Item> = {
  readonly read: <const Fields extends FieldList<Schema, Item> = '*'>(
    query?: ItemQuery<Schema, Item, Fields>,
    options?: RequestOptions,
  ) => Promise<FoundItem<Schema, Item, Fields>>
  readonly update: <const Fields extends FieldList<Schema, Item> = '*'>(
    changes: LegacyWritten<Schema, Item>,
    options?: WriteOptions<Schema, Item, Fields>,
  ) => Promise<FoundItem<Schema, Item, Fields> | undefined>
}

/** Operations of the list at a path. */
const operationsAt = (path: string) => {
  const one = `${path}/{id}`
  return {
    list: { method: 'GET', path },
    one: { method: 'GET', path: one },
    create: { method: 'POST', path },
    updateList: { method: 'PATCH', path },
    updateOne: { method: 'PATCH', path: one },
    deleteOne: { method: 'DELETE', path: one },
  } as const satisfies { readonly [name: string]: Operation }
}

/** Typed items of a collection. */
export const createLegacyItems = <Schema, Name extends string>(
  client: Client,
  collection: Name,
): LegacyItems<Schema, ItemOf<Schema, Name>> => legacyItemsAt(client, '/{project}/items/{collection}', { collection })

/** Fixed path parameters. */
type Fixed = { readonly [name: string]: string }

/** Typed items of the list at a path. Several keys are sent as a comma-separated list in the path. */
export function legacyItemsAt<Schema, Item>(
  client: Client,
  path: string,
  fixed: Fixed = {},
): LegacyItems<Schema, Item> {
  const { list, one, create, updateList, updateOne, deleteOne } = operationsAt(path)
  const data = async (...request: Parameters<Client['request']>): Promise<never> =>
    (await client.request<{ readonly data?: never } | undefined>(...request))?.data as never
  return {
    read: (query, options) => data(list, { path: fixed, query }, options),
    readPage: (query, options) => client.request(list, { path: fixed, query: { ...query, meta: '*' } }, options),
    each: (query, options) => eachItem((page, each) => data(list, { path: fixed, query: page }, each), query, options),
    readOne: (id, query, options) => data(one, { path: { ...fixed, id }, query }, options),
    create: (body, options) => data(create, { path: fixed, body }, options),
    createMany: (body, options) => data(create, { path: fixed, body }, options),
    update: (id, body, options) => data(updateOne, { path: { ...fixed, id }, body }, options),
    updateMany: (keys, body, options) => data(updateOne, { path: { ...fixed, id: keys.join(',') }, body }, options),
    updateEach: (body, options) => data(updateList, { path: fixed, body }, options),
    delete: async (id, options) => void (await client.request(deleteOne, { path: { ...fixed, id } }, options)),
    deleteMany: async (keys, options) =>
      void (await client.request(deleteOne, { path: { ...fixed, id: keys.join(',') } }, options)),
  }
}
