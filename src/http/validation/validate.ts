/** Validates the requests of an operation and, if the settings ask for it, its answers against the spec. */
import type { Route } from '../../domain/ports/operation.ts'
import { invalidQuery } from '../../domain/rights/errors.ts'
import { refuseReservedKeys } from '../request/query-string.ts'
import { enforcementSpec, type SpecDocument, searchPath } from './enforcement.ts'
import { createValidators, type Form, type PathValidator, type RequestParts, toRequest } from './openapi-validator.ts'
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

/** Creates the checks of operations, keyed by operationId and, for SEARCH, `search:<operationId>`. */
export const createChecks = (
  spec: SpecDocument,
  routes: readonly Route[],
  options: CheckOptions,
): ReadonlyMap<string, OperationCheck> => {
  const validatorOf = createValidators((path) =>
    enforcementSpec(
      spec,
      routes.filter((route) => route.path === path),
      options,
    ),
  )
  const checks = new Map<string, OperationCheck>()
  for (const route of routes) {
    const { method, path, operationId } = route
    const validator = (): PathValidator => validatorOf(path)
    const reply: ReplyCheck = options.validateResponses ? createReplyCheck(spec, route) : () => null
    checks.set(operationId, createCheck(validator, { method, path }, reply))
    if (route.search)
      checks.set(`search:${operationId}`, createCheck(validator, { method: 'POST', path: searchPath(path) }, reply))
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

const createCheck = (validator: () => PathValidator, form: Form, reply: ReplyCheck): OperationCheck => ({
  request: async (parts) => {
    const sent = toRequest(form, parts)
    await validator()(sent).catch((error: unknown) => {
      throw toRequestFailure(error, { ...parts, query: sent.query }, form.path.startsWith('/@search'))
    })
    const { params, query, body } = sent
    refuseInfinite({ ...params, ...query }, { ...parts.path, ...parts.query })
    // Values sent as text were checked when parsed; some of these texts have become objects here.
    refuseReservedKeys(query)
    return { ...parts, path: params, query, body }
  },
  reply: async (parts) => {
    const fault = reply(parts)
    if (fault !== null) throw toReplyFailure(form, parts, fault)
  },
})
