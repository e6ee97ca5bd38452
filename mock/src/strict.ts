/** Strict mode: requests that the spec does not allow become errors of the test. */
import type { Failure, TandemError } from '../../src/domain/rights/errors.ts'
import type { Schema } from '../../src/domain/schema/schema.ts'
import type { MockRequestError } from './api.ts'
import type { MockGeneration } from './http/generation.ts'
import type { Operation } from './http/serve.ts'

const unfit: ReadonlySet<Failure['kind']> = new Set<Failure['kind']>([
  'route-not-found',
  'method-not-allowed',
  'unsupported-media-type',
  'invalid-query',
  'invalid-payload',
  'collection-not-found',
  'field-not-found',
  'not-relational',
  'not-scalar',
  'unknown-operator',
  'value-too-long',
  'value-out-of-range',
])

/** Rules of the owner of the data are no part of the spec; types are. */
const isUnfit = (failure: Failure): boolean =>
  unfit.has(failure.kind) || (failure.kind === 'failed-validation' && failure.type === 'type')

/** Every operation takes it, and the spec names it among the credentials. */
const credential = 'access_token'

export function createStrict(schema: Schema) {
  const failures = new Map<string, readonly string[]>()
  const note = (id: string, error: TandemError | null, body: unknown): void => {
    if (error?.failures.some(isUnfit)) failures.set(id, messagesOf(body))
  }
  return {
    watch: (generation: MockGeneration): MockGeneration => ({
      ...generation,
      toErrorBody(error, request) {
        const answer = generation.toErrorBody(error, request)
        note(request.id, error, answer.body)
        return answer
      },
    }),
    /** Throws a `MockRequestError` for an answer to a request that the spec does not allow. */
    async check(request: Request, operation: Operation | null, response: Response): Promise<Response> {
      const id = response.headers.get('x-request-id') ?? ''
      const unknown = response.ok ? await unknownFields(schema, request, operation) : []
      const faults = [...unknownParameters(request, operation), ...unknown, ...(failures.get(id) ?? [])]
      failures.delete(id)
      if (faults.length === 0) return response
      const called = `${request.method} ${operation?.route.path ?? new URL(request.url).pathname}`
      const name = operation === null ? called : `${operation.route.operationId} (${called})`
      const properties = {
        name: 'MockRequestError',
        operation: operation?.route.operationId ?? null,
        response,
      } as const
      throw Object.assign(new Error(`${name}: ${faults.join('; ')}`), properties) satisfies MockRequestError
    },
  }
}

function unknownParameters({ url }: Request, operation: Operation | null): readonly string[] {
  if (operation === null) return []
  const parameters = [...operation.route.query, credential]
  const names = [...new URL(url).searchParams.keys()].map((name) => name.split('[', 1)[0] ?? name)
  return [...new Set(names)]
    .filter((name) => !parameters.includes(name))
    .map((name) => `Expected one of the parameters ${parameters.join(', ')} but received "${name}"`)
}

/** Names in written items that no field has; the server leaves them out. Nested items are not looked at. */
async function unknownFields(
  schema: Schema,
  request: Request,
  operation: Operation | null,
): Promise<readonly string[]> {
  const isWrite = request.method === 'POST' || request.method === 'PATCH'
  if (!isWrite || operation?.route.path.startsWith('/items/{collection}') !== true) return []
  const [, name = ''] = /\/items\/([^/]+)/.exec(decodeURI(new URL(request.url).pathname)) ?? []
  const collection = schema.collections.get(name)
  if (collection === undefined) return []
  const body: unknown = await request
    .clone()
    .json()
    .catch(() => null)
  const isField = (field: string): boolean => collection.fields.has(field)
  const sent = [itemsOf(body, isField)]
    .flat()
    .flatMap((item) => (typeof item === 'object' && item !== null ? Object.keys(item) : []))
  return [...new Set(sent)]
    .filter((field) => !isField(field))
    .map((field) => `Expected a field of the collection "${name}" but received "${field}"`)
}

/** Writes of many items by keys or by a query have their values in `data`. */
const itemsOf = (body: unknown, isField: (field: string) => boolean): unknown =>
  typeof body === 'object' && body !== null && 'data' in body && !isField('data') ? body.data : body

/** All texts named `message` in an error body. */
function messagesOf(body: unknown): readonly string[] {
  if (typeof body !== 'object' || body === null) return []
  const messages = Object.entries(body).flatMap(([name, value]): readonly string[] =>
    name === 'message' && typeof value === 'string' ? [value] : messagesOf(value),
  )
  return [...new Set(messages)]
}
