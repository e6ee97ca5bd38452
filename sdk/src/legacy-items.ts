/** Typed items of the legacy generation. */
import type { Client, Operation, RequestOptions } from './client.ts'
import type { CheckedFields, FieldOf, LegacyCreated, LegacyWritten, Selected } from './types/fields.ts'
import type { ParsedFields } from './types/legacy-filter.ts'
import type { LegacySelecting } from './types/query.ts'
import type { ItemOf } from './types/schema.ts'

type Key = string | number

/** `fields` as a list of names and nested objects, or as a comma-separated text. */
type Asked<Schema, Item> = readonly FieldOf<Schema, Item>[] | string

type Entries<Fields> = Fields extends string ? ParsedFields<Fields> : Fields

type CheckedAsked<Schema, Item, Fields> = Fields extends string
  ? ParsedFields<Fields> extends readonly FieldOf<Schema, Item>[]
    ? ParsedFields<Fields> extends CheckedFields<Schema, Item, ParsedFields<Fields>>
      ? unknown
      : never
    : never
  : CheckedFields<Schema, Item, Fields>

type Found<Schema, Item, Fields> =
  Entries<Fields> extends readonly (infer Field)[] ? Selected<Schema, Item, Field> : never

type ItemQuery<Schema, Item, Fields> = { readonly fields?: Fields & CheckedAsked<Schema, Item, Fields> }

/** Metadata of a page. */
type Meta = { readonly [name: string]: unknown }

/** Reads and writes of a collection. Writes resolve to undefined if the caller may not read the result. */
export type LegacyItems<Schema, Item> = {
  readonly read: <const Fields extends Asked<Schema, Item> = '*'>(
    query?: ItemQuery<Schema, Item, Fields> & LegacySelecting<Item>,
    options?: RequestOptions,
  ) => Promise<Found<Schema, Item, Fields>[]>
  readonly readPage: <const Fields extends Asked<Schema, Item> = '*'>(
    query?: ItemQuery<Schema, Item, Fields> & LegacySelecting<Item>,
    options?: RequestOptions,
  ) => Promise<{ readonly data: Found<Schema, Item, Fields>[]; readonly meta: Meta }>
  readonly readOne: <const Fields extends Asked<Schema, Item> = '*'>(
    key: Key,
    query?: ItemQuery<Schema, Item, Fields>,
    options?: RequestOptions,
  ) => Promise<Found<Schema, Item, Fields>>
  readonly create: (
    item: LegacyCreated<Schema, Item>,
    options?: RequestOptions,
  ) => Promise<Selected<Schema, Item, '*'> | undefined>
  readonly createMany: (
    items: readonly LegacyCreated<Schema, Item>[],
    options?: RequestOptions,
  ) => Promise<Selected<Schema, Item, '*'>[] | undefined>
  readonly update: (
    key: Key,
    changes: LegacyWritten<Schema, Item>,
    options?: RequestOptions,
  ) => Promise<Selected<Schema, Item, '*'> | undefined>
  readonly updateMany: (
    keys: readonly Key[],
    changes: LegacyWritten<Schema, Item>,
    options?: RequestOptions,
  ) => Promise<Selected<Schema, Item, '*'>[] | undefined>
  /** Different changes for each item; each contains its key. */
  readonly updateEach: (
    items: readonly LegacyWritten<Schema, Item>[],
    options?: RequestOptions,
  ) => Promise<Selected<Schema, Item, '*'>[] | undefined>
  readonly delete: (key: Key, options?: RequestOptions) => Promise<void>
  readonly deleteMany: (keys: readonly Key[], options?: RequestOptions) => Promise<void>
}

const path = '/{project}/items/{collection}'
const list = { method: 'GET', path } satisfies Operation
const one = { method: 'GET', path: `${path}/{id}` } satisfies Operation
const create = { method: 'POST', path } satisfies Operation
const updateList = { method: 'PATCH', path } satisfies Operation
const updateOne = { ...one, method: 'PATCH' } satisfies Operation
const deleteOne = { ...one, method: 'DELETE' } satisfies Operation

/** Typed items of a collection. Several keys are sent as a comma-separated list in the path. */
export function createLegacyItems<Schema, Name extends string>(
  client: Client,
  collection: Name,
): LegacyItems<Schema, ItemOf<Schema, Name>> {
  const data = async (...request: Parameters<Client['request']>): Promise<never> =>
    (await client.request<{ readonly data?: never } | undefined>(...request))?.data as never
  return {
    read: (query, options) => data(list, { path: { collection }, query }, options),
    readPage: (query, options) =>
      client.request(list, { path: { collection }, query: { ...query, meta: '*' } }, options),
    readOne: (id, query, options) => data(one, { path: { collection, id }, query }, options),
    create: (body, options) => data(create, { path: { collection }, body }, options),
    createMany: (body, options) => data(create, { path: { collection }, body }, options),
    update: (id, body, options) => data(updateOne, { path: { collection, id }, body }, options),
    updateMany: (keys, body, options) => data(updateOne, { path: { collection, id: keys.join(',') }, body }, options),
    updateEach: (body, options) => data(updateList, { path: { collection }, body }, options),
    delete: async (id, options) => void (await client.request(deleteOne, { path: { collection, id } }, options)),
    deleteMany: async (keys, options) =>
      void (await client.request(deleteOne, { path: { collection, id: keys.join(',') } }, options)),
  }
}
