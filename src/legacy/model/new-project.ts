/** The body of a request for a new project, as the contents of its configuration file. */
import type { NewProject } from '../../domain/ports/projects.ts'
import type { LegacyProjectsOperations } from '../../generated/legacy.ts'

type Body = LegacyProjectsOperations['createProject']['input']['body']

/** Settings that the body omits are not in the file. */
export function toNewProject(body: Body): NewProject {
  const { project = '_', user_email: email, user_password: password, user_token: token = null } = body
  return {
    key: project,
    isPrivate: body.private === true,
    force: body.force === true,
    existing: body.existing === true,
    admin: { email, password, token },
    projectUrl: body.app_url ?? null,
    defaultLanguage: body.locale ?? null,
    settings: toSettings(body),
  }
}

function toSettings(body: Body): NewProject['settings'] {
  const { cors_enabled: enabled = true, auth_secret: secret, mail_from: from } = body
  return presentSettings({
    project_name: body.project_name,
    database: toDatabase(body),
    auth: presentSettings({ secret, ...body.auth }),
    cors: { enabled, ...body.cors },
    cache: body.cache,
    storage: body.storage,
    mail: body.mail === undefined && from === undefined ? undefined : presentSettings({ from, ...body.mail }),
    rate_limit: body.rate_limit,
  })
}

/** The embedded database has no address. */
const toDatabase = ({ db_type: type = 'postgres', ...body }: Body): NewProject['settings'] =>
  type === 'embedded' ? { type } : toServer(type, body)

const toServer = (type: string, body: Omit<Body, 'db_type'>): NewProject['settings'] =>
  presentSettings({
    type,
    host: body.db_host,
    socket: body.db_socket,
    port: body.db_port,
    name: body.db_name,
    schema: body.db_schema,
    username: body.db_user,
    password: body.db_password ?? undefined,
  })

const presentSettings = (settings: { readonly [name: string]: unknown }): NewProject['settings'] =>
  Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined))
