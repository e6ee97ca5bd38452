/** The data of react-admin: items of collections and records of the platform, by the SDK. */
import type { DataProvider, GetListParams, Identifier, RaRecord } from 'react-admin'
import { client, type Row } from '../client.ts'
import { type Collection, ofResource } from '../model/model.ts'
import { toName } from '../model/names.ts'
import { currentModel } from './auth-provider.ts'
import { type Changed, toChanges, toNew, withNames, withoutShown } from './changes.ts'
import { forgetDraftsOf } from './drafts.ts'
import { toHttpError } from './errors.ts'
import { rememberWrite } from './own-writes.ts'
import { failWrite } from './session-end.ts'
import { ifMatch, rememberTag } from './tags.ts'

/** What a list asks for besides page and order. */
export type ListFilter = { readonly q?: string; readonly where?: object; readonly and?: object }

type Meta = { readonly fields?: readonly string[]; readonly force?: boolean } | undefined

type Endpoint = {
  readonly path: string
  readonly values: { readonly collection?: string }
  readonly collection: Collection | null
}

/** `content/<collection>` and `system/<collection>` as the paths of the API. */
async function placeOf(resource: string): Promise<Endpoint> {
  const collection = ofResource(await currentModel(), resource) ?? null
  if (resource.startsWith('system/')) return { path: `/${resource.slice('system/'.length)}`, values: {}, collection }
  return { path: '/items/{collection}', values: { collection: collection?.name ?? '' }, collection }
}

/** Columns that can be read; relations to many have ways of their own. */
const fieldsOf = (collection: Collection | null, meta: Meta): readonly string[] => {
  if (meta?.fields !== undefined) return meta.fields
  if (collection?.key !== '$key') return ['*']
  return ['*', '$key']
}

const withId = (collection: Collection | null, row: Row, position = 0): RaRecord => {
  const key = collection === null ? 'id' : collection.key
  return { ...row, id: (key === null ? position : row[key]) as Identifier }
}

/** What a form says of an item, by the names of fields. */
const named = (collection: Collection | null, data: Row): Row =>
  collection === null ? data : withNames(data, ['id', ...collection.fields.map(({ field }) => field)])

/** The parameters of a list's search and filter. */
export const filterOf = ({ q, where, and }: ListFilter, seen?: object): { search?: string; filter?: object } => {
  const parts = [where, and, seen].filter((each) => each !== undefined && Object.keys(each).length > 0)
  return { ...(q && { search: q }), ...(parts.length > 0 && { filter: { _and: parts } }) }
}

/** `written`: the resource that the work changes. */
async function ask<Answer>(work: () => Promise<Answer>, written?: string): Promise<Answer> {
  if (written !== undefined) rememberWrite(written)
  try {
    return await work()
  } catch (error) {
    if (written === undefined) throw toHttpError(error)
    return await failWrite(toHttpError(error))
  } finally {
    if (written !== undefined) rememberWrite(written)
  }
}

type Page = { readonly data: readonly Row[]; readonly meta?: { readonly filter_count?: number } }

async function readList(resource: string, params: GetListParams, more?: object) {
  const { path, values, collection } = await placeOf(resource)
  const { pagination: { page, perPage } = { page: 1, perPage: 25 }, sort, filter } = params
  const key = collection === null ? 'id' : collection.key
  const order = sort === undefined ? null : sort.field === 'id' ? key : sort.field
  const query = {
    fields: fieldsOf(collection, params.meta as Meta),
    limit: perPage,
    page,
    meta: 'filter_count',
    ...(order !== null && order !== '$key' && { sort: [`${sort?.order === 'DESC' ? '-' : ''}${toName(order)}`] }),
    ...filterOf({ ...(filter as ListFilter), ...(more !== undefined && { and: more }) }, collection?.readFilter),
  }
  const operation = { method: 'GET', path, search: true }
  const { data, meta } = await ask(() => client.request<Page>(operation, { path: values, query }))
  return { data: data.map((row, at) => withId(collection, row, at)), total: meta?.filter_count ?? data.length }
}

type One = { readonly data: Row }

export const dataProvider = {
  getList: (resource, params) => readList(resource, params),

  async getOne(resource, { id, meta }) {
    const { path, values, collection } = await placeOf(resource)
    const operation = { method: 'GET', path: `${path}/{id}` }
    const input = { path: { ...values, id: String(id) }, query: { fields: fieldsOf(collection, meta as Meta) } }
    const response = await ask(() => client.send(operation, input))
    rememberTag(resource, id, response)
    const { data } = (await response.json()) as One
    return { data: { ...withId(collection, data), id } }
  },

  async getMany(resource, { ids, meta }) {
    const { path, values, collection } = await placeOf(resource)
    const key = collection?.key ?? 'id'
    const filter = { [key]: { _in: ids } }
    const query = { fields: fieldsOf(collection, meta as Meta), filter, limit: ids.length }
    const operation = { method: 'GET', path, search: true }
    const { data } = await ask(() => client.request<Page>(operation, { path: values, query }))
    return { data: data.map((row) => withId(collection, row)) }
  },

  getManyReference: (resource, { target, id, ...params }) => readList(resource, params, { [target]: { _eq: id } }),

  async create(resource, { data, meta }) {
    const { path, values, collection } = await placeOf(resource)
    const query = { fields: fieldsOf(collection, meta as Meta) }
    const input = { path: values, body: withoutShown(toNew(named(collection, data as Row))), query }
    const answer = await ask(() => client.request<One | undefined>({ method: 'POST', path }, input), resource)
    forgetDraftsOf(resource, null)
    // Who may create but not read gets no answer.
    return { data: withId(collection, answer?.data ?? (data as Row)) }
  },

  async update(resource, { id, data, previousData, meta }) {
    const { path, values, collection } = await placeOf(resource)
    const body = withoutShown(toChanges(named(collection, data as Changed), previousData as Row | undefined))
    const headers = (meta as Meta)?.force === true ? {} : ifMatch(resource, id)
    const input = { path: { ...values, id: String(id) }, body, query: { fields: fieldsOf(collection, undefined) } }
    const operation = { method: 'PATCH', path: `${path}/{id}` }
    const response = await ask(() => client.send(operation, input, { headers }), resource)
    rememberTag(resource, id, response)
    forgetDraftsOf(resource, id)
    const answer = response.status === 204 ? null : ((await response.json()) as One)
    return { data: answer === null ? { ...previousData, ...data, id } : { ...withId(collection, answer.data), id } }
  },

  async updateMany(resource, { ids, data }) {
    const { path, values } = await placeOf(resource)
    const body = { keys: ids, data }
    await ask(() => client.request({ method: 'PATCH', path }, { path: values, body }), resource)
    return { data: [...ids] }
  },

  async delete(resource, { id, previousData }) {
    const { path, values } = await placeOf(resource)
    const operation = { method: 'DELETE', path: `${path}/{id}` }
    await ask(() => client.request(operation, { path: { ...values, id: String(id) } }), resource)
    return { data: (previousData ?? { id }) as RaRecord }
  },

  async deleteMany(resource, { ids }) {
    const { path, values } = await placeOf(resource)
    await ask(() => client.request({ method: 'DELETE', path }, { path: values, body: ids }), resource)
    return { data: [...ids] }
  },
} as DataProvider
