/** The station `authenticate`: the project and the caller of a request, and the context of both. */

import { clock, ids } from '../clock-and-ids.ts'
import type { UsedOperation } from '../core/usage/usage.ts'
import type { Context } from '../domain/ports/context.ts'
import type { Images } from '../domain/ports/images.ts'
import type { Route } from '../domain/ports/operation.ts'
import type { Resumable } from '../domain/ports/uploads.ts'
import type { Actor, ApiKey } from '../domain/rights/actor.ts'
import { TandemError } from '../domain/rights/errors.ts'
import type { Schema } from '../domain/schema/schema.ts'
import type { View } from '../domain/schema/view.ts'
import type { GenerationDefinition } from '../http/app/generation.ts'
import type { Generation } from '../http/app/served-generation.ts'
import { cookieText, decideCookie } from '../http/reply/cookie-text.ts'
import type { HttpRequest } from '../http/request/request.ts'
import { noteCommits } from '../sql/note-commits.ts'
import { sqlRows } from '../sql/run/sql-rows.ts'
import type { Project } from './project.ts'
import type { Registry } from './registry.ts'

export type SharedByRequests = {
  readonly projects: Pick<Registry, 'get' | 'open'>
  readonly images: Images
  readonly resumable: Resumable
}

export function createAuthenticate(
  definition: GenerationDefinition,
  shared: SharedByRequests,
  viewOf: (schema: Schema) => View,
): Generation['authenticate'] {
  const { projects, images, resumable } = shared
  return async function authenticate(request, route, counts = true): Promise<Context> {
    const project = projects.get(request.project) ?? (await projects.open(request.project))
    request.probe?.isOf(project.key)
    const actor = await findCaller(project, definition, { request, route })
    const key = actor.kind === 'user' ? actor.key : undefined
    const allowance = key === undefined ? null : await allow(project, key, counts ? request : null)
    const schema = project.schema.current()
    const isRead = reading.has(request.method)
    const db = project.shares(actor, request.ip)
    const noted: Pick<Context, 'db' | 'committed'> = isRead ? { db } : noteCommits(db)
    const { config } = project
    // Nothing is spread into it: the engine would define what comes after that one by one, at 5 µs a request.
    return {
      project: project.key,
      db: noted.db,
      rows: sqlRows,
      committed: noted.committed,
      position: isRead ? undefined : project.db.position,
      schema,
      view: viewOf(schema),
      actor,
      clock,
      ids,
      log: project.log,
      mail: project.mail,
      limits: config.limits,
      allowance,
      request: toRequestFacts(request),
      stopwatch: request.stopwatch,
      asker: isRead ? request : undefined,
      server: project.server,
      security: project.security,
      storage: project.storage,
      images,
      assets: config.assets,
      files: config.files,
      outbound: project.outbound,
      resumable,
      forgetActors: project.forgetActors,
      schemas: project.schema,
      feed: project.feed,
      webhooks: project.webhooks,
      subscriptions: project.subscriptions,
      usage: project.clientUsage?.begin(
        usedBy(request, key, { generation: definition.name, operation: route.operationId }),
      ),
      again: () => authenticate(request, route, false),
      attempts: project.attempts,
      keys: config.keys,
      providers: project.providers,
    }
  }
}

/** Counts the request of an API key. With `request` null the caller is only looked up again: just the cost of its reads counts. */
const allow = ({ allowances }: Project, key: ApiKey, request: HttpRequest | null) =>
  request === null ? allowances.resume(key) : allowances.begin(key, (headers) => request.tell?.(headers))

/** The caller of status operations that need no identity, or whose caller cannot be identified. */
const nobody: Actor = {
  kind: 'public',
  access: { admin: false, app: false, policies: [], rules: [], fingerprint: 'nobody' },
}

type RoutedRequest = { readonly request: HttpRequest; readonly route: Route }

/** A browser would send a cookie whose token is refused with each request, and scripts cannot delete it. */
async function findCaller(project: Project, definition: GenerationDefinition, routed: RoutedRequest): Promise<Actor> {
  try {
    return await findActor(project, definition, routed)
  } catch (error) {
    const cookie = isOfToken(error) ? definition.endedCookie?.(project.security, routed.request) : null
    if (cookie != null) routed.request.setCookie?.(cookieText(decideCookie(cookie, routed.request)))
    throw error
  }
}

const isOfToken = (error: unknown): boolean =>
  error instanceof TandemError && ['unknown-token', 'invalid-token'].includes(error.failures[0].kind)

function findActor(
  { authenticator, key }: Project,
  { readCredentials }: GenerationDefinition,
  { request, route }: RoutedRequest,
): Promise<Actor> | Actor {
  if (route.independent === true) return nobody
  const credentials =
    route.credentials === 'none' ? ({ kind: 'none' } as const) : readCredentials(request, authenticator.read, key)
  const actor = authenticator.authenticate(credentials, request.ip)
  return route.unidentified === true ? ifIdentified(actor) : actor
}

/** Milliseconds: the checks of health take up to four seconds more. */
const identificationTimeout = 2000

/** The caller, or nobody if the database does not answer in time. Rejected credentials stay rejected. */
async function ifIdentified(actor: Promise<Actor>): Promise<Actor> {
  const late = Promise.withResolvers<Actor>()
  const timer = setTimeout(() => late.resolve(nobody), identificationTimeout)
  try {
    return await Promise.race([actor, late.promise])
  } catch (error) {
    if (error instanceof TandemError && error.failures[0].kind === 'unavailable') return nobody
    throw error
  } finally {
    clearTimeout(timer)
  }
}

const usedBy = (
  { headers }: HttpRequest,
  key: ApiKey | undefined,
  of: Pick<UsedOperation, 'generation' | 'operation'>,
): UsedOperation => ({
  client: (headers['x-client'] as string | undefined) ?? null,
  key: key?.name ?? null,
  userAgent: (headers['user-agent'] as string | undefined) ?? null,
  ...of,
})

/** Methods whose work is of no use to anybody without the answer. */
const reading: ReadonlySet<string> = new Set(['GET', 'HEAD', 'SEARCH'])

/** History and sessions note both headers; a longer one is cut to the size of its column. */
const toRequestFacts = ({ id, ip, headers }: HttpRequest): Context['request'] => ({
  id,
  ip,
  userAgent: (headers['user-agent'] as string | undefined)?.slice(0, 1000) ?? null,
  origin: (headers['origin'] as string | undefined)?.slice(0, 255) ?? null,
})
