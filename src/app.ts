/** Assembles the program: database, schema, authentication, generations, server. */
import packageJson from '../package.json' with { type: 'json' }
import type { AnswerCache } from './cache/answers.ts'
import { loadSecret } from './config/config.ts'
import { makeDataDir, openConfigured } from './config/database.ts'
import type { Config } from './config/sections.ts'
import type { Announcements } from './core/announcements.ts'
import { keepHistoryShort } from './core/history/retention.ts'
import { bootstrap, type FirstAdministrator } from './core/server/bootstrap.ts'
import type { Log, SecuritySettings, ServerFacts } from './domain/ports/context.ts'
import type { Outbound } from './domain/ports/outbound.ts'
import type { OtherNames } from './domain/schema/schema.ts'
import { openExtensions } from './extensions/extensions.ts'
import { createDocs } from './http/app/docs.ts'
import type { GenerationDefinition } from './http/app/generation.ts'
import { createGraphiql } from './http/app/graphiql.ts'
import { listen, type RunningServer } from './http/app/listen.ts'
import { createHttpApp, type Generation, type HttpApp } from './http/app/server.ts'
import { ids } from './ids.ts'
import { createImages } from './images/images.ts'
import { openLimitsAndCaches } from './limits-and-caches.ts'
import { createOutbox } from './mail/mail.ts'
import { clock, openProject, type Project, toGeneration } from './project.ts'
import { createResumable } from './resumable/resumable.ts'
import type { OpenDatabase } from './sql/database.ts'
import { migrate } from './sql/schema/migrate.ts'
import { isAdministered } from './sql/statements/access.ts'
import { setProjectName } from './sql/statements/settings.ts'
import { hashToken } from './tokens/opaque.ts'
import { hashPassword } from './tokens/password.ts'

/** The served generations in order of precedence. */
export const loadGenerations = async (): Promise<readonly [GenerationDefinition, ...GenerationDefinition[]]> => [
  (await import('./current/generation.ts')).currentGeneration,
  (await import('./legacy/generation.ts')).legacyGeneration,
]

/** The field names of all generations that have some in stored permissions. */
const loadOtherNames = async (): Promise<OtherNames> =>
  new Map((await loadGenerations()).flatMap(({ otherNames = new Map() }) => [...otherNames]))

export type App = {
  /** The Express application; it can be mounted instead of listening. */
  readonly app: HttpApp['app']
  /** Resolves to the address. */
  readonly listen: () => Promise<string>
  /**
   * Shuts down gracefully: refuses new requests, lets running ones finish within `deadline` ms, closes the database.
   */
  readonly close: (deadline?: number) => Promise<void>
  /** Reloads the schema after another program has changed tables. */
  readonly refresh: () => Promise<void>
  /** The database, without its password. */
  readonly source: string
  /** The names of user collections. */
  readonly collections: readonly string[]
  /** The administrator created by this start; null if one existed. */
  readonly admin: FirstAdministrator | null
  /** File of the generated secret; null if a secret is configured. */
  readonly secretFile: string | null
}

/**
 * Opens and prepares everything without listening. An open `db` replaces the configured one, `outbound` replaces
 * requests to the web.
 */
