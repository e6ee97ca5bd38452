/** SCIM 2.0: users and groups for identity providers (RFC 7643, RFC 7644). */

import { notFound } from '../core/rows/keys.ts'
import type { Context } from '../domain/ports/context.ts'
import type { Row } from '../domain/ports/row-store.ts'
import { type Filter, matchAll } from '../domain/query/filter.ts'
import type { Key } from '../domain/query/key.ts'
import { empty, type Json, type Reply, withHeaders } from '../http/reply/reply.ts'
import type { HttpRequest } from '../http/request/request.ts'
import { type Attributes, groupAttributes, ofNoProvider, userAttributes } from './attributes.ts'
import { describeResourceTypes, describeSchemas, describeService } from './discovery.ts'
import { scimMedia } from './errors.ts'
import { parseScimFilter } from './filter.ts'
import { groupResource, toGroup } from './groups.ts'
import { type AttributeSelection, mostPerPage, type ScimContext, wantedBy } from './resource.ts'
import { assertOpen, type Resource, readable, readOne, readPage, readWritten } from './rows.ts'
import type { Document, ScimChanges, ScimGroup, ScimGroupInput, ScimUser, ScimUserInput } from './types.ts'
import { toUser, userResource } from './users.ts'
import {
  archiveUser,
  createGroup,
  createUser,
  deleteGroup,
  patchGroup,
  patchUser,
  type RoleWriter,
  replaceGroup,
  replaceUser,
} from './writes.ts'

const scim = <Value, const Status extends number = 200>(
  value: Value,
  status: Status = 200 as Status,
): Reply<Status, Json<Value>> => ({ status, body: { kind: 'json', value, type: `${scimMedia}; charset=utf-8` } })

/** A write that is about to happen. */
export type ScimWrite = {
  readonly kind: 'create' | 'update' | 'delete'
  readonly collection: Resource['collection']
}

/** Behaviour that differs between the generations. */
export type ScimGeneration = {
  readonly base: (ctx: Context) => string
  /** The context with the rights of the caller. */
  readonly open: (ctx: Context) => Promise<Context>
  /** Refuses writes that lack what the generation demands. */
  readonly before: (ctx: Context, write: ScimWrite, request: HttpRequest) => void
  readonly createRoles: RoleWriter
}

type OpenSite = ScimContext & { readonly before: (write: ScimWrite) => void }

type Kind<Shown> = {
  readonly resource: Resource
  readonly attributes: (among: Filter) => Attributes
  readonly show: (site: ScimContext, row: Row, wants: (name: string) => boolean) => Shown
}

const aUser = { resource: userResource, attributes: userAttributes, show: toUser } as const
const aGroup = { resource: groupResource, attributes: groupAttributes, show: toGroup } as const

type ListRequest = AttributeSelection & {
  readonly filter?: string
  readonly startIndex?: number
  readonly count?: number
}

async function answerPage<Shown>(site: ScimContext, { resource, attributes, show }: Kind<Shown>, request: ListRequest) {
  const wants = wantedBy(request)
  // Who may not read providers compares external ids alone.
  const among = readable(site.ctx, 'platform_users', ['provider']).length > 0 ? ofNoProvider : matchAll
  const filter = request.filter === undefined ? matchAll : parseScimFilter(request.filter, attributes(among))
  const startIndex = Math.max(1, request.startIndex ?? 1)
  const limit = Math.min(mostPerPage, Math.max(0, request.count ?? mostPerPage))
  const page = { limit, offset: startIndex - 1 }
  const { rows, total } = await readPage(site.ctx, resource, { filter, page, wants })
  return scim(
    listOf(
      rows.map((row) => show(site, row, wants)),
      { totalResults: total, startIndex },
    ),
  )
}

function listOf<Shown>(shown: readonly Shown[], { totalResults = shown.length, startIndex = 1 } = {}) {
  const schemas = ['urn:ietf:params:scim:api:messages:2.0:ListResponse']
  return { schemas, totalResults, startIndex, itemsPerPage: shown.length, Resources: [...shown] }
}

async function answerOne<Shown>(
  site: ScimContext,
  { resource, show }: Kind<Shown>,
  id: string,
  selection: AttributeSelection,
) {
  const wants = wantedBy(selection)
  return scim(show(site, await readOne(site.ctx, resource, id, wants), wants))
}

type ScimWriteOptions = { readonly kind: 'create' | 'update' | 'delete'; readonly work: () => Promise<Key> }

async function answerWritten<Shown extends ScimUser | ScimGroup, const Status extends number = 200>(
  site: OpenSite,
  { resource, show }: Kind<Shown>,
  { kind, work }: ScimWriteOptions,
  status: Status = 200 as Status,
) {
  site.before({ kind, collection: resource.collection })
  const row = await readWritten(site.ctx, resource, await work())
  if (row === null) return empty()
  const shown = show(site, row, () => true)
  const reply = scim(shown, status)
  return status === 201 ? withHeaders(reply, { location: shown.meta?.location ?? '' }) : reply
}

async function answerGone({ before }: OpenSite, { resource }: Kind<unknown>, work: () => Promise<void>) {
  before({ kind: resource === userResource ? 'update' : 'delete', collection: resource.collection })
  await work()
  return empty()
}

