/** The current generation as the mock answers it. */

import { answerGraphql, type Special } from '../../../src/current/graphql/graphql.ts'
import { operationsWith } from '../../../src/current/graphql/over-socket.ts'
import { special as ofServer } from '../../../src/current/graphql/system.ts'
import { assets } from '../../../src/current/handlers/assets.ts'
import { auth } from '../../../src/current/handlers/auth.ts'
import { batch } from '../../../src/current/handlers/batch.ts'
import { collections } from '../../../src/current/handlers/collections.ts'
import { fields } from '../../../src/current/handlers/fields.ts'
import { files } from '../../../src/current/handlers/files.ts'
import { items } from '../../../src/current/handlers/items.ts'
import { relations } from '../../../src/current/handlers/relations.ts'
import { schema } from '../../../src/current/handlers/schema.ts'
import { server } from '../../../src/current/handlers/server.ts'
import { access } from '../../../src/current/handlers/system/access.ts'
import { comments } from '../../../src/current/handlers/system/comments.ts'
import { dashboards } from '../../../src/current/handlers/system/dashboards.ts'
import { folders } from '../../../src/current/handlers/system/folders.ts'
import { keys } from '../../../src/current/handlers/system/keys.ts'
import { notifications } from '../../../src/current/handlers/system/notifications.ts'
import { panels } from '../../../src/current/handlers/system/panels.ts'
import { permissions } from '../../../src/current/handlers/system/permissions.ts'
import { policies } from '../../../src/current/handlers/system/policies.ts'
import { presets } from '../../../src/current/handlers/system/presets.ts'
import { roles } from '../../../src/current/handlers/system/roles.ts'
import { settings } from '../../../src/current/handlers/system/settings.ts'
import { shares } from '../../../src/current/handlers/system/shares.ts'
import { translations } from '../../../src/current/handlers/system/translations.ts'
import { users } from '../../../src/current/handlers/system/users.ts'
import { versions } from '../../../src/current/handlers/system/versions.ts'
import { webhooks } from '../../../src/current/handlers/system/webhooks.ts'
import { utils } from '../../../src/current/handlers/utils.ts'
import { createView } from '../../../src/current/views/schema-view.ts'
import { withAliases } from '../../../src/current/views/system-names.ts'
import { readCredentials } from '../../../src/current/wire/credentials.ts'
import { toAnyErrorBody } from '../../../src/current/wire/scim-errors.ts'
import type { Context } from '../../../src/domain/ports/context.ts'
import { TandemError } from '../../../src/domain/rights/errors.ts'
import { type CurrentAssetsOperations, currentRoutes } from '../../../src/generated/current.ts'
import spec from '../../../src/generated/current-spec.json' with { type: 'json' }
import type { Scope } from '../../../src/graphql/schema/template.ts'
import type { Handlers } from '../../../src/http/app/handlers.ts'
import type { HttpRequest } from '../../../src/http/request/request.ts'
import { type MockGeneration, only, without } from './generation.ts'

/** GraphQL of the current generation from rows. What would need a database is refused. */
const special: Special = {
  familyOf: ofServer.familyOf,
  runNamedRoot: async (operation, resolving) => {
    const { name } = resolving.selected
    if (!needsDatabase.test(name)) return ofServer.runNamedRoot(operation, resolving)
    throw new TandemError({ kind: 'unprocessable', reason: `The mock has no database for "${name}"` })
  },
}

/** Changes of the data model, history, imports and what is about the server itself. */
const needsDatabase =
  /^((create|update|delete)_(collections|fields|relations)_|schema_(apply|diff)|server_(health|setup|specs_oas|specs_asyncapi)|utils_(sort|revert|cache_clear|import|export)|import_file|(create|update|delete)_comment$)/

/** GraphQL over sockets, with its subscriptions. */
export const graphqlOperations = operationsWith(special)

const answerIn =
  (scope: Scope) =>
  (ctx: Context, { body = null, request }: { readonly body?: unknown; readonly request: HttpRequest }) =>
    answerGraphql(ctx, { scope, request, body }, special)

const graphql = {
  runGraphql: answerIn('items'),
  runGraphqlQuery: answerIn('items'),
  runSystemGraphql: answerIn('system'),
  runSystemGraphqlQuery: answerIn('system'),
}

/** Pictures are sent unchanged, regardless of the requested transform. */
const asStored = <Input extends { readonly query: { readonly download?: string } }>({ query, ...input }: Input) => ({
  ...input,
  query: query.download === undefined ? {} : { download: query.download },
})

const assetHandlers: Pick<Handlers<CurrentAssetsOperations>, 'readAsset' | 'readNamedAsset'> = {
  readAsset: (ctx, input) => assets.readAsset(ctx, asStored(input)),
  readNamedAsset: (ctx, input) => assets.readNamedAsset(ctx, asStored(input)),
}

const handlers = {
  ...batch,
  ...access,
  ...without(auth, [
    'beginProviderLogin',
    'loginByProvider',
    'finishProviderLogin',
    'finishProviderLoginByForm',
    'finishSamlLogin',
    'readProviderMetadata',
    'beginSamlLogout',
    'finishSamlLogout',
    'finishSamlLogoutByForm',
    'finishProviderLogout',
  ]),
  ...withAliases(only(collections, ['readCollections', 'readCollection'])),
  ...withAliases(comments),
  ...dashboards,
  ...withAliases(only(fields, ['readFields', 'readCollectionFields', 'readField'])),
  ...assetHandlers,
  ...without(files, ['importFile']),
  ...folders,
  ...graphql,
  ...items,
  ...keys,
  ...withAliases(notifications),
  ...panels,
  ...withAliases(without(permissions, ['explainPermissions'])),
  ...policies,
  ...withAliases(presets),
  ...withAliases(only(relations, ['readRelations', 'readCollectionRelations', 'readRelation'])),
  ...roles,
  ...withAliases(only(schema, ['readSchemaSnapshot'])),
  ...only(server, ['pingServer', 'readServerInfo', 'readGraphqlSpec', 'readScopedGraphqlSpec']),
  ...settings,
  ...withAliases(shares),
  ...translations,
  ...users,
  ...only(utils, ['createRandomString', 'hashString', 'matchHash']),
  ...withAliases(versions),
  // Nothing is delivered.
  ...withAliases(
    without(webhooks, ['readWebhookDeliveries', 'replayWebhook', 'replayWebhookDelivery', 'rotateWebhookSecret']),
  ),
}

export const current: MockGeneration = {
  name: 'current',
  spec,
  routes: currentRoutes,
  handlers,
  createView,
  toErrorBody: toAnyErrorBody,
  readCredentials,
}
