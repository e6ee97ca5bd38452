/** Validates requests by the public factory of express-openapi-validator. */

import { mayLoseDigits, parseExactly } from '../../domain/conditions/exact-numbers.ts'
import { parseOr } from '../../domain/parse-or.ts'
import { invalidQuery } from '../../domain/rights/errors.ts'
import { refuseReservedKeys } from '../request/query-string.ts'
import type { EnforcementDocument } from './enforcement.ts'
import { type RequestParts, toRequestFailure } from './validation-failure.ts'

/** Method and path of an operation in the document. */
export type Form = { readonly method: string; readonly path: string }

export const nameOf = ({ method, path }: Form): string => `${method.toLowerCase()} ${path}`

/** Resolves with the coerced parts of a whole request; throws a TandemError that names the parameter. */
export type Validate = (form: Form, parts: RequestParts) => Promise<RequestParts>

/** The validator is loaded and built at the first request that needs it. */
export function createValidate(apiSpec: EnforcementDocument): Validate {
  let middlewares: Promise<readonly Middleware[]> | undefined
  return async (form, parts) => {
    const sent = toRequest(form, parts)
    try {
      for (const middleware of await (middlewares ??= middlewaresOf(apiSpec))) await run(middleware, sent)
    } catch (error) {
      throw toRequestFailure(error, { ...parts, query: sent.query }, form.path.startsWith('/@search'))
    }
    const { params, query, body } = sent
    refuseInfinite({ ...params, ...query }, { ...parts.path, ...parts.query })
    refuseReservedKeys(query)
    return { ...parts, path: params, query, body }
  }
}

type Middleware = (req: object, res: object, next: (error?: unknown) => void) => unknown

type InputValues = { readonly [name: string]: unknown }

/** The validator accepts `Infinity` and `1e400` as numbers, and no limit in a schema refuses them. */
const refuseInfinite = (checked: InputValues, sent: InputValues): void => {
  for (const [name, value] of Object.entries(checked)) {
    if (typeof value !== 'number' || Number.isFinite(value)) continue
    const reason = `Expected a finite number for "${name}" but received ${JSON.stringify(sent[name])}`
    throw invalidQuery(name, reason)
  }
}

/**
 * The documents are checked when the specs are built, so the validator does not check them again. It compiles the schema
 * of OpenAPI nevertheless, for 40 to 150 ms: plain requests do without.
 */
async function middlewaresOf(apiSpec: EnforcementDocument): Promise<readonly Middleware[]> {
  const { middleware } = await import('express-openapi-validator')
  return middleware({
    apiSpec: apiSpec as never,
    validateApiSpec: false,
    validateRequests: { allowUnknownQueryParameters: true, coerceTypes: false },
    validateResponses: false,
    validateSecurity: false,
    fileUploader: false,
  }) as unknown as readonly Middleware[]
}

/** The members of an application that the middlewares use. */
const app = { enabled: () => false, param: () => {} }

/** A request for the validator: its URL in the form of the document, its body already read. */
const toRequest = ({ method, path }: Form, parts: RequestParts) => {
  const url = path.replaceAll(/\{([^}]+)\}/g, (_, name: string) => encodeURIComponent(parts.path[name] ?? ''))
  const { 'content-type': _type, ...headers } = parts.headers
  return {
    app,
    method,
    path: url,
    originalUrl: url,
    baseUrl: '',
    headers: parts.media === null ? headers : { ...headers, 'content-type': parts.media },
    params: parts.path,
    query: withDigits(parts.query),
    cookies: parts.cookies,
    body: parts.body,
  }
}

/** The validator would round the numbers of objects that are sent as JSON text. */
function withDigits(query: RequestParts['query']): { [name: string]: unknown } {
  const exact: { [name: string]: unknown } = {}
  // The validator refuses invalid JSON.
  for (const [name, value] of Object.entries(query))
    exact[name] = isLossy(value) ? parseOr(value, value, parseExactly) : value
  return exact
}

const isLossy = (value: unknown): value is string =>
  typeof value === 'string' && /^\s*[[{]/.test(value) && mayLoseDigits(value)

/** Runs a middleware; rejects with the error that it passes to `next`. */
const run = (middleware: Middleware, request: object): Promise<void> =>
  new Promise((resolve, reject) => {
    const next = (error?: unknown): void => {
      if (error === undefined) resolve()
      else reject(error instanceof Error ? error : new Error('The validator failed', { cause: error }))
    }
    middleware(request, {}, next)
  })
