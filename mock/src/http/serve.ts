/** Answers requests: operation, input, actor, handler, response. Each step as on the server. */

import type { Authenticator } from '../../../src/core/access/authenticator.ts'
import type { Context } from '../../../src/domain/ports/context.ts'
import { TandemError } from '../../../src/domain/rights/errors.ts'
import type { Schema } from '../../../src/domain/schema/schema.ts'
import type { View } from '../../../src/domain/schema/view.ts'
import { refuseKey, refusesKey, withKeys } from '../../../src/http/app/batch/keyed.ts'
import type { ToSteps } from '../../../src/http/app/batch/step-types.ts'
import { createSteps } from '../../../src/http/app/batch/steps.ts'
import {
  createDispatcher,
  type Endpoint,
  type Match,
  matchRoute,
  namePath,
  parameterNames,
} from '../../../src/http/app/dispatch.ts'
import { empty, json, type Reply, withHeaders } from '../../../src/http/reply/reply.ts'
import { refuseReservedKeys } from '../../../src/http/request/query-string.ts'
import type { HttpRequest } from '../../../src/http/request/request.ts'
import { readSearchBody } from '../../../src/http/request/search-body.ts'
import { objectParameters } from '../../../src/http/validation/enforcement.ts'
import { type Check, createCheck } from './check.ts'
import { contextOf, type Dependencies } from './context.ts'
import { exampleOf } from './examples.ts'
import type { MockGeneration } from './generation.ts'
import { assertShort, bytesOf, jsonOf, mediaOf, toHttpRequest } from './request.ts'
import { respond } from './respond.ts'

export type Serving = Omit<Dependencies, 'forgetActors' | 'again'> & {
  readonly generations: readonly [MockGeneration, ...MockGeneration[]]
  readonly authenticator: Authenticator
}

type Served = { readonly generation: MockGeneration; readonly names: readonly string[] }

export type Operation = Endpoint<Served>

/** What is found before a request is answered. */
export type Routed = { readonly operation: Operation | null; readonly answer: () => Promise<Response> }

export type Server = {
  /** Finds the operation of a request. `base`: the path of the mock's url. */
  readonly route: (sent: Request, base: string) => Routed
  readonly contextOf: (generation: MockGeneration, request: HttpRequest) => Promise<Context>
  /** Of the mock itself, which may do everything. */
  readonly ownContext: () => Context
}

export function createServer(serving: Serving): Server {
  const endpoints = serving.generations.flatMap((generation) =>
    generation.routes.map((route): Operation => ({ generation, route, names: parameterNames(route) })),
  )
  const dispatcher = createDispatcher({ endpoints, isProject: (key) => key === '_' })
  const checks = new Map<string, Check>()
  const checkOf = ({ generation, route }: Operation, isSearch: boolean): Check => {
    const name = `${generation.name} ${route.operationId} ${isSearch}`
    const check = checks.get(name) ?? createCheck(generation.spec, route, isSearch)
    checks.set(name, check)
    return check
  }
  const viewOf = views(serving.schema)
  const keyed = new Map(serving.generations.map((generation) => [generation, withKeys(generation)]))
  const stepsOf = stepsBy(serving.generations, endpoints, checkOf)
  const contextFor = async (
    generation: MockGeneration,
    request: HttpRequest,
    isAnonymous = false,
  ): Promise<Context> => {
    const { authenticator } = serving
    const again = async (): Promise<Context> => {
      const credentials = isAnonymous
        ? ({ kind: 'none' } as const)
        : generation.readCredentials(request, authenticator.read, '_')
      const actor = await authenticator.authenticate(credentials, null)
      return contextOf({ ...serving, forgetActors: authenticator.forget, again }, viewOf(generation), actor, request)
    }
    return again()
  }
  const route: Server['route'] = (sent, base) => {
    const left = new AbortController()
    const request = toHttpRequest(sent, { base, id: serving.uuid(), ended: left.signal })
    const group = dispatcher.find(request.path)
    const match =
      group === null
        ? null
        : matchRoute(group, {
            method: request.method,
            path: request.path,
            isOwn: (endpoint) => endpoint.generation.isClient?.(request) === true,
          })
    const generation =
      match?.endpoint?.generation ?? match?.first.generation ?? group?.first.generation ?? serving.generations[0]
    const work = async (): Promise<Reply | Response> => {
      assertShort(request)
      if (match === null)
        throw new TandemError({
          kind: 'route-not-found',
          path: request.path,
          isInProject: group?.first.route.path.startsWith('/{') === true,
        })
      if (match.endpoint === null) return refuseMethod(request.method, match.allowed)
      const path = toPath(match)
      if (refusesKey(match.endpoint.route)) refuseKey(match.endpoint.route, request)
      const handler = keyed.get(generation)?.[match.endpoint.route.operationId]
      const isSearch = request.method === 'SEARCH' && match.endpoint.route.search
      const input = await inputOf(match.endpoint, checkOf(match.endpoint, isSearch), { sent, request, path, isSearch })
      assertProject(path)
      const ctx = await contextFor(generation, request, match.endpoint.route.credentials === 'none')
      if (handler === undefined) return exampleOf(generation.spec, match.endpoint.route)
      return handler(ctx, { ...input, request, steps: stepsOf(generation) } as never)
    }
    const answer = () => answered(work, generation, { request, onLeave: () => left.abort() })
    return { operation: match?.endpoint ?? null, answer }
  }
  const ownContext = (): Context => {
    const dependencies = { ...serving, forgetActors: serving.authenticator.forget, again: async () => ownContext() }
    const view = viewOf(serving.generations[0])
    return contextOf(dependencies, view, { kind: 'system' }, { id: serving.uuid(), headers: {} })
  }
  return { route, contextOf: contextFor, ownContext }
}

