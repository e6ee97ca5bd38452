/** Assembles the program: projects, generations, server. */
import type { IncomingMessage } from 'node:http'
import { ids } from './clock-and-ids.ts'
import type { Config } from './config/sections.ts'
import type { FirstAdministrator } from './core/server/bootstrap.ts'
import { memoizeBy } from './domain/memoize.ts'
import type { Log } from './domain/ports/context.ts'
import type { Outbound } from './domain/ports/outbound.ts'
import type { WebhookViews } from './domain/ports/webhooks.ts'
import type { OtherNames } from './domain/schema/schema.ts'
import { openExtensions } from './extensions/extensions.ts'
import { createPressure, type Pressure } from './http/app/admission.ts'
import type { GenerationDefinition } from './http/app/generation.ts'
import { listen, type RunningServer, type Upgrades } from './http/app/listen.ts'
import type { Generation } from './http/app/served-generation.ts'
import { createHttpApp, type HttpApp, type HttpAppOptions } from './http/app/server.ts'
import { createAdmin } from './http/pages/admin.ts'
import { createDocs } from './http/pages/docs.ts'
import { createFrontPage, favicon } from './http/pages/front-page.ts'
import { createGraphiql } from './http/pages/graphiql.ts'
import { createGuide } from './http/pages/guide.ts'
import { createRobots } from './http/pages/robots.ts'
import { handleUpgrades, isSocketRequest, pathOf } from './http/upgrades/upgrades.ts'
import { createImages } from './images/images.ts'
import { createGate } from './projects/gate.ts'
import { openProjects, type ProjectsOfProcess } from './projects/open-projects.ts'
import type { Dependencies } from './projects/project.ts'
import { createMetricsPage, type Observed, openProcessTelemetry } from './projects/telemetry.ts'
import { toGeneration } from './projects/to-generation.ts'
import { createResumable } from './resumable/resumable.ts'
import type { OpenDatabase } from './sql/database.ts'
import type { OpenTelemetry } from './telemetry/open.ts'

const definitions = async (): Promise<readonly [GenerationDefinition, ...GenerationDefinition[]]> => [
  (await import('./current/generation.ts')).currentGeneration,
  (await import('./legacy/generation.ts')).legacyGeneration,
]

/** The served generations in order of precedence, as configured. */
export const loadGenerations = async ({ systemPrefix }: Pick<Config, 'systemPrefix'>) =>
  (await definitions()).map((each) => (systemPrefix === 'platform_' ? each : (each.spell?.(systemPrefix) ?? each)))

/** The field names of all generations that have some in stored permissions. */
const loadOtherNames = async (): Promise<OtherNames> =>
  new Map((await definitions()).flatMap(({ otherNames = new Map() }) => [...otherNames]))

/** How items look in each form of webhooks. */
const loadWebhookViews = async (config: Pick<Config, 'systemPrefix'>): Promise<WebhookViews> =>
  Object.fromEntries(
    (await loadGenerations(config)).flatMap(({ webhookFormat, createView }) =>
      webhookFormat === undefined ? [] : [[webhookFormat, memoizeBy(createView)]],
    ),
  )

export type App = {
  /** The Express application; it can be mounted instead of listening. */
  readonly app: HttpApp['app']
  /** Resolves to the address. */
  readonly listen: () => Promise<string>
  /**
   * Shuts down gracefully: refuses new requests, lets running ones finish within `deadline` ms, closes the databases.
   */
  readonly close: (deadline?: number) => Promise<void>
  /** Reloads the schema of the default project after another program has changed tables. */
  readonly refresh: () => Promise<void>
  /** The database of the default project, without its password. */
  readonly source: string
  /** The names of its user collections. */
  readonly collections: readonly string[]
  /** The administrator created by this start; null if one existed. */
  readonly admin: FirstAdministrator | null
  /** Whether ADMIN_TOKEN is the token of the administrator. */
  readonly hasAdminToken: boolean
  /** File of the generated secret; null if a secret is configured. */
  readonly secretFile: string | null
  /** The port of the metrics, where they have a server of their own. */
  readonly metricsPort: number | null
}

