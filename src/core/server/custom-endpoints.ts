import type { Context } from '../../domain/ports/context.ts'
import type { EndpointRequest } from '../../domain/ports/extensions.ts'
import { TandemError } from '../../domain/rights/errors.ts'

/** Time limit of an endpoint, in milliseconds. */
const endpointTimeout = 10_000

/** Headers and parameters with credentials, which endpoints do not receive. */
const secret: ReadonlySet<string> = new Set(['authorization', 'cookie', 'proxy-authorization', 'access_token'])

const withoutSecrets = <T>(named: { readonly [name: string]: T }): { readonly [name: string]: T } =>
  Object.fromEntries(Object.entries(named).filter(([name]) => !secret.has(name)))

type CustomRequest = Pick<EndpointRequest, 'query' | 'headers'> & { readonly path: string }

/**
 * The response of the endpoint: text, or a value that JSON can represent. Throws `route-not-found` for unknown
 * endpoints. An endpoint that throws or exceeds the time limit is a server error.
 */
export async function askEndpoint(
  ctx: Pick<Context, 'project' | 'request' | 'server'>,
  id: string,
  { query, headers, path }: CustomRequest,
): Promise<string | object> {
  const endpoint = ctx.server.extensions?.endpoint(id) ?? null
  if (endpoint === null) throw notFound(path)
  const aborter = new AbortController()
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    aborter.abort()
    late.reject(new Error(`The endpoint "${id}" has not answered within ${endpointTimeout} ms`))
  }, endpointTimeout)
  try {
    const request: EndpointRequest = {
      project: ctx.project,
      query: withoutSecrets(query),
      headers: withoutSecrets(headers),
      ip: ctx.request.ip,
      signal: aborter.signal,
    }
    const answer: unknown = await Promise.race([endpoint(request), late.promise])
    if (answer === undefined || answer === null) throw notFound(path)
    return typeof answer === 'object' ? answer : `${answer as string | number | boolean}`
  } finally {
    clearTimeout(timer)
  }
}

const notFound = (path: string): TandemError => new TandemError({ kind: 'route-not-found', path })
