/** The endpoints of a generation, built once at start. */

import { isUnlimited } from '../../authz/grants.ts'
import type { Route } from '../../domain/ports/operation.ts'
import { TandemError } from '../../domain/rights/errors.ts'
import type { HttpSettings } from '../settings.ts'
import { createChecks, type OperationCheck } from '../validation/checks.ts'
import { objectParameters, type SpecDocument } from '../validation/enforcement.ts'
import { formsOf } from '../validation/form-values.ts'
import { checkInput } from '../validation/input.ts'
import { unknownKeysOf } from '../validation/unknown-keys.ts'
import { refusesKey } from './batch/keyed.ts'
import type { ToSteps } from './batch/step-types.ts'
import { createSteps, type Stations } from './batch/steps.ts'
import { type Endpoint, parameterNames } from './dispatch.ts'
import { checkReply } from './in-flight-request.ts'
import type { Served } from './served.ts'
import type { Generation } from './served-generation.ts'

/** Creates one endpoint per route. A route without a handler prevents the start. */
export const endpointsOf = (generation: Generation, settings: HttpSettings): readonly Endpoint<Served>[] => {
  const { spec, routes, handlers, plainHandlers: plain = handlers } = generation
  const checks = createChecks(spec, routes, settings)
  const served = routes.map((route): Endpoint<Served> => {
    const handler = handlers[route.operationId]
    if (handler === undefined) throw new Error(`${generation.name} has no handler for ${route.operationId}`)
    const operation = operationOf(spec, route)
    const rules = { ...rulesOf(spec, route, settings), check: checks.get(route.operationId) as OperationCheck }
    const check = checks.get(`search:${route.operationId}`) as OperationCheck
    return {
      generation,
      route,
      handler,
      rules,
      search: route.search ? { ...rules, check, objects: objectParameters(spec, route) } : null,
      administratorsOnly: operation['x-administrators-only'] === true,
      isRaw: operation['x-raw'] === true,
      steps: null,
      names: parameterNames(route),
      refusesKey: refusesKey(route),
    }
  })
  const takesSteps = ({ route }: Endpoint<Served>): boolean => operationOf(spec, route)['x-batch'] === true
  // A batch may itself be run as a step, by an agent.
  const steps: ToSteps = (whole, operations) => toSteps(whole, operations)
  const parts = served.map((each) => ({
    ...each,
    handler: plain[each.route.operationId] ?? each.handler,
    steps: takesSteps(each) ? steps : null,
  }))
  const toSteps = createSteps(parts, stationsOf(settings))
  return served.map((each) => (takesSteps(each) ? { ...each, steps } : each))
}

function rulesOf(spec: SpecDocument, route: Route, settings: HttpSettings) {
  const { 'x-schema-body': isSchema, 'x-document': isDocument } = operationOf(spec, route)
  return {
    route,
    onlyQuery: knownQuery(spec, route, settings),
    maxPayload: isSchema === true ? Math.max(settings.maxSchema, settings.maxPayload) : settings.maxPayload,
    document: isDocument === true,
    forms: formsOf(spec, route),
    dropUnknown: settings.strictQuery ? null : unknownKeysOf(spec, route),
  }
}

const stationsOf = ({ validateResponses }: HttpSettings): Stations<Served> => ({
  admit({ administratorsOnly }, { actor }) {
    if (administratorsOnly && !isUnlimited(actor)) throw new TandemError({ kind: 'forbidden' })
  },
  read: ({ rules }, request, parts) => checkInput(request, parts, rules),
  async answer({ handler, rules, steps }, ctx, input) {
    const reply = await handler(ctx, (steps === null ? input : { ...input, steps }) as never)
    if (validateResponses) await checkReply(rules, reply)
    return reply
  },
})

const operationOf = (spec: SpecDocument, { path, method }: Route): { readonly [key: string]: unknown } => {
  const paths = spec.paths as {
    readonly [path: string]: { readonly [method: string]: { readonly [key: string]: unknown } }
  }
  return paths[path]?.[method.toLowerCase()] ?? {}
}

/** Query parameters allowed under STRICT_QUERY: the route's own and those that carry tokens. */
const knownQuery = (spec: SpecDocument, route: Route, { strictQuery }: HttpSettings): ReadonlySet<string> | null => {
  if (!strictQuery) return null
  const schemes = Object.values((spec.components as { securitySchemes?: object }).securitySchemes ?? {}) as readonly {
    readonly in?: string
    readonly name?: string
  }[]
  return new Set([
    ...route.query,
    ...schemes.flatMap(({ in: location, name }) => (location === 'query' && name !== undefined ? [name] : [])),
  ])
}
