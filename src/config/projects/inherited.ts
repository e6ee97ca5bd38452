/** Settings of the server that a project inherits. */
import type { Environment } from '../environment.ts'

/** These identify one project, so no project inherits them. */
const own =
  /^(?:DB_(?:CLIENT|CONNECTION_STRING|HOST|PORT|DATABASE|USER|PASSWORD|SSL|SEARCH_PATH)|DATA_DIR|SECRET|PROJECT_NAME|PROJECT_KEY|PROJECTS_DIR|SUPER_ADMIN_TOKEN|ADMIN_\w+|STORAGE_\w+|AUTH_(?!ALLOWED_PUBLIC_URLS$|IP_ALLOW_LIST$|PROVIDER_TIMEOUT$)\w+)$/

/**
 * The settings of the server without those of a project, without those that `given` has, and without those that begin
 * like one of `replaced`.
 */
export function inherited(settings: Environment, environment: Environment, replaced: readonly string[]): Environment {
  return Object.fromEntries(
    Object.entries(settings).filter(([name]) => {
      const stem = name.replace(/_FILE$/, '')
      return !own.test(stem) && !Object.hasOwn(environment, stem) && !replaced.some((prefix) => stem.startsWith(prefix))
    }),
  )
}
