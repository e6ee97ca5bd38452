/** The current generation as one value. */
import { type CurrentOperations, currentRoutes } from '../generated/current.ts'
import spec from '../generated/current-spec.json' with { type: 'json' }
import type { GenerationDefinition } from '../http/generation.ts'
import type { Handlers } from '../http/handlers.ts'
import { readCredentials } from './credentials.ts'
import { toErrorBody } from './errors.ts'
import { auth } from './handlers/auth.ts'
import { collections } from './handlers/collections.ts'
import { fields } from './handlers/fields.ts'
import { items } from './handlers/items.ts'
import { relations } from './handlers/relations.ts'
import { server } from './handlers/server.ts'
import { users } from './handlers/users.ts'
import { createView } from './schema-view.ts'

const handlers = {
  ...items,
  ...collections,
  ...fields,
  ...relations,
  ...auth,
  ...users,
  ...server,
} satisfies Handlers<CurrentOperations>

/** The default project, unless the header names another. */
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
  createView,
}
