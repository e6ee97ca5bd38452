/** Validates the requests of an operation and, if the settings ask for it, its answers against the spec. */
import type { Route } from '../../domain/ports/operation.ts'
import { invalidQuery } from '../../domain/rights/errors.ts'
import { refuseReservedKeys } from '../request/query-string.ts'
import { enforcementSpec, type SpecDocument, searchPath } from './enforcement.ts'
import { createKnownValues, type KnownValues } from './known-values.ts'
import {
  type Form,
  type Learned,
  learnOperation,
  type Middlewares,
  pickMiddlewares,
  type RequestParts,
  run,
  toFacade,
} from './openapi-validator.ts'
import { createReplyCheck, type ReplyCheck, type ReplyParts } from './reply-check.ts'
import { toReplyFailure, toRequestFailure } from './validation-failure.ts'

/** The checks of one operation, or of its SEARCH form. */
export type OperationCheck = {
  /** Resolves with the coerced parts; throws a TandemError that names the parameter. */
  readonly request: (parts: RequestParts) => Promise<RequestParts>
  /** Throws if the spec does not allow the answer. */
  readonly reply: (parts: ReplyParts) => Promise<void>
}

export type CheckOptions = { readonly strictQuery: boolean; readonly validateResponses: boolean }

/** Creates the checks of some operations, keyed by operationId and, for SEARCH, `search:<operationId>`. */
export const createChecks = (
  spec: SpecDocument,
  routes: readonly Route[],
  options: CheckOptions,
): ReadonlyMap<string, OperationCheck> => {
  let made: Middlewares | null = null
  const middlewares = (): Middlewares => (made ??= pickMiddlewares(enforcementSpec(spec, routes, options)))
  const replyCheckOf = (route: Route): ReplyCheck =>
    options.validateResponses ? createReplyCheck(spec, route) : () => null
  const checks = new Map<string, OperationCheck>()
  for (const route of routes) {
    const reply = replyCheckOf(route)
    checks.set(route.operationId, createCheck(middlewares, { method: route.method, path: route.path }, reply))
    if (route.search) {
      const form = { method: 'POST', path: searchPath(route.path) }
      checks.set(`search:${route.operationId}`, createCheck(middlewares, form, reply))
    }
  }
  return checks
}

type InputValues = { readonly [name: string]: unknown }

/** The validator accepts `Infinity` and `1e400` as numbers, and no limit in a schema refuses them. */
const refuseInfinite = (checked: InputValues, sent: InputValues): void => {
  for (const [name, value] of Object.entries(checked)) {
    if (typeof value !== 'number' || Number.isFinite(value)) continue
    const reason = `Expected a finite number for "${name}" but received ${JSON.stringify(sent[name])}`
    throw invalidQuery(name, reason)
  }
}

const createCheck = (middlewares: () => Middlewares, form: Form, reply: ReplyCheck): OperationCheck => {
  let learning: Promise<Learned> | null = null
  let known: Learned | null = null
  let values: KnownValues | null = null
  const learn = async (): Promise<Learned> => {
    if (known !== null) return known
    known = await (learning ??= learnOperation(middlewares().metadata, form))
    values ??= createKnownValues(known.schema.parameters ?? [])
    return known
  }
  // The validator compiles an operation from the first request per media type, so that request must contain all
  // parameters.
  const compiled = new Set<string | null>()
  const request = async (parts: RequestParts): Promise<RequestParts> => {
    const passed = parts.media === null ? (values?.find(parts) ?? null) : null
    if (passed !== null) return passed === parts.query ? parts : { ...parts, query: passed }
    const learned = known ?? (await learn())
    const facade = toFacade(form, learned, parts, compiled.has(parts.media))
    try {
      await run(middlewares().request, facade)
    } catch (error) {
      throw toRequestFailure(error, { ...parts, query: facade.query }, form.path.startsWith('/@search'))
    }
    refuseInfinite({ ...facade.params, ...facade.query }, { ...parts.path, ...parts.query })
    // Values sent as text were checked when parsed; some of these texts have become objects here.
    refuseReservedKeys(facade.query)
    compiled.add(parts.media)
    if (parts.media === null) values?.keep(parts.query, facade.query)
    return { ...parts, path: facade.params, query: facade.query, body: facade.body }
  }
  return {
    request,
    reply: async (parts) => {
      const fault = reply(parts)
      if (fault !== null) throw toReplyFailure(form, parts, fault)
    },
  }
}