/**
 * Opens and prepares everything without listening. An open `db` replaces the configured one of the default project,
 * `outbound` replaces requests to the web.
 */
export async function createApp(
  config: Config,
  options: { readonly log: Log; readonly db?: OpenDatabase; readonly outbound?: Outbound },
): Promise<App> {
  const { log, db: openDatabase, outbound } = options
  const observed: Observed = { registry: null, images: null }
  const telemetry = await openProcessTelemetry(config.telemetry, { observed, log })
  const running: RunningApp = { server: null, isReady: true, telemetry, observed, onAccess: () => {} }
  const pressure = config.pressure === null ? null : createPressure(config.pressure, () => 0)
  try {
    const around = await surround(config, running, { log, pressure })
    const projects = await openProjects(
      config,
      { ...around, ...(outbound === undefined ? {} : { outbound }) },
      openDatabase,
    )
    observed.registry = projects.registry
    return await assemble(config, projects, { log, pressure, running })
  } catch (error) {
    await telemetry?.close()
    pressure?.stop()
    throw error
  }
}

type RunningApp = {
  server: RunningServer | null
  isReady: boolean
  /** Checks live connections. */
  onAccess: () => void
  readonly telemetry: OpenTelemetry | null
  readonly observed: Observed
}
type Parts = Pick<Dependencies, 'log' | 'pressure'>

const surround = async (config: Config, running: RunningApp, parts: Parts): Promise<Dependencies> => ({
  ...parts,
  telemetry: running.telemetry,
  onAccess: () => running.onAccess(),
  otherNames: await loadOtherNames(),
  webhookViews: await loadWebhookViews(config),
  server: {
    publicUrl: config.http.publicUrl,
    address: () => addressOf(config, running),
    instance: ids.uuid(),
    isReady: () => running.isReady,
    ...(config.extensions === null ? {} : { extensions: await openExtensions(config.extensions, parts.log) }),
  },
})

async function assemble(
  config: Config,
  projects: ProjectsOfProcess,
  { log, pressure, running }: { readonly log: Log; readonly pressure: Pressure | null; readonly running: RunningApp },
): Promise<App> {
  try {
    const app = await serve(config, projects, { log, running })
    await projects.start(app.reserved)
    return {
      ...toFacts(projects),
      metricsPort: running.telemetry?.port ?? null,
      app: app.app,
      async listen() {
        running.server = await listen(app.handler, { ...config.http, upgrades: app.upgrades })
        return addressOf(config, running)
      },
      async close(deadline = config.shutdownTimeout) {
        running.isReady = false
        const end = performance.now() + deadline
        const left = (): number => Math.max(1000, end - performance.now())
        app.upgrades?.close()
        for (const { subscriptions } of projects.registry.values()) subscriptions.close()
        await running.server?.close(deadline)
        // Work of aborted requests continues and may clean up.
        await app.settled(left())
        pressure?.stop()
        await app.closeImages()
        await projects.close(left)
        await running.telemetry?.close()
      },
    }
  } catch (error) {
    await projects.close(() => 1000)
    throw error
  }
}

type Serving = Pick<HttpApp, 'app' | 'handler' | 'reserved' | 'settled'> & {
  readonly upgrades: SocketUpgrades | undefined
  readonly closeImages: () => Promise<void>
}

