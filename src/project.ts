/** Projects, and what a request for one of them may touch. */
import type { Config } from './config/sections.ts'
import { type Authenticator, createAuthenticator } from './core/access/authenticator.ts'
import { createDatabaseShares, type DatabaseShares } from './core/access/database-shares.ts'
import { type Announcements, announce, receiveAnnouncements } from './core/announcements.ts'
import { createSchemaCache, type SchemaCache } from './core/model/schema.ts'
import { keepObjects } from './core/objects/keep-objects.ts'
import { type ApiUsage, createApiUsage } from './core/server/api-usage.ts'
import type { Attempts, Context, FileSettings, Log, SecuritySettings, ServerFacts } from './domain/ports/context.ts'
import type { Images } from './domain/ports/images.ts'
import type { Mail } from './domain/ports/mail.ts'
import type { Outbound } from './domain/ports/outbound.ts'
import type { Resumable } from './domain/ports/resumable.ts'
import { TandemError } from './domain/rights/errors.ts'
import type { OtherNames, Schema } from './domain/schema/schema.ts'
import type { View } from './domain/schema/view.ts'
import type { GenerationDefinition } from './http/app/generation.ts'
import type { AnyHandler } from './http/app/handlers.ts'
import { type Keeping, keepAnswers } from './http/app/kept-answers.ts'
import type { Generation } from './http/app/server.ts'
import type { HttpRequest } from './http/request/request.ts'
import type { RetirementSettings } from './http/settings.ts'
import { ids } from './ids.ts'
import { createAddressRule } from './outbound/addresses.ts'
import { createOutbound } from './outbound/client.ts'
import type { OpenDatabase } from './sql/database.ts'
import { isOutdated } from './sql/wire/errors.ts'
import { noteCommits } from './sql/wire/note-commits.ts'
import { type OpenLocations, openLocations } from './storage/locations.ts'

/** What a request for one project is answered from. */
export type Project = {
  readonly key: string
  readonly db: OpenDatabase
  /** What a caller has of it. */
  readonly shares: DatabaseShares
  readonly schema: SchemaCache
  readonly authenticator: Authenticator
  readonly security: SecuritySettings
  readonly storage: OpenLocations
  readonly files: FileSettings
  readonly outbound: ReturnType<typeof createOutbound>
  /** Looks after objects that no row has. */
  readonly objects: { readonly close: () => Promise<void> }
  readonly forgetActors: () => Promise<void>
  readonly announcements: Announcements
  /** Counts calls of operations that will be turned off. */
  readonly usage: ApiUsage
}

/** The time of day. */
export const clock = (): Date => new Date()

type Opening = {
  readonly security: SecuritySettings
  readonly log: Log
  readonly otherNames: OtherNames
  readonly outbound?: Outbound
}

/** Loads the schema and listens for what other replicas change. */
export async function openProject(
  db: OpenDatabase,
  config: Config,
  { security, log, otherNames, outbound: given }: Opening,
): Promise<Project> {
  const key = '_'
  const announcements = await receiveAnnouncements(db)
  const schema = await createSchemaCache(db, {
    exclude: config.excludeTables,
    log,
    announcements,
    otherNames,
  })
  const authenticator = createAuthenticator({ db, schema: () => schema.current(), clock, project: key, security, log })
  announcements.on('access', authenticator.forget)
  const forgetActors = async (): Promise<void> => {
    authenticator.forget()
    await announce(db, 'access')
  }
  const storage = await openLocations(config.storage)
  const outbound = { ...createOutbound(createAddressRule(config.importAddresses)), ...given }
  const objects = keepObjects({ db, storage, log }, { announcements, schedule: config.cleanup })
  const { files } = config
  const shares = createDatabaseShares(db, config.share)
  const usage = createApiUsage(db, { log, clock })
  return {
    key,
    db,
    shares,
    schema,
    authenticator,
    security,
    forgetActors,
    announcements,
    storage,
    files,
    outbound,
    objects,
    usage,
  }
}

