import { showNamesIn } from '../domain/model/system-spelling.ts'
import { type LegacyOperations, legacyRoutes } from '../generated/legacy.ts'
import spec from '../generated/legacy-spec.json' with { type: 'json' }
import type { GenerationDefinition } from '../http/app/generation.ts'
import type { Handlers } from '../http/app/handlers.ts'
import { withSpelledNames } from '../http/reply/spelled-names.ts'
import { batch } from './batch.ts'
import { graphql } from './graphql/operations.ts'
import { activity } from './handlers/activity.ts'
import { assets } from './handlers/assets.ts'
import { auth } from './handlers/auth.ts'
import { collectionPresets } from './handlers/collection-presets.ts'
import { collections } from './handlers/collections.ts'
import { extensions } from './handlers/extensions.ts'
import { fields } from './handlers/fields.ts'
import { files } from './handlers/files.ts'
import { folders } from './handlers/folders.ts'
import { items } from './handlers/items.ts'
import { mail } from './handlers/mail.ts'
import { permissions } from './handlers/permissions.ts'
import { projects } from './handlers/projects.ts'
import { relations } from './handlers/relations.ts'
import { revisions } from './handlers/revision-entries.ts'
import { roles } from './handlers/roles.ts'
import { server } from './handlers/server.ts'
import { settings } from './handlers/settings.ts'
import { users } from './handlers/users.ts'
import { utils } from './handlers/utils.ts'
import { webhooks } from './handlers/webhooks.ts'
import { installationImport } from './import/version-eight.ts'
import { retirement } from './retirement.ts'
import { toAnyErrorBody } from './scim/error-answers.ts'
import { scimHandlers } from './scim/handlers.ts'
import { surround } from './surround.ts'
import { createView } from './views/schema-view.ts'
import { otherNames } from './views/system-fields.ts'
import { findProject, isLegacyClient, namesProject, readCredentials } from './wire/credentials.ts'

const handlers = {
  ...withSpelledNames({ ...collections, ...fields, ...relations, ...permissions, ...settings }),
  ...items,
  ...files,
  ...folders,
  ...roles,
  ...users,
  ...activity,
  ...revisions,
  ...collectionPresets,
  ...webhooks,
  ...assets,
  ...auth,
  ...batch,
  ...mail,
  ...utils,
  ...extensions,
  ...graphql,
  ...scimHandlers,
  ...server,
  ...projects,
} satisfies Handlers<LegacyOperations>

/** Paths without a project that clients of this generation request and that are not served. */
const unserved = /^\/(?:(?:interfaces|layouts|pages|modules|types|projects)(?:\/|$)|server\/projects(?:\/|$))/i

/** The legacy generation, for `app.ts`. */
export const legacyGeneration: GenerationDefinition = {
  name: 'legacy',
  spec,
  routes: legacyRoutes,
  handlers: surround(handlers),
  toErrorBody: toAnyErrorBody,
  readCredentials,
  readProject: findProject,
  isMeant: (request, isElsewhere) => unserved.test(request.path) || (!isElsewhere && namesProject(request)),
  isClient: isLegacyClient,
  rateHeaders: ({ limit, remaining, resetAfter }) => ({
    'x-ratelimit-limit': String(limit),
    'x-ratelimit-remaining': String(remaining),
    // Seconds since 1970.
    'x-ratelimit-reset': String(Math.ceil((Date.now() + resetAfter) / 1000)),
  }),
  otherNames: otherNames(),
  createView: (schema) => createView(schema),
  spell: (prefix) => ({
    ...legacyGeneration,
    spec: showNamesIn(legacyGeneration.spec, prefix),
    createView: (schema) => createView(schema, prefix),
    toErrorBody(...failed) {
      const answer = toAnyErrorBody(...failed)
      return { ...answer, body: showNamesIn(answer.body, prefix) }
    },
  }),
  installationImport,
  webhookFormat: 'item',
  retirement,
}
