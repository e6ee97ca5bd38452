/** Typed items of the current generation. */
import type { Client, Operation, RequestOptions } from './client.ts'
import { type EachOptions, eachItem } from './paging.ts'
import type { Aliased, CheckedFields, Created, FieldOf, FunctionOf, Selected, Written } from './types/fields.ts'
import type { Aggregate, Alias, FieldList, Group, ItemQuery, ItemsQuery, Selecting, SortList } from './types/query.ts'
import type { ItemOf } from './types/schema.ts'

type Key = string | number

/** The items to change: by keys or by a query. */
type Target<Schema, Item> = { readonly keys: readonly Key[] } | { readonly query: Selecting<Schema, Item> }

/** Counts of a page: all readable items, and those that match filter and search. */
type Counts = { readonly total_count: number; readonly filter_count: number }

/** About as many items as match filter and search; exact where the server finds that cheap. */
type EstimatedCount = { readonly estimated_count: number }

/** With `counts: 'estimated'` a page of a long list comes without counting the items. */
export type PageOptions = RequestOptions & { readonly counts?: 'exact' | 'estimated' }

type Everything = readonly ['*']
type FoundItem<Schema, Item, Names, Fields extends readonly unknown[]> = Selected<
  Schema,
  Aliased<Item, Names>,
  Fields[number]
>

/** What a write may be asked for: the fields of its answer, all of the item if absent. */
export type WriteOptions<Schema, Item, Fields> = RequestOptions & {
  readonly fields?: Fields & CheckedFields<Schema, Item, Fields>
}

type Wanted<Schema, Item> = readonly FieldOf<Schema, Item>[]

/** Reads and writes of a collection. Writes resolve to undefined if the caller may not read the result. */
export type Items<Schema, Item> = {
  readonly read: <
    const Names extends Alias<Item> = {},
    const Fields extends FieldList<Schema, Item, Names> = Everything,
    const Sorts extends SortList<Item> = [],
  >(
    query?: ItemsQuery<Schema, Item, Names, Fields, Sorts>,
    options?: RequestOptions,
  ) => Promise<FoundItem<Schema, Item, Names, Fields>[]>
  readonly readPage: <
    const Names extends Alias<Item> = {},
    const Fields extends FieldList<Schema, Item, Names> = Everything,
    const Sorts extends SortList<Item> = [],
    const Options extends PageOptions = {},
  >(
    query?: ItemsQuery<Schema, Item, Names, Fields, Sorts>,
    options?: Options,
  ) => Promise<{
    readonly data: FoundItem<Schema, Item, Names, Fields>[]
    readonly meta: Options extends { readonly counts: 'estimated' } ? EstimatedCount : Counts
  }>
  /**
   * All items of the query, requested page by page: `for await (const article of items.each({ sort: ['id'] }))`. With
   * `byCursor`, items that others create or delete meanwhile move no page.
   */
  readonly each: <
    const Names extends Alias<Item> = {},
    const Fields extends FieldList<Schema, Item, Names> = Everything,
    const Sorts extends SortList<Item> = [],
  >(
    query?: Omit<ItemsQuery<Schema, Item, Names, Fields, Sorts>, 'page'>,
    options?: EachOptions,
  ) => AsyncGenerator<FoundItem<Schema, Item, Names, Fields>, void, undefined>
  readonly readOne: <
    const Names extends Alias<Item> = {},
    const Fields extends FieldList<Schema, Item, Names> = Everything,
  >(
    key: Key,
    query?: ItemQuery<Schema, Item, Names, Fields>,
    options?: RequestOptions,
  ) => Promise<FoundItem<Schema, Item, Names, Fields>>
  readonly aggregate: <
    const Functions extends Aggregate<Item>,
    const Groups extends readonly Grouping<Item>[] = readonly [],
  >(
    query: Selecting<Schema, Item> & { readonly aggregate: Functions; readonly groupBy?: Groups },
    options?: RequestOptions,
  ) => Promise<Group<Item, Functions, Groups[number]>[]>
  readonly create: <const Fields extends Wanted<Schema, Item> = Everything>(
    item: Created<Schema, Item>,
    options?: WriteOptions<Schema, Item, Fields>,
  ) => Promise<FoundItem<Schema, Item, {}, Fields> | undefined>
  readonly createMany: <const Fields extends Wanted<Schema, Item> = Everything>(
    items: readonly Created<Schema, Item>[],
    options?: WriteOptions<Schema, Item, Fields>,
  ) => Promise<FoundItem<Schema, Item, {}, Fields>[] | undefined>
  readonly update: <const Fields extends Wanted<Schema, Item> = Everything>(
    key: Key,
    changes: Written<Schema, Item>,
    options?: WriteOptions<Schema, Item, Fields>,
  ) => Promise<FoundItem<Schema, Item, {}, Fields> | undefined>
  readonly updateMany: <const Fields extends Wanted<Schema, Item> = Everything>(
    target: Target<Schema, Item>,
    changes: Written<Schema, Item>,
    options?: WriteOptions<Schema, Item, Fields>,
  ) => Promise<FoundItem<Schema, Item, {}, Fields>[] | undefined>
  /** Different changes for each item; each contains its key. */
  readonly updateEach: <const Fields extends Wanted<Schema, Item> = Everything>(
    items: readonly Written<Schema, Item>[],
    options?: WriteOptions<Schema, Item, Fields>,
  ) => Promise<FoundItem<Schema, Item, {}, Fields>[] | undefined>
  readonly delete: (key: Key, options?: RequestOptions) => Promise<void>
  readonly deleteMany: (target: Target<Schema, Item>, options?: RequestOptions) => Promise<void>
}

