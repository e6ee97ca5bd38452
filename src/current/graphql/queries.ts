/** Query fields that exist only in the system schema. */

import { ownRoles, ownUser, readOwnUser } from '../../core/accounts/users.ts'
import { hasKey, toKeys } from '../../core/rows/keys.ts'
import { readItems } from '../../core/rows/read-items.ts'
import type { QueryResolvers } from '../../generated/current-graphql-types.ts'
import { jsonOf } from '../../sql/run/read.ts'
import { collections } from '../handlers/collections.ts'
import { fields } from '../handlers/fields.ts'
import { permissions } from '../handlers/permissions.ts'
import { policies } from '../handlers/policies.ts'
import { relations } from '../handlers/relations.ts'
import { server } from '../handlers/server.ts'
import { shares } from '../handlers/shares.ts'
import { versions } from '../handlers/versions.ts'
import { printSchemaOf } from '../views/graphql-schemas.ts'
import { visiblePlace } from '../wire/collections.ts'
import { type ArgsOf, type CollectionField, dataOf, type Run, rows, toInput, value } from './named.ts'
import { toItemQuery, toListQuery } from './query.ts'

type Queries = {
  readonly [Name in Exclude<keyof QueryResolvers, CollectionField>]-?: Run<ArgsOf<Required<QueryResolvers>, Name>>
}

const usersCollection = 'platform_users'
const rolesCollection = 'platform_roles'

export const queries = {
  server_ping: async () => value('pong'),
  server_info: async (on) => value(dataOf(on, await server.readServerInfo(on.rest))),
  server_health: async (on) => value(dataOf(on, await server.readServerHealth(on.rest))),
  server_specs_oas: async (on) => value(dataOf(on, await server.readOpenApiSpec(on.rest))),
  server_specs_graphql: async ({ rest }, { scope }) => value(printSchemaOf(rest, scope ?? 'items')),

  collections: async (on) => value(dataOf(on, await collections.readCollections(on.rest, toInput(on, {})))),
  collections_by_name: async (on, { name }) =>
    value(dataOf(on, await collections.readCollection(on.rest, toInput(on, { path: { collection: name } })))),
  fields: async (on) => value(dataOf(on, await fields.readFields(on.rest))),
  fields_in_collection: async (on, path) =>
    value(dataOf(on, await fields.readCollectionFields(on.rest, toInput(on, { path })))),
  fields_by_name: async (on, path) => value(dataOf(on, await fields.readField(on.rest, toInput(on, { path })))),
  relations: async (on) => value(dataOf(on, await relations.readRelations(on.rest))),
  relations_in_collection: async (on, path) =>
    value(dataOf(on, await relations.readCollectionRelations(on.rest, toInput(on, { path })))),
  relations_by_name: async (on, path) =>
    value(dataOf(on, await relations.readRelation(on.rest, toInput(on, { path })))),

  async users_me({ ctx, asked }) {
    ownUser(ctx)
    const found = await readOwnUser(ctx, toItemQuery(asked, usersCollection, visiblePlace(ctx)))
    return rows(found?.json ?? 'null')
  },
  async roles_me({ ctx, asked }) {
    const keys = ownRoles(ctx)
    const collection = ctx.schema.collections.get(rolesCollection)
    if (collection === undefined || keys.length === 0) return rows('[]')
    const query = toListQuery({ ...asked, args: { limit: -1 } }, rolesCollection, visiblePlace(ctx))
    const filter = hasKey(collection, toKeys(collection, keys))
    return rows(jsonOf(await readItems(ctx, { ...query, filter })))
  },
  permissions_me: async (on) => value(dataOf(on, await permissions.readMyPermissions(on.rest))),
  policies_me_globals: async (on) => value(dataOf(on, await policies.readPolicyGlobals(on.rest))),
  shares_info: async (on, path) => value(dataOf(on, await shares.readShareInfo(on.rest, toInput(on, { path })))),
  versions_compare: async (on, path) =>
    value(dataOf(on, await versions.compareVersion(on.rest, toInput(on, { path })))),
} satisfies Queries
