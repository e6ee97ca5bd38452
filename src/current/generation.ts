/** The current generation as one value. */
import { type CurrentOperations, currentRoutes } from '../generated/current.ts'
import spec from '../generated/current-spec.json' with { type: 'json' }
import type { GenerationDefinition } from '../http/app/generation.ts'
import type { Handlers } from '../http/app/handlers.ts'
import { graphql } from './graphql/operations.ts'
import { access } from './handlers/access.ts'
import { activity } from './handlers/activity.ts'
import { assets } from './handlers/assets.ts'
import { auth } from './handlers/auth.ts'
import { collections } from './handlers/collections.ts'
import { comments } from './handlers/comments.ts'
import { dashboards } from './handlers/dashboards.ts'
import { fields } from './handlers/fields.ts'
import { files } from './handlers/files.ts'
import { folders } from './handlers/folders.ts'
import { items } from './handlers/items.ts'
import { notifications } from './handlers/notifications.ts'
import { panels } from './handlers/panels.ts'
import { permissions } from './handlers/permissions.ts'
import { policies } from './handlers/policies.ts'
import { presets } from './handlers/presets.ts'
import { relations } from './handlers/relations.ts'
import { revisions } from './handlers/revisions.ts'
import { roles } from './handlers/roles.ts'
import { schema } from './handlers/schema.ts'
import { server } from './handlers/server.ts'
import { settings } from './handlers/settings.ts'
import { shares } from './handlers/shares.ts'
import { translations } from './handlers/translations.ts'
import { uploads } from './handlers/uploads.ts'
import { users } from './handlers/users.ts'
import { utils } from './handlers/utils.ts'
import { versions } from './handlers/versions.ts'
import { modelFiles } from './sync/model-files.ts'
import { createView } from './views/schema-view.ts'
import { readCredentials } from './wire/credentials.ts'
import { toErrorBody } from './wire/errors.ts'

const handlers = {
  ...access,
  ...activity,
  ...assets,
  ...auth,
  ...collections,
  ...comments,
  ...dashboards,
  ...fields,
  ...files,
  ...folders,
  ...graphql,
  ...items,
  ...notifications,
  ...panels,
  ...permissions,
  ...policies,
  ...presets,
  ...relations,
  ...revisions,
  ...roles,
  ...schema,
  ...server,
  ...settings,
  ...shares,
  ...translations,
  ...uploads,
  ...users,
  ...utils,
  ...versions,
} satisfies Handlers<CurrentOperations>

/** Header that selects a project; without it the default project. */
const projectHeader = 'x-platform-project'

/** The current generation, for `app.ts`. */
export const currentGeneration: GenerationDefinition = {
  name: 'current',
  spec,
  routes: currentRoutes,
  handlers,
  toErrorBody,
  readCredentials,
  readProject({ headers }) {
    const project = headers[projectHeader]
    return typeof project === 'string' && project !== '' ? project : '_'
  },
  rateHeaders: ({ limit, remaining, resetAfter }) => ({
    'ratelimit-limit': String(limit),
    'ratelimit-remaining': String(remaining),
    'ratelimit-reset': String(Math.ceil(resetAfter / 1000)),
  }),
  createView,
  modelFiles,
}