/** Writes of a collection of the database that do not say whether an item is there. */
export type Upserts<Schema, Item> = {
  /** Updates the item that has the same values in the fields of a unique index, or creates it. */
  readonly upsert: <const Fields extends Wanted<Schema, Item> = Everything>(
    item: Created<Schema, Item>,
    on: readonly (keyof Item & string)[],
    options?: WriteOptions<Schema, Item, Fields>,
  ) => Promise<FoundItem<Schema, Item, {}, Fields> | undefined>
  readonly upsertMany: <const Fields extends Wanted<Schema, Item> = Everything>(
    items: readonly Created<Schema, Item>[],
    on: readonly (keyof Item & string)[],
    options?: WriteOptions<Schema, Item, Fields>,
  ) => Promise<FoundItem<Schema, Item, {}, Fields>[] | undefined>
}

/** The same for records that only the server writes. */
export type ReadOnlyItems<Schema, Item> = Pick<
  Items<Schema, Item>,
  'read' | 'readPage' | 'each' | 'readOne' | 'aggregate'
>

type Grouping<Item> = (keyof Item & string) | FunctionOf<Item>

/** The item of a singleton. */
export type Singleton<Schema, Item> = {
  readonly read: <const Fields extends Wanted<Schema, Item> = Everything>(
    query?: ItemQuery<Schema, Item, {}, Fields>,
    options?: RequestOptions,
  ) => Promise<FoundItem<Schema, Item, {}, Fields>>
  readonly update: <const Fields extends Wanted<Schema, Item> = Everything>(
    changes: Written<Schema, Item>,
    options?: WriteOptions<Schema, Item, Fields>,
  ) => Promise<FoundItem<Schema, Item, {}, Fields> | undefined>
}

/** Operations of the list at a path. */
const operationsAt = (path: string) => {
  const one = `${path}/{id}`
  // Contents of files are no part of a transaction.
  const keyed = path !== '/files'
  return {
    list: { method: 'GET', path, search: true },
    one: { method: 'GET', path: one },
    create: { method: 'POST', path },
    createOne: { method: 'POST', path, keyed },
    updateList: { method: 'PATCH', path },
    updateOne: { method: 'PATCH', path: one, keyed },
    deleteList: { method: 'DELETE', path },
    deleteOne: { method: 'DELETE', path: one, keyed },
  } as const satisfies { readonly [name: string]: Operation }
}

