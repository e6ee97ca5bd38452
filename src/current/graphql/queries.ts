/** Query fields that exist only in the system schema. */

import { ownRoles, ownUser, readOwnUser } from '../../core/accounts/users.ts'
import { hasKey, toKeys } from '../../core/rows/keys.ts'
import { readItems } from '../../core/rows/read-items.ts'
import { jsonOf } from '../../domain/ports/row-store.ts'
import { auth } from '../handlers/auth.ts'
import { collections } from '../handlers/collections.ts'
import { fields } from '../handlers/fields.ts'
import { relations } from '../handlers/relations.ts'
import { schema } from '../handlers/schema.ts'
import { server } from '../handlers/server.ts'
import { keys } from '../handlers/system/keys.ts'
import { permissions } from '../handlers/system/permissions.ts'
import { policies } from '../handlers/system/policies.ts'
import { shares } from '../handlers/system/shares.ts'
import { versions } from '../handlers/system/versions.ts'
import { webhooks } from '../handlers/system/webhooks.ts'
import { printedSchemaOf } from '../views/graphql-schemas.ts'
import { specialisedSpec } from '../views/specialised-spec.ts'
import { withStoredArguments } from '../views/system-names.ts'
import { visibleScope } from '../wire/collections.ts'
import { readInteger } from '../wire/lists.ts'
import { answerOf, bodyOf, dataOf, documentOf, type QueryRuns, rows, toInput, value } from './named.ts'
import { toItemQuery, toListQuery } from './query.ts'

const usersCollection = 'platform_users'
const rolesCollection = 'platform_roles'

export const queries = {
  server_ping: async () => value('pong'),
  server_info: (on) => answerOf(on, server.readServerInfo(on.rest)),
  server_health: (on) => answerOf(on, server.readServerHealth(on.rest)),
  server_ready: (on) => answerOf(on, server.readServerReadiness(on.rest)),
  server_specs_asyncapi: (on) => answerOf(on, server.readAsyncApiSpec(on.rest)),
  server_specs_oas: async (on) => value(JSON.parse(specialisedSpec(on.rest))),
  server_specs_graphql: async ({ rest }, { scope }) => value([...printedSchemaOf(rest, scope ?? 'items')].join('')),

  collections: (on) => answerOf(on, collections.readCollections(on.rest, toInput(on, {}))),
  collections_by_name: async (on, { name }) => {
    const path = withStoredArguments({ collection: name }, on.ctx)
    return answerOf(on, collections.readCollection(on.rest, toInput(on, { path })))
  },
  fields: (on) => answerOf(on, fields.readFields(on.rest)),
  fields_in_collection: (on, path) => answerOf(on, fields.readCollectionFields(on.rest, toInput(on, { path }))),
  fields_by_name: (on, path) => answerOf(on, fields.readField(on.rest, toInput(on, { path }))),
  relations: (on) => answerOf(on, relations.readRelations(on.rest)),
  relations_in_collection: (on, path) =>
    answerOf(on, relations.readCollectionRelations(on.rest, toInput(on, { path }))),
  relations_by_name: (on, path) => answerOf(on, relations.readRelation(on.rest, toInput(on, { path }))),

  async users_me({ ctx, selected }) {
    ownUser(ctx)
    const user = await readOwnUser(ctx, toItemQuery(selected, usersCollection, visibleScope(ctx)))
    return rows(user?.json ?? 'null')
  },
  async roles_me({ ctx, selected: selectedField }) {
    const keys = ownRoles(ctx)
    const collection = ctx.schema.collections.get(rolesCollection)
    if (collection === undefined || keys.length === 0) return rows('[]')
    const query = toListQuery({ ...selectedField, args: { limit: -1 } }, rolesCollection, visibleScope(ctx))
    const filter = hasKey(collection, toKeys(collection, keys))
    return rows(jsonOf(await readItems(ctx, { ...query, filter })))
  },
  permissions_me: (on) => answerOf(on, permissions.readMyPermissions(on.rest)),
  permissions_me_item: (on, { collection, id }) =>
    id == null
      ? answerOf(on, permissions.readCollectionPermissions(on.rest, toInput(on, { path: { collection } })))
      : answerOf(on, permissions.readItemPermissions(on.rest, toInput(on, { path: { collection, id } }))),
  permissions_explain: async (on, wanted) => {
    const input = Object.entries(wanted).filter(([, each]) => each != null)
    const query = Object.fromEntries(input) as { readonly collection: string }
    return answerOf(on, permissions.explainPermissions(on.rest, toInput(on, { query })))
  },
  keys: (on, { user }) => answerOf(on, keys.readKeys(on.rest, toInput(on, { query: user == null ? {} : { user } }))),
  policies_me_globals: (on) => answerOf(on, policies.readPolicyGlobals(on.rest)),
  auth_providers: (on) => answerOf(on, auth.readProviders(on.rest, toInput(on, { query: {} }))),
  schema_snapshot: async (on, { include, exclude }) => {
    const query = {
      ...(include == null ? {} : { includeCollections: [...include] }),
      ...(exclude == null ? {} : { excludeCollections: [...exclude] }),
    }
    return answerOf(on, schema.readSchemaSnapshot(on.rest, toInput(on, { query })))
  },
  schema_diff: async (on, { snapshot, force }) => {
    const body = bodyOf('SchemaSnapshot', documentOf(snapshot))
    const query = force === true ? { force } : {}
    const reply = await schema.diffSchema(on.rest, toInput(on, { query, body }))
    return value(reply.body === null ? null : dataOf(on, reply))
  },
  shares_info: (on, path) => answerOf(on, shares.readShareInfo(on.rest, toInput(on, { path }))),
  webhooks_deliveries: async (on, { id, state, limit, offset }) => {
    const query = {
      ...(state == null ? {} : { state }),
      limit: Math.min(1000, readInteger(limit, 'limit', 1) ?? 100),
      offset: readInteger(offset, 'offset', 0) ?? 0,
    }
    return answerOf(on, webhooks.readWebhookDeliveries(on.rest, toInput(on, { path: { id: String(id) }, query })))
  },
  versions_compare: (on, path) => answerOf(on, versions.compareVersion(on.rest, toInput(on, { path }))),
} satisfies QueryRuns