/** Descriptions of SCIM itself, for those who may read users. */
function answerDocuments(site: ScimContext, describe: (site: ScimContext) => readonly Document[]) {
  assertOpen(site.ctx, userResource, 'read')
  return describe(site)
}

function documentNamed(documents: readonly Document[], id: string): Document {
  const document = documents.find((each) => String(each['id']).toLowerCase() === id.toLowerCase())
  if (document === undefined) throw notFound('scim')
  return document
}

type ScimRequest = { readonly request: HttpRequest }
type ScimItemRequest = ScimRequest & { readonly path: { readonly id: string } }

export function createScimHandlers({ base, open, before, createRoles }: ScimGeneration) {
  const siteOf = async (wanted: Context, { request }: ScimRequest): Promise<OpenSite> => {
    const ctx = await open(wanted)
    return { ctx, request, base: base(ctx), before: (write) => before(ctx, write, request) }
  }
  const users = resourceHandlers(siteOf, aUser, {
    create: (ctx, body: ScimUserInput) => createUser(ctx, body),
    replace: replaceUser,
    patch: patchUser,
    remove: archiveUser,
  })
  const groups = resourceHandlers(siteOf, aGroup, {
    create: (ctx, body: ScimGroupInput) => createGroup(ctx, body, createRoles),
    replace: replaceGroup,
    patch: patchGroup,
    remove: deleteGroup,
  })
  return {
    readScimUsers: users.readMany,
    readScimUser: users.readOne,
    createScimUser: users.create,
    replaceScimUser: users.replace,
    updateScimUser: users.update,
    deleteScimUser: users.remove,
    readScimGroups: groups.readMany,
    readScimGroup: groups.readOne,
    createScimGroup: groups.create,
    replaceScimGroup: groups.replace,
    updateScimGroup: groups.update,
    deleteScimGroup: groups.remove,
    ...documentHandlers(siteOf),
  }
}

type SiteOf = (ctx: Context, scimRequest: ScimRequest) => Promise<OpenSite>

type Writes<Input> = {
  readonly create: (ctx: Context, input: Input) => Promise<Key>
  readonly replace: (ctx: Context, id: string, input: Input) => Promise<Key>
  readonly patch: (ctx: Context, id: string, changes: ScimChanges) => Promise<Key>
  readonly remove: (ctx: Context, id: string) => Promise<void>
}

const resourceHandlers = <Shown extends ScimUser | ScimGroup, Input>(
  siteOf: SiteOf,
  kind: Kind<Shown>,
  { create, replace, patch, remove }: Writes<Input>,
) => ({
  readMany: async (ctx: Context, wanted: ScimRequest & { query: ListRequest }) => {
    return answerPage(await siteOf(ctx, wanted), kind, wanted.query)
  },

  readOne: async (ctx: Context, wanted: ScimItemRequest & { query: AttributeSelection }) => {
    return answerOne(await siteOf(ctx, wanted), kind, wanted.path.id, wanted.query)
  },

  create: async (ctx: Context, wanted: ScimRequest & { body: Input }) => {
    const site = await siteOf(ctx, wanted)
    return answerWritten(site, kind, { kind: 'create', work: () => create(site.ctx, wanted.body) }, 201)
  },

  replace: async (ctx: Context, wanted: ScimItemRequest & { body: Input }) => {
    const site = await siteOf(ctx, wanted)
    const work = () => replace(site.ctx, wanted.path.id, wanted.body)
    return answerWritten(site, kind, { kind: 'update', work })
  },

  update: async (ctx: Context, wanted: ScimItemRequest & { body: ScimChanges }) => {
    const site = await siteOf(ctx, wanted)
    return answerWritten(site, kind, { kind: 'update', work: () => patch(site.ctx, wanted.path.id, wanted.body) })
  },

  remove: async (ctx: Context, wanted: ScimItemRequest) => {
    const site = await siteOf(ctx, wanted)
    return answerGone(site, kind, () => remove(site.ctx, wanted.path.id))
  },
})

const documentHandlers = (siteOf: SiteOf) => ({
  async readScimConfig(ctx: Context, scimRequest: ScimRequest) {
    const [config = {}] = answerDocuments(await siteOf(ctx, scimRequest), describeService)
    return scim(config)
  },

  readScimResourceTypes: async (ctx: Context, wanted: ScimRequest) =>
    scim(listOf(answerDocuments(await siteOf(ctx, wanted), describeResourceTypes))),

  readScimResourceType: async (ctx: Context, askedOne: ScimItemRequest) =>
    scim(documentNamed(answerDocuments(await siteOf(ctx, askedOne), describeResourceTypes), askedOne.path.id)),

  readScimSchemas: async (ctx: Context, requested: ScimRequest) =>
    scim(listOf(answerDocuments(await siteOf(ctx, requested), describeSchemas))),

  readScimSchema: async (ctx: Context, itemRequest: ScimItemRequest) =>
    scim(documentNamed(answerDocuments(await siteOf(ctx, itemRequest), describeSchemas), itemRequest.path.id)),
})
