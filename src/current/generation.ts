/** The current generation as one value. */
import { type CurrentOperations, currentRoutes } from '../generated/current.ts'
import spec from '../generated/current-spec.json' with { type: 'json' }
import type { GenerationDefinition } from '../http/app/generation.ts'
import type { Handlers } from '../http/app/handlers.ts'
import { readProjectHeader } from '../http/request/project-header.ts'
import { graphql } from './graphql/operations.ts'
import { assets } from './handlers/assets.ts'
import { auth } from './handlers/auth.ts'
import { collections } from './handlers/collections.ts'
import { fields } from './handlers/fields.ts'
import { files } from './handlers/files.ts'
import { items } from './handlers/items.ts'
import { relations } from './handlers/relations.ts'
import { schema } from './handlers/schema.ts'
import { server } from './handlers/server.ts'
import { access } from './handlers/system/access.ts'
import { activity } from './handlers/system/activity.ts'
import { comments } from './handlers/system/comments.ts'
import { dashboards } from './handlers/system/dashboards.ts'
import { folders } from './handlers/system/folders.ts'
import { notifications } from './handlers/system/notifications.ts'
import { panels } from './handlers/system/panels.ts'
import { permissions } from './handlers/system/permissions.ts'
import { policies } from './handlers/system/policies.ts'
import { presets } from './handlers/system/presets.ts'
import { revisions } from './handlers/system/revisions.ts'
import { roles } from './handlers/system/roles.ts'
import { settings } from './handlers/system/settings.ts'
import { shares } from './handlers/system/shares.ts'
import { translations } from './handlers/system/translations.ts'
import { users } from './handlers/system/users.ts'
import { versions } from './handlers/system/versions.ts'
import { uploads } from './handlers/uploads.ts'
import { utils } from './handlers/utils.ts'
import { projectImport } from './import/project-import.ts'
import { modelFiles } from './sync/model-files.ts'
import { readTemplate } from './views/graphql-schemas.ts'
import { createView } from './views/schema-view.ts'
import { readCredentials } from './wire/credentials.ts'
import { toErrorBody } from './wire/errors.ts'
import { withAliases } from './wire/system-aliases.ts'

const handlers = {
  ...access,
  ...withAliases(activity),
  ...assets,
  ...auth,
  ...withAliases(collections),
  ...withAliases(comments),
  ...dashboards,
  ...withAliases(fields),
  ...files,
  ...folders,
  ...graphql,
  ...items,
  ...withAliases(notifications),
  ...panels,
  ...withAliases(permissions),
  ...withAliases(policies),
  ...withAliases(presets),
  ...withAliases(relations),
  ...withAliases(revisions),
  ...roles,
  ...withAliases(schema),
  ...server,
  ...settings,
  ...withAliases(shares),
  ...translations,
  ...uploads,
  ...users,
  ...utils,
  ...withAliases(versions),
} satisfies Handlers<CurrentOperations>

/** The current generation, for `app.ts`. */
export const currentGeneration: GenerationDefinition = {
  name: 'current',
  spec,
  routes: currentRoutes,
  handlers,
  toErrorBody,
  readCredentials,
  readProject: ({ headers }) => readProjectHeader(headers) ?? '_',
  rateHeaders: ({ limit, remaining, resetAfter }) => ({
    'ratelimit-limit': String(limit),
    'ratelimit-remaining': String(remaining),
    'ratelimit-reset': String(Math.ceil(resetAfter / 1000)),
  }),
  createView,
  prepare: readTemplate,
  modelFiles,
  projectImport,
}