export async function createApp(
  config: Config,
  options: { readonly log: Log; readonly db?: OpenDatabase; readonly outbound?: Outbound },
): Promise<App> {
  const { log } = options
  await makeDataDir(config.dataDir)
  const { secret, kept } = loadSecret(config)
  const security = { ...config.security, secret }
  const db = options.db ?? (await openConfigured(config, log))
  try {
    await migrate(db, log)
    const admin = await createFirstAdministrator(db, config, security)
    const project = await openProject(db, config, {
      security,
      log,
      otherNames: await loadOtherNames(),
      ...(options.outbound === undefined ? {} : { outbound: options.outbound }),
    })
    const collections = [...project.schema.current().collections.values()]
      .filter((each) => !each.system && each.table !== null)
      .map((each) => each.name)
    const server = await serve(config, project, log)
    const refresh = async (): Promise<void> => void (await project.schema.refresh())
    return { ...server, refresh, source: describeSource(config), collections, admin, secretFile: kept }
  } catch (error) {
    await db.close()
    throw error
  }
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

async function serve(config: Config, project: Project, log: Log): Promise<Pick<App, 'app' | 'listen' | 'close'>> {
  const projects = new Map([[project.key, project]])
  const mail = createOutbox(config.mail, log)
  let ready = true
  const protection = await openLimitsAndCaches(config, log, () => project.db.expectedWait())
  const { admission, attempts, keeping, rates, purgeAnswers } = protection
  if (keeping !== null) purgeWithChanges(keeping.cache, project.announcements)
  let running: RunningServer | null = null
  const address = (): string =>
    config.http.publicUrl ?? `http://${hostOf(config.http.host)}:${running?.port ?? config.http.port}`
  const server: ServerFacts = {
    version: packageJson.version,
    publicUrl: config.http.publicUrl,
    address,
    maxImport: config.maxImport,
    dataDir: config.dataDir,
    instance: ids.uuid(),
    isReady: () => ready,
    rates,
    purgeAnswers,
    leavesSetup: config.admin === null,
    systemAliases: config.systemAliases,
    ...(config.extensions === null ? {} : { extensions: await openExtensions(config.extensions, log) }),
    pingDatabase: () => project.db.ping(),
  }
  const definitions = await loadGenerations()
  const isShown = ({ retirement }: GenerationDefinition) => config.retirement.isServed || retirement === undefined
  const images = createImages({ limits: config.images, log })
  const { limits, assets } = config
  const shared = {
    projects,
    server,
    limits,
    attempts,
    keeping,
    images,
    assets,
    log,
    mail,
    resumable: createResumable(),
    retirement: config.retirement,
  }
  const [first, ...rest] = definitions.map((definition) => toGeneration(definition, shared))
  const app = createHttpApp({
    generations: [first as Generation, ...rest],
    settings: config.http,
    log,
    onGone: (request) => {
      for (const { db } of projects.values()) db.giveUp(request)
    },
    uuid: ids.uuid,
    isProject: (key) => projects.has(key),
    admission,
    pages: { docs: createDocs(definitions.filter(isShown)), graphql: createGraphiql() },
  })
  const { retention } = config
  const endRetention = retention === null ? null : keepHistoryShort(project.db, retention, { clock, log })
  return {
    app: app.app,
    async listen() {
      running = await listen(app.handler, config.http)
      prepareSoon(definitions)
      return address()
    },
    async close(deadline = config.shutdownTimeout) {
      ready = false
      const end = performance.now() + deadline
      const left = (): number => Math.max(1000, end - performance.now())
      await running?.close(deadline)
      // Work of aborted requests continues and may clean up.
      await app.settled(left())
      await endRetention?.()
      protection.close()
      await mail.close(left())
      await images.close()
      for (const { schema, db, storage, outbound, objects, usage } of projects.values()) {
        await usage.close()
        await objects.close()
        await schema.close()
        await outbound.close()
        storage.close()
        await db.close(left())
      }
    },
  }
}

/** Not at once, so that the first requests do not wait. */
function prepareSoon(definitions: readonly GenerationDefinition[]): void {
  setTimeout(() => {
    for (const { prepare } of definitions) prepare?.()
  }, 1000).unref()
}

/** Changes of any replica. */
function purgeWithChanges(cache: AnswerCache, announcements: Announcements): void {
  for (const topic of ['schema', 'access', 'rows'] as const) announcements.on(topic, () => void cache.purge())
}

const hostOf = (host: string): string =>
  host === '0.0.0.0' || host === '::' ? 'localhost' : host.includes(':') ? `[${host}]` : host

/** Describes the database for people, without its password. */
function describeSource({ database }: Config): string {
  if (database.kind === 'pglite') return `the embedded database in ${database.dataDir}`
  if (database.connectionString === undefined) return `Postgres ${database.database} on ${database.host}`
  const { hostname, pathname } = new URL(database.connectionString)
  return `Postgres ${pathname.slice(1)} on ${hostname}`
}