/** What the requests of all projects and generations have in common. */
type Shared = {
  readonly projects: ReadonlyMap<string, Project>
  readonly server: ServerFacts
  readonly limits: Config['limits']
  readonly attempts: Attempts
  /** Null where no answers are kept. */
  readonly keeping: Keeping | null
  readonly images: Images
  readonly assets: Config['assets']
  readonly log: Log
  readonly mail: Mail
  readonly resumable: Resumable
  readonly retirement: RetirementSettings
}

/** Gives a generation what a request may touch: its project's database, the schema as it sees it, who asks. */
export function toGeneration(definition: GenerationDefinition, shared: Shared): Generation {
  const { projects, server, limits, attempts, log, mail, images, assets, resumable } = shared
  const views = new WeakMap<Schema, View>()
  const viewOf = (schema: Schema): View => {
    const known = views.get(schema)
    if (known !== undefined) return known
    const made = definition.createView(schema)
    views.set(schema, made)
    return made
  }
  return {
    ...definition,
    ...retire(definition, shared),
    async context(request, route, path): Promise<Context> {
      const key = definition.readProject(request, path)
      const project = projects.get(key)
      if (project === undefined) throw new TandemError({ kind: 'project-not-found', project: key })
      const { authenticator, shares, security, storage, files, outbound, forgetActors } = project
      const credentials =
        route.credentials === 'none'
          ? ({ kind: 'none' } as const)
          : definition.readCredentials(request, authenticator.read, key)
      const actor = await authenticator.authenticate(credentials, request.ip)
      const schema = project.schema.current()
      const isRead = reading.has(request.method)
      const db = shares(actor, request.ip)
      const noted: Pick<Context, 'db' | 'committed'> = isRead ? { db } : noteCommits(db)
      // Nothing is spread into it: the engine would define what comes after that one by one, at 5 µs a request.
      return {
        project: key,
        db: noted.db,
        committed: noted.committed,
        schema,
        view: viewOf(schema),
        actor,
        clock,
        ids,
        log,
        mail,
        limits,
        request: toRequestFacts(request),
        asker: isRead ? request : undefined,
        server,
        security,
        storage,
        images,
        assets,
        files,
        outbound,
        resumable,
        forgetActors,
        schemas: project.schema,
        attempts,
      }
    },
    async renew(ctx, error): Promise<Context | null> {
      const source = projects.get(ctx.project)?.schema
      if (source === undefined || ctx.committed?.() === true || !isOutdated(error)) return null
      const schema = source.current() === ctx.schema ? await source.refresh().catch(() => ctx.schema) : source.current()
      return schema === ctx.schema ? null : { ...ctx, schema, view: viewOf(schema) }
    },
  }
}

/**
 * The handlers, with counted calls if another generation follows this one, and what the settings say about its end. An
 * answer from the cache counts too.
 */
function retire(
  { retirement, ...definition }: GenerationDefinition,
  { keeping, projects, retirement: settings }: Shared,
): Pick<Generation, 'handlers' | 'announce' | 'refuse'> {
  const handlers = keeping === null ? definition.handlers : keepAnswers(definition, keeping)
  if (retirement === undefined) return { handlers }
  const { announce, refuse, stays } = retirement
  const counted = Object.entries(handlers).map(([id, handler]): [string, AnyHandler] => {
    if (stays(id)) return [id, handler]
    return [
      id,
      (ctx, input) => {
        projects.get(ctx.project)?.usage.note(ctx, id)
        return handler(ctx, input)
      },
    ]
  })
  const { since, sunset, isServed } = settings
  return {
    handlers: Object.fromEntries(counted),
    announce: since === null ? undefined : (request, id) => (stays(id) ? {} : announce(request, id, { since, sunset })),
    refuse: isServed ? undefined : (request, id) => (stays(id) ? null : refuse(request, id)),
  }
}

/** Methods whose work is of no use to anybody without the answer. */
const reading: ReadonlySet<string> = new Set(['GET', 'HEAD', 'SEARCH'])

const toRequestFacts = ({ id, ip, headers }: HttpRequest): Context['request'] => ({
  id,
  ip,
  userAgent: (headers['user-agent'] as string | undefined) ?? null,
  origin: (headers['origin'] as string | undefined) ?? null,
})
