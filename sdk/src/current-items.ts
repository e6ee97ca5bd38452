/** Typed items of the current generation, over the one client. */
import type { Client, Operation, RequestOptions } from './client.ts'
import type { Aliased, FieldOf, FunctionOf, Selected, Written } from './types/fields.ts'
import type { Aggregate, Alias, FieldList, Group, ItemQuery, ItemsQuery, Selecting } from './types/query.ts'
import type { ItemOf } from './types/schema.ts'

type Key = string | number

/** Which items a change is for: their keys, or a query that finds them. */
type Target<Schema, Item> = { readonly keys: readonly Key[] } | { readonly query: Selecting<Schema, Item> }

/** Counts beside a page: all that may be read, and those that filter and search leave. */
type Counts = { readonly total_count: number; readonly filter_count: number }

type Everything = readonly ['*']
type Found<Schema, Item, Names, Fields extends readonly unknown[]> = Selected<
  Schema,
  Aliased<Item, Names>,
  Fields[number]
>

/** Reads and writes of one collection. Writes resolve to undefined when the caller may not read what it wrote. */
export type Items<Schema, Item> = {
  readonly read: <
    const Names extends Alias<Item> = {},
    const Fields extends FieldList<Schema, Item, Names> = Everything,
  >(
    query?: ItemsQuery<Schema, Item, Names, Fields>,
    options?: RequestOptions,
  ) => Promise<Found<Schema, Item, Names, Fields>[]>
  readonly readPage: <
    const Names extends Alias<Item> = {},
    const Fields extends FieldList<Schema, Item, Names> = Everything,
  >(
    query?: ItemsQuery<Schema, Item, Names, Fields>,
    options?: RequestOptions,
  ) => Promise<{ readonly data: Found<Schema, Item, Names, Fields>[]; readonly meta: Counts }>
  readonly readOne: <
    const Names extends Alias<Item> = {},
    const Fields extends FieldList<Schema, Item, Names> = Everything,
  >(
    key: Key,
    query?: ItemQuery<Schema, Item, Names, Fields>,
    options?: RequestOptions,
  ) => Promise<Found<Schema, Item, Names, Fields>>
  readonly aggregate: <
    const Functions extends Aggregate<Item>,
    const Groups extends readonly Grouping<Item>[] = readonly [],
  >(
    query: Selecting<Schema, Item> & { readonly aggregate: Functions; readonly groupBy?: Groups },
    options?: RequestOptions,
  ) => Promise<Group<Item, Functions, Groups[number]>[]>
  readonly create: (
    item: Written<Schema, Item>,
    options?: RequestOptions,
  ) => Promise<Selected<Schema, Item, '*'> | undefined>
  readonly createMany: (
    items: readonly Written<Schema, Item>[],
    options?: RequestOptions,
  ) => Promise<Selected<Schema, Item, '*'>[] | undefined>
  readonly update: (
    key: Key,
    changes: Written<Schema, Item>,
    options?: RequestOptions,
  ) => Promise<Selected<Schema, Item, '*'> | undefined>
  readonly updateMany: (
    target: Target<Schema, Item>,
    changes: Written<Schema, Item>,
    options?: RequestOptions,
  ) => Promise<Selected<Schema, Item, '*'>[] | undefined>
  /** Own changes for each item; every one carries its key. */
  readonly updateEach: (
    items: readonly Written<Schema, Item>[],
    options?: RequestOptions,
  ) => Promise<Selected<Schema, Item, '*'>[] | undefined>
  readonly delete: (key: Key, options?: RequestOptions) => Promise<void>
  readonly deleteMany: (target: Target<Schema, Item>, options?: RequestOptions) => Promise<void>
}

type Grouping<Item> = (keyof Item & string) | FunctionOf<Item>

/** The one item of a singleton. */
export type Singleton<Schema, Item> = {
  readonly read: <const Fields extends readonly FieldOf<Schema, Item>[] = Everything>(
    query?: ItemQuery<Schema, Item, {}, Fields>,
    options?: RequestOptions,
  ) => Promise<Found<Schema, Item, {}, Fields>>
  readonly update: (
    changes: Written<Schema, Item>,
    options?: RequestOptions,
  ) => Promise<Selected<Schema, Item, '*'> | undefined>
}

const path = '/items/{collection}'
const list = { method: 'GET', path, search: true } satisfies Operation
const one = { method: 'GET', path: `${path}/{id}` } satisfies Operation
const create = { method: 'POST', path } satisfies Operation
const updateList = { method: 'PATCH', path } satisfies Operation
const updateOne = { ...one, method: 'PATCH' } satisfies Operation
const deleteList = { method: 'DELETE', path } satisfies Operation
const deleteOne = { ...one, method: 'DELETE' } satisfies Operation

/** The typed items of a collection. */
export function createItems<Schema, Name extends string>(
  client: Client,
  name: Name,
): Items<Schema, ItemOf<Schema, Name>> {
  const collection = { collection: name }
  const data = async (...request: Parameters<Client['request']>): Promise<never> =>
    (await client.request<{ readonly data?: never } | undefined>(...request))?.data as never
  return {
    read: (query, options) => data(list, { path: collection, query }, options),
    readPage: (query, options) => client.request(list, { path: collection, query: { ...query, meta: '*' } }, options),
    readOne: (id, query, options) => data(one, { path: { ...collection, id }, query }, options),
    aggregate: (query, options) => data(list, { path: collection, query }, options),
    create: (body, options) => data(create, { path: collection, body }, options),
    createMany: (body, options) => data(create, { path: collection, body }, options),
    update: (id, body, options) => data(updateOne, { path: { ...collection, id }, body }, options),
    updateMany: (target, changes, options) =>
      data(updateList, { path: collection, body: { ...target, data: changes } }, options),
    updateEach: (body, options) => data(updateList, { path: collection, body }, options),
    delete: (id, options) => client.request(deleteOne, { path: { ...collection, id } }, options),
    deleteMany: (body, options) => client.request(deleteList, { path: collection, body }, options),
  }
}

/** The typed item of a singleton. */
export function createSingleton<Schema, Name extends string>(
  client: Client,
  name: Name,
): Singleton<Schema, ItemOf<Schema, Name>> {
  const { read, update } = {
    read: (query?: object, options?: RequestOptions) =>
      client.request<{ readonly data: never }>(list, { path: { collection: name }, query }, options),
    update: (body: object, options?: RequestOptions) =>
      client.request<{ readonly data: never } | undefined>(updateList, { path: { collection: name }, body }, options),
  }
  return {
    read: async (query, options) => (await read(query, options)).data,
    update: async (changes, options) => (await update(changes, options))?.data,
  }
}