function stepsBy(
  generations: Serving['generations'],
  endpoints: readonly Operation[],
  checkOf: (operation: Operation, isSearch: boolean) => Check,
): (generation: MockGeneration) => ToSteps | undefined {
  const made = generations.map((generation): readonly [MockGeneration, ToSteps] => {
    const own = endpoints.filter((endpoint) => endpoint.generation === generation)
    const steps = createSteps(own, {
      admit: () => undefined,
      async read(endpoint, { headers, cookies, query }, parts) {
        const { path, query: wanted, body } = checkOf(endpoint, false)({ ...parts, query, headers, cookies })
        return { path, query: wanted, body }
      },
      async answer({ generation: { handlers, spec }, route }, ctx, input) {
        const handler = handlers[route.operationId]
        return handler === undefined ? exampleOf(spec, route) : handler(ctx, input as never)
      },
    })
    return [generation, steps]
  })
  const all = new Map(made)
  return (generation) => all.get(generation)
}

function views(schema: Schema): (generation: MockGeneration) => View {
  const made = new Map<MockGeneration, View>()
  return (generation) => {
    const view = made.get(generation) ?? generation.createView(schema)
    made.set(generation, view)
    return view
  }
}

async function answered(
  work: () => Promise<Reply | Response>,
  generation: MockGeneration,
  { request, onLeave }: { readonly request: HttpRequest; readonly onLeave: () => void },
): Promise<Response> {
  try {
    const reply = await work()
    return reply instanceof Response ? reply : await respond(reply, request, onLeave)
  } catch (error) {
    if (!(error instanceof TandemError)) throw error
    const { status, body, headers = {}, type } = generation.toErrorBody(error, request)
    const reply = json(body, status)
    return respond(
      withHeaders(type === undefined ? reply : { ...reply, body: { ...reply.body, type } }, headers),
      request,
      onLeave,
    )
  }
}

function refuseMethod(method: string, allowed: readonly string[]): Reply {
  if (method !== 'OPTIONS') throw new TandemError({ kind: 'method-not-allowed', method, allowed })
  return withHeaders(empty(204), { allow: allowed.join(', ') })
}

function assertProject({ project }: { readonly [name: string]: string }): void {
  if (project !== undefined && project !== '_') throw new TandemError({ kind: 'project-not-found', project })
}

type FoundOperation = Extract<Match<Served>, { readonly parameters: readonly string[] }>

function toPath({ endpoint, parameters }: FoundOperation): { readonly [name: string]: string } {
  try {
    return namePath(endpoint.names, parameters)
  } catch (cause) {
    const reason = 'Expected percent-encoded UTF-8 for the path but received other bytes'
    throw new TandemError({ kind: 'invalid-query', name: 'path', reason }, { cause })
  }
}

type Sent = {
  readonly sent: Request
  readonly request: HttpRequest
  readonly path: { readonly [name: string]: string }
  readonly isSearch: boolean
}

async function inputOf(
  { generation, route }: Operation,
  check: Check,
  { sent, request, path, isSearch }: Sent,
): Promise<object> {
  const bytes = await bytesOf(sent)
  const { headers, cookies } = request
  if (!isSearch) {
    const media = mediaOf(request, bytes !== null, route)
    // Forms and files have no rows; only their media type is checked.
    const checked = media?.includes('json') === true ? media : null
    const body = bytes === null || checked === null ? undefined : jsonOf(bytes)
    const parts = check({ path, query: request.query, body, media: checked, headers, cookies })
    return { path: parts.path, query: parts.query, body: parts.body }
  }
  const media = mediaOf(request, bytes !== null, { accepts: ['application/json'], bodyRequired: false })
  const input = bytes === null || media === null ? {} : jsonOf(bytes)
  const body = readSearchBody(input, { parameters: route.query, objects: objectParameters(generation.spec, route) })
  const parts = check({ path, query: {}, body, media: 'application/json', headers, cookies })
  const { query = {}, keys } = parts.body as {
    query?: { readonly [name: string]: unknown }
    keys?: readonly (string | number)[]
  }
  refuseReservedKeys(query)
  return { path: parts.path, query, body: undefined, ...(keys === undefined ? {} : { keys }) }
}
