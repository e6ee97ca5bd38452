/** The legacy generation as the mock answers it. */
import { legacyRoutes } from '../../../src/generated/legacy.ts'
import spec from '../../../src/generated/legacy-spec.json' with { type: 'json' }
import { batch } from '../../../src/legacy/batch.ts'
import { runGraphql } from '../../../src/legacy/graphql/graphql.ts'
import { assets } from '../../../src/legacy/handlers/assets.ts'
import { auth } from '../../../src/legacy/handlers/auth.ts'
import { collectionPresets } from '../../../src/legacy/handlers/collection-presets.ts'
import { collections } from '../../../src/legacy/handlers/collections.ts'
import { fields } from '../../../src/legacy/handlers/fields.ts'
import { files } from '../../../src/legacy/handlers/files.ts'
import { folders } from '../../../src/legacy/handlers/folders.ts'
import { items } from '../../../src/legacy/handlers/items.ts'
import { permissions } from '../../../src/legacy/handlers/permissions.ts'
import { relations } from '../../../src/legacy/handlers/relations.ts'
import { roles } from '../../../src/legacy/handlers/roles.ts'
import { server } from '../../../src/legacy/handlers/server.ts'
import { settings } from '../../../src/legacy/handlers/settings.ts'
import { users } from '../../../src/legacy/handlers/users.ts'
import { utils } from '../../../src/legacy/handlers/utils.ts'
import { webhooks } from '../../../src/legacy/handlers/webhooks.ts'
import { toAnyErrorBody } from '../../../src/legacy/scim/error-answers.ts'
import { surround } from '../../../src/legacy/surround.ts'
import { createView } from '../../../src/legacy/views/schema-view.ts'
import { isLegacyClient, readCredentials } from '../../../src/legacy/wire/credentials.ts'
import { type MockGeneration, only, without } from './generation.ts'

/** There is no history. */
const handlers = {
  ...without(items, ['readItemRevisions', 'readItemRevision', 'revertItem']),
  ...only(files, ['readFiles', 'readFile', 'updateFiles', 'deleteFile']),
  // Pictures are sent unchanged, regardless of the requested size.
  readAsset: ((ctx, input) => assets.readAsset(ctx, { ...input, query: {} })) satisfies typeof assets.readAsset,
  ...only(assets, ['readOriginal']),
  ...folders,
  ...only(collections, ['readCollections', 'readCollection']),
  ...only(fields, ['readFields', 'readCollectionFields', 'readField']),
  ...only(relations, ['readRelations', 'readRelation']),
  // A view of the database, which the mock does not have.
  ...without(roles, ['readUserRoles', 'readUserRole']),
  ...without(users, ['readUserRevisions', 'readUserRevision']),
  ...permissions,
  ...collectionPresets,
  ...settings,
  ...without(auth, [
    'beginProviderLogin',
    'loginByProvider',
    'finishProviderLogin',
    'finishProviderLoginByForm',
    'createAccessToken',
  ]),
  ...utils,
  ...webhooks,
  runGraphql,
  ...batch,
  ...without(server, ['runUpdate']),
}

export const legacy: MockGeneration = {
  name: 'legacy',
  spec,
  routes: legacyRoutes,
  handlers: surround(handlers),
  createView,
  toErrorBody: toAnyErrorBody,
  readCredentials,
  isClient: isLegacyClient,
}
