import { showNamesIn } from '../domain/model/system-spelling.ts'
import { type CurrentOperations, currentRoutes } from '../generated/current.ts'
import spec from '../generated/current-spec.json' with { type: 'json' }
import type { GenerationDefinition } from '../http/app/generation.ts'
import type { Handlers } from '../http/app/handlers.ts'
import { configurationModel } from './configuration/configuration.ts'
import { graphql, openOperations } from './graphql/operations.ts'
import { assets } from './handlers/assets.ts'
import { auth } from './handlers/auth.ts'
import { batch } from './handlers/batch.ts'
import { collections } from './handlers/collections.ts'
import { configuration } from './handlers/configuration.ts'
import { fields } from './handlers/fields.ts'
import { files } from './handlers/files.ts'
import { items } from './handlers/items.ts'
import { mcp } from './handlers/mcp.ts'
import { relations } from './handlers/relations.ts'
import { schema } from './handlers/schema.ts'
import { scim } from './handlers/scim.ts'
import { server } from './handlers/server.ts'
import { access } from './handlers/system/access.ts'
import { activity } from './handlers/system/activity.ts'
import { comments } from './handlers/system/comments.ts'
import { dashboards } from './handlers/system/dashboards.ts'
import { flows } from './handlers/system/flows.ts'
import { folders } from './handlers/system/folders.ts'
import { keys } from './handlers/system/keys.ts'
import { notifications } from './handlers/system/notifications.ts'
import { panels } from './handlers/system/panels.ts'
import { permissions } from './handlers/system/permissions.ts'
import { policies } from './handlers/system/policies.ts'
import { presets } from './handlers/system/presets.ts'
import { revisions } from './handlers/system/revisions.ts'
import { roles } from './handlers/system/roles.ts'
import { settings } from './handlers/system/settings.ts'
import { shares } from './handlers/system/shares.ts'
import { sync } from './handlers/system/sync.ts'
import { translations } from './handlers/system/translations.ts'
import { users } from './handlers/system/users.ts'
import { versions } from './handlers/system/versions.ts'
import { webhooks } from './handlers/system/webhooks.ts'
import { uploads } from './handlers/uploads.ts'
import { usage } from './handlers/usage.ts'
import { utils } from './handlers/utils.ts'
import { projectImport } from './import/project-import.ts'
import { messages } from './realtime/messages.ts'
import { modelFiles, spelledModelFiles } from './sync/model-files.ts'
import { createView } from './views/schema-view.ts'
import { withAliases, withAliasesInPath, withSystemNames } from './views/system-names.ts'
import { readCredentials, readProject } from './wire/credentials.ts'
import { toAnyErrorBody } from './wire/scim-errors.ts'
import { endedCookie } from './wire/session-reply.ts'

const handlers = {
  ...access,
  ...withAliases(activity),
  ...assets,
  ...auth,
  ...batch,
  ...withSystemNames(collections),
  ...withAliases(comments),
  ...withSystemNames(configuration),
  ...dashboards,
  ...withSystemNames(fields),
  ...files,
  ...folders,
  ...flows,
  ...graphql,
  ...items,
  ...mcp,
  ...keys,
  ...withAliases(notifications),
  ...panels,
  ...withSystemNames(permissions),
  ...withAliases(policies),
  ...withAliases(presets),
  ...withSystemNames(relations),
  ...withAliases(revisions),
  ...roles,
  ...withSystemNames(schema),
  ...scim,
  ...server,
  ...settings,
  ...withSystemNames(shares),
  ...sync,
  ...translations,
  ...uploads,
  ...withSystemNames(usage),
  ...users,
  ...withAliasesInPath(utils),
  ...withAliases(versions),
  ...withAliases(webhooks),
} satisfies Handlers<CurrentOperations>

/** The current generation, for `app.ts`. */
export const currentGeneration: GenerationDefinition = {
  name: 'current',
  spec,
  routes: currentRoutes,
  handlers,
  toErrorBody: toAnyErrorBody,
  readCredentials,
  readProject,
  endedCookie,
  rateHeaders: ({ limit, remaining, resetAfter }) => ({
    'ratelimit-limit': String(limit),
    'ratelimit-remaining': String(remaining),
    'ratelimit-reset': String(Math.ceil(resetAfter / 1000)),
  }),
  createView: (schema) => createView(schema),
  modelFiles,
  configurationModel,
  projectImport,
  messages,
  operations: openOperations,
  webhookFormat: 'standard',
  spell: (prefix) => ({
    ...currentGeneration,
    spec: showNamesIn(currentGeneration.spec, prefix),
    createView: (schema) => createView(schema, prefix),
    modelFiles: spelledModelFiles(prefix),
    toErrorBody(error, request) {
      const answer = toAnyErrorBody(error, request)
      return { ...answer, body: showNamesIn(answer.body, prefix) }
    },
  }),
}