/** Fixed path parameters. */
type Fixed = { readonly [name: string]: string }

const itemsPath = '/items/{collection}'

/** The typed items of a collection. */
export function createItems<Schema, Name extends string>(
  client: Client,
  name: Name,
): Items<Schema, ItemOf<Schema, Name>> & Upserts<Schema, ItemOf<Schema, Name>> {
  const path = { collection: name }
  const { create, createOne } = operationsAt(itemsPath)
  const write = async (operation: Operation, body: unknown, on: readonly string[], options?: RequestOptions) => {
    const input = { path, body, query: { on_conflict: on } }
    return (await client.request<{ readonly data: never } | undefined>(operation, input, options))?.data as never
  }
  return {
    ...itemsAt<Schema, ItemOf<Schema, Name>>(client, itemsPath, path),
    upsert: (item, on, options) => write(createOne, item, on, options),
    upsertMany: (items, on, options) => write(create, items, on, options),
  }
}

/** Typed items of the list at a path; `fixed` are its fixed path parameters. */
export function itemsAt<Schema, Item>(client: Client, path: string, fixed: Fixed = {}): Items<Schema, Item> {
  const { list, one, create, createOne, updateList, updateOne, deleteList, deleteOne } = operationsAt(path)
  const data = async (...request: Parameters<Client['request']>): Promise<never> =>
    (await client.request<{ readonly data?: never } | undefined>(...request))?.data as never
  return {
    read: (query, options) => data(list, { path: fixed, query }, options),
    readPage: (query, options?: PageOptions) => {
      const meta = options?.counts === 'estimated' ? 'estimated_count' : '*'
      return client.request(list, { path: fixed, query: { ...query, meta } }, options)
    },
    each: (query, options) => eachItem((page, each) => data(list, { path: fixed, query: page }, each), query, options),
    readOne: (id, query, options) => data(one, { path: { ...fixed, id }, query }, options),
    aggregate: (query, options) => data(list, { path: fixed, query }, options),
    create: (body, options) => data(createOne, { path: fixed, body }, options),
    createMany: (body, options) => data(create, { path: fixed, body }, options),
    update: (id, body, options) => data(updateOne, { path: { ...fixed, id }, body }, options),
    updateMany: (target, changes, options) =>
      data(updateList, { path: fixed, body: { ...target, data: changes } }, options),
    updateEach: (body, options) => data(updateList, { path: fixed, body }, options),
    delete: (id, options) => client.request(deleteOne, { path: { ...fixed, id } }, options),
    deleteMany: (body, options) => client.request(deleteList, { path: fixed, body }, options),
  }
}

/** The typed item of a singleton. */
export const createSingleton = <Schema, Name extends string>(
  client: Client,
  name: Name,
): Singleton<Schema, ItemOf<Schema, Name>> => singletonAt(client, itemsPath, { collection: name })

/** The typed item at a path. */
export function singletonAt<Schema, Item>(client: Client, path: string, fixed: Fixed = {}): Singleton<Schema, Item> {
  const { list, updateList } = operationsAt(path)
  // Only items support SEARCH instead of a long query.
  const reading: Operation = 'collection' in fixed ? list : { method: 'GET', path }
  const { read, update } = {
    read: (query?: object, options?: RequestOptions) =>
      client.request<{ readonly data: never }>(reading, { path: fixed, query }, options),
    update: (body: object, options?: RequestOptions) =>
      client.request<{ readonly data: never } | undefined>(updateList, { path: fixed, body }, options),
  }
  return {
    read: async (query, options) => (await read(query, options)).data,
    update: async (changes, options) => (await update(changes, options))?.data,
  }
}
