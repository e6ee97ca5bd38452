/** Opens a project: database, migrations, the first administrator, and all other parts. */
import { ids } from '../clock-and-ids.ts'
import { loadSecret } from '../config/config.ts'
import { makeDataDir, openConfigured } from '../config/database.ts'
import type { Config } from '../config/sections.ts'
import { ensureAdminToken, type TokenOutcome } from '../core/server/admin-token.ts'
import { bootstrap, type FirstAdministrator } from '../core/server/bootstrap.ts'
import type { Log } from '../domain/ports/context.ts'
import type { SecuritySettings } from '../domain/ports/settings.ts'
import type { OpenDatabase } from '../sql/database.ts'
import { migrate } from '../sql/schema/migrate.ts'
import { isAdministered } from '../sql/statements/accounts/access.ts'
import { setProjectName } from '../sql/statements/settings.ts'
import { hashToken } from '../tokens/opaque.ts'
import { hashPassword } from '../tokens/password.ts'
import type { Dependencies, Project } from './project.ts'
import { openParts } from './project-parts.ts'

/** Opens the database and prepares everything. `openedDatabase` replaces the configured database. */
export async function openProject(
  key: string,
  config: Config,
  { openedDatabase, ...around }: Dependencies & { readonly openedDatabase?: OpenDatabase },
): Promise<Project> {
  const log = key === '_' ? around.log : named(around.log, key)
  await makeDataDir(config.dataDir)
  const { secret, secretFile } = loadSecret(config)
  const security = { ...config.security, secret }
  const opened = openedDatabase ?? (await openConfigured(config, log))
  const db = around.telemetry?.database(opened, key) ?? opened
  try {
    await migrate(db, log)
    const admin = await createFirstAdministrator(db, config, security)
    const hasAdminToken = await checkAdminToken(db, config, { secret, log })
    const parts = await openParts({ key, config, db, security }, { ...around, log })
    return { ...parts, key, config, log, db, security, admin, hasAdminToken, secretFile }
  } catch (error) {
    await db.close()
    throw error
  }
}

/** Adds the project to every line. */
function named(log: Log, project: string): Log {
  const say =
    (level: keyof Log): Log[keyof Log] =>
    (detail, message) =>
      log[level]({ project, ...detail }, message)
  return { debug: say('debug'), info: say('info'), warn: say('warn'), error: say('error') }
}

async function createFirstAdministrator(
  db: OpenDatabase,
  { admin, projectName }: Config,
  security: SecuritySettings,
): Promise<FirstAdministrator | null> {
  if (admin !== null)
    return bootstrap(db, {
      ...admin,
      projectName,
      ids,
      hashPassword: (password) => hashPassword(password, security.hash),
      hashToken: (token) => hashToken(token, security.secret),
    })
  if (!(await isAdministered(db))) await setProjectName(db, projectName)
  return null
}

/** Gives the administrator the token of the settings if it has none; logs if it has another one. */
async function checkAdminToken(
  db: OpenDatabase,
  { admin }: Config,
  { secret, log }: { readonly secret: string; readonly log: Log },
): Promise<boolean> {
  if (admin === null || admin.token === null) return false
  const { email, token } = admin
  const outcome = await ensureAdminToken(db, { email, tokenHash: hashToken(token, secret) })
  if (outcome === 'present') return true
  if (outcome === 'given') log.info({}, `ADMIN_TOKEN is now the static token of ${email}`)
  else log.warn({}, `ADMIN_TOKEN was not set: ${obstacles(email)[outcome]}`)
  return outcome === 'given'
}

const obstacles = (email: string): Record<Exclude<TokenOutcome, 'given' | 'present'>, string> => ({
  another: `${email} has another static token. To replace it, run: npm run tandem -- token --email ${email} --set TOKEN`,
  taken: 'another user has this token. Choose another one',
  'no-administrator': `${email} is not an active administrator. Set ADMIN_EMAIL to the address of one, or run: npm run tandem -- token --email ADDRESS --set TOKEN`,
})
