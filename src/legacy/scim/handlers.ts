/** SCIM 2.0: users and groups for identity providers (RFC 7643, RFC 7644). */
import { notFound } from '../../core/rows/keys.ts'
import type { Context } from '../../domain/ports/context.ts'
import { matchAll } from '../../domain/query/filter.ts'
import type { Key } from '../../domain/query/key.ts'
import type { components, LegacyScimOperations } from '../../generated/legacy.ts'
import type { Handlers } from '../../http/app/handlers.ts'
import { empty, type Json, type Reply, withHeaders } from '../../http/reply/reply.ts'
import type { HttpRequest } from '../../http/request/request.ts'
import type { Row } from '../../sql/run/read.ts'
import { assertExplained } from '../handlers/answers.ts'
import { type Attributes, groupAttributes, userAttributes } from './attributes.ts'
import { describeResourceTypes, describeSchemas, describeService } from './discovery.ts'
import { scimMedia } from './errors.ts'
import { parseScimFilter } from './filter.ts'
import { groupResource, toGroup } from './groups.ts'
import { type AttributeSelection, mostPerPage, type ScimGroup, type ScimUser, type Site, wantedBy } from './resource.ts'
import { assertOpen, type Resource, readOne, readPage, readWritten } from './rows.ts'
import { toUser, userResource } from './users.ts'
import {
  archiveUser,
  createGroup,
  createUser,
  deleteGroup,
  patchGroup,
  patchUser,
  replaceGroup,
  replaceUser,
} from './writes.ts'

const scim = <Value, const Status extends number = 200>(
  value: Value,
  status: Status = 200 as Status,
): Reply<Status, Json<Value>> => ({ status, body: { kind: 'json', value, type: `${scimMedia}; charset=utf-8` } })

type Kind<Shown> = {
  readonly resource: Resource
  readonly attributes: Attributes
  readonly show: (site: Site, row: Row, wants: (name: string) => boolean) => Shown
}

const aUser = { resource: userResource, attributes: userAttributes, show: toUser } as const
const aGroup = { resource: groupResource, attributes: groupAttributes, show: toGroup } as const

type ListRequest = AttributeSelection & {
  readonly filter?: string
  readonly startIndex?: number
  readonly count?: number
}

async function answerPage<Shown>(site: Site, { resource, attributes, show }: Kind<Shown>, request: ListRequest) {
  const wants = wantedBy(request)
  const filter = request.filter === undefined ? matchAll : parseScimFilter(request.filter, attributes)
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
  site: Site,
  { resource, show }: Kind<Shown>,
  id: string,
  selection: AttributeSelection,
) {
  const wants = wantedBy(selection)
  return scim(show(site, await readOne(site.ctx, resource, id, wants), wants))
}

type Writing = { readonly kind: 'create' | 'update' | 'delete'; readonly work: () => Promise<Key> }

async function answerWritten<Shown extends ScimUser | ScimGroup, const Status extends number = 200>(
  site: Site,
  { resource, show }: Kind<Shown>,
  { kind, work }: Writing,
  status: Status = 200 as Status,
) {
  assertExplained(site.ctx, { kind, collection: resource.collection }, site.request)
  const row = await readWritten(site.ctx, resource, await work())
  if (row === null) return empty()
  const shown = show(site, row, () => true)
  const reply = scim(shown, status)
  return status === 201 ? withHeaders(reply, { location: shown.meta?.location ?? '' }) : reply
}

async function answerGone({ ctx, request }: Site, { resource }: Kind<unknown>, work: () => Promise<void>) {
  assertExplained(
    ctx,
    { kind: resource === userResource ? 'update' : 'delete', collection: resource.collection },
    request,
  )
  await work()
  return empty()
}

type Document = components['schemas']['ScimDocument']

/** Descriptions of SCIM itself, for those who may read users. */
function answerDocuments(ctx: Context, request: HttpRequest, describe: (site: Site) => readonly Document[]) {
  assertOpen(ctx, userResource, 'read')
  return describe({ ctx, request })
}

function documentNamed(documents: readonly Document[], id: string): Document {
  const found = documents.find((each) => String(each['id']).toLowerCase() === id.toLowerCase())
  if (found === undefined) throw notFound('scim')
  return found
}

export const scimHandlers = {
  readScimUsers: (ctx, { query, request }) => answerPage({ ctx, request }, aUser, query),

  readScimUser: (ctx, { path, query, request }) => answerOne({ ctx, request }, aUser, path.id, query),

  createScimUser: (ctx, { body, request }) =>
    answerWritten({ ctx, request }, aUser, { kind: 'create', work: () => createUser(ctx, body) }, 201),

  replaceScimUser: (ctx, { path, body, request }) =>
    answerWritten({ ctx, request }, aUser, { kind: 'update', work: () => replaceUser(ctx, path.id, body) }),

  updateScimUser: (ctx, { path, body, request }) =>
    answerWritten({ ctx, request }, aUser, { kind: 'update', work: () => patchUser(ctx, path.id, body) }),

  deleteScimUser: (ctx, { path, request }) => answerGone({ ctx, request }, aUser, () => archiveUser(ctx, path.id)),

  readScimGroups: (ctx, { query, request }) => answerPage({ ctx, request }, aGroup, query),

  readScimGroup: (ctx, { path, query, request }) => answerOne({ ctx, request }, aGroup, path.id, query),

  createScimGroup: (ctx, { body, request }) =>
    answerWritten({ ctx, request }, aGroup, { kind: 'create', work: () => createGroup(ctx, body) }, 201),

  replaceScimGroup: (ctx, { path, body, request }) =>
    answerWritten({ ctx, request }, aGroup, { kind: 'update', work: () => replaceGroup(ctx, path.id, body) }),

  updateScimGroup: (ctx, { path, body, request }) =>
    answerWritten({ ctx, request }, aGroup, { kind: 'update', work: () => patchGroup(ctx, path.id, body) }),

  deleteScimGroup: (ctx, { path, request }) => answerGone({ ctx, request }, aGroup, () => deleteGroup(ctx, path.id)),

  async readScimConfig(ctx, { request }) {
    const [config = {}] = answerDocuments(ctx, request, describeService)
    return scim(config)
  },

  readScimResourceTypes: async (ctx, { request }) => scim(listOf(answerDocuments(ctx, request, describeResourceTypes))),

  readScimResourceType: async (ctx, { path, request }) =>
    scim(documentNamed(answerDocuments(ctx, request, describeResourceTypes), path.id)),

  readScimSchemas: async (ctx, { request }) => scim(listOf(answerDocuments(ctx, request, describeSchemas))),

  readScimSchema: async (ctx, { path, request }) =>
    scim(documentNamed(answerDocuments(ctx, request, describeSchemas), path.id)),
} satisfies Handlers<LegacyScimOperations>