async function serve(
  config: Config,
  { registry }: ProjectsOfProcess,
  { log, running }: { readonly log: Log; readonly running: RunningApp },
): Promise<Serving> {
  const { telemetry, observed } = running
  const definitions = await loadGenerations(config)
  const isShown = ({ retirement }: GenerationDefinition) => config.retirement.isServed || retirement === undefined
  const images = createImages({ limits: config.images, log })
  observed.images = images
  const keeps = config.cache !== null || config.projects !== null
  const shared = {
    projects: registry,
    findResponseCache: keeps ? (project: string) => registry.get(project)?.responseCache ?? null : null,
    images,
    resumable: createResumable(),
    retirement: config.retirement,
  }
  const [first, ...rest] = definitions.map((definition) => toGeneration(definition, shared))
  const options: HttpAppOptions = {
    generations: [first as Generation, ...rest],
    settings: config.http,
    log,
    telemetry,
    onGone: (request) => {
      for (const { db } of registry.values()) db.cancelReads(request)
    },
    uuid: ids.uuid,
    isProject: registry.has,
    ...createGate(config, registry),
    pages: createPages(config, definitions.filter(isShown), telemetry),
  }
  const app = createHttpApp(options)
  const upgrades = await openUpgrades(config, { ...options, app: app.app })
  if (upgrades !== undefined) running.onAccess = upgrades.recheck
  return { ...app, upgrades, closeImages: images.close }
}

function createPages(
  config: Config,
  shown: readonly GenerationDefinition[],
  telemetry: RunningApp['telemetry'],
): NonNullable<HttpAppOptions['pages']> {
  const guide = createGuide()
  const hasMetrics = config.telemetry?.metrics != null && telemetry?.port === null
  return {
    '': createFrontPage({ legacy: shown.find(({ name }) => name === 'legacy')?.spec.info.title ?? null }),
    'favicon.ico': favicon,
    'robots.txt': createRobots(config.robots),
    admin: createAdmin(),
    docs: createDocs(shown, guide.page),
    'llms.txt': guide.models,
    'llms-full.txt': guide.models,
    graphql: createGraphiql(),
    ...(hasMetrics ? { metrics: createMetricsPage(telemetry) } : {}),
  }
}

type SocketUpgrades = Upgrades & { readonly close: () => void; readonly recheck: () => void }

/** Live connections; undefined if they are turned off. */
async function openUpgrades(
  { realtime: settings }: Config,
  { generations, ...options }: HttpAppOptions & Pick<HttpApp, 'app'>,
): Promise<SocketUpgrades | undefined> {
  const generation = generations.find(({ messages }) => messages !== undefined)
  if (settings === null || generation?.messages === undefined) return undefined
  const { createSockets } = await import('./realtime/sockets.ts')
  const { messages } = generation
  const operations = await generation.operations?.()
  const sockets = createSockets({ settings, messages, operations, log: options.log })
  return {
    isMeant: (request: IncomingMessage) => isSocketRequest(request) && sockets.serves(pathOf(request)),
    handle: handleUpgrades({ ...options, generation, open: sockets.open }),
    close: sockets.close,
    recheck: sockets.recheck,
  }
}

/** Facts of the default project that a start reports. */
function toFacts({ registry }: ProjectsOfProcess): Omit<App, 'app' | 'listen' | 'close' | 'metricsPort'> {
  const project = registry.get('_')
  const collections = project?.schema.current().collections.values() ?? []
  return {
    refresh: async () => void (await project?.schema.refresh()),
    source: project ? describeSource(project.config) : 'no default project (the log says why)',
    collections: [...collections].filter((each) => !each.system && each.table !== null).map((each) => each.name),
    admin: project?.admin ?? null,
    hasAdminToken: project?.hasAdminToken ?? false,
    secretFile: project?.secretFile ?? null,
  }
}

const addressOf = ({ http }: Config, { server }: RunningApp): string =>
  http.publicUrl ?? `http://${hostOf(http.host)}:${server?.port ?? http.port}`

const hostOf = (host: string): string =>
  host === '0.0.0.0' || host === '::' ? 'localhost' : host.includes(':') ? `[${host}]` : host

/** Describes the database for people, without its password. */
function describeSource({ database }: Config): string {
  if (database.kind === 'pglite') return `the embedded database in ${database.dataDir}`
  const vendor = database.kind === 'mysql' ? 'MariaDB or MySQL' : 'Postgres'
  if (database.connectionString === undefined) return `${vendor} ${database.database} on ${database.host}`
  const { hostname, pathname } = new URL(database.connectionString)
  return `${vendor} ${pathname.slice(1)} on ${hostname}`
}
