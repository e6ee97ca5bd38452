/**
 * An operation of a spec as types: what a handler gets and what it may answer. `generated/` fills
 * these in from the OpenAPI types, so that routes, handlers, SDK and tests speak of the same thing.
 */

/** One row of a generated routes table. */
export type Route = {
  readonly operationId: string
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS'
  /** OpenAPI form: `/items/{collection}`. */
  readonly path: string
  readonly tag: string
  /** SEARCH on the path asks the same with a body. */
  readonly search: boolean
  /** `none`: credentials are not even read. */
  readonly credentials: 'read' | 'none'
  /** Media types of the request body; empty when there is none. */
  readonly accepts: readonly string[]
  readonly bodyRequired: boolean
  /** Names of the query parameters. */
  readonly query: readonly string[]
}

type OpenApiOperation = {
  parameters: { query?: unknown; path?: unknown; header?: unknown; cookie?: unknown }
  requestBody?: unknown
  responses: { [status: number]: unknown }
}

type Present<T> = unknown extends T ? object : [NonNullable<T>] extends [never] ? object : NonNullable<T>

/** Where a body may come as JSON, every other form of it is read into the same. */
type ContentOf<Body> = Body extends { content: infer Content }
  ? Content extends { 'application/json': infer Value }
    ? Value
    : Content[keyof Content]
  : never

/** The validated input of an operation, from an openapi-typescript operation. */
export type OperationInput<T extends OpenApiOperation> = {
  readonly path: Readonly<Present<T['parameters']['path']>>
  readonly query: Readonly<Present<T['parameters']['query']>>
  readonly body: [T['requestBody']] extends [{ content: unknown }]
    ? ContentOf<T['requestBody']>
    : [T['requestBody']] extends [{ content: unknown } | undefined]
      ? ContentOf<NonNullable<T['requestBody']>> | undefined
      : undefined
}

/** What SEARCH adds: the keys of the items that are asked for. */
export type SearchInput = { readonly keys?: readonly (string | number)[] }

type Success = 200 | 201 | 202 | 204 | 206 | 302 | 303 | 304 | 307

/** 503 is also the regular answer of a health check. */
type Ill<Responses> = Responses extends { 503: { content: { 'application/health+json': unknown } } } ? 503 : never

/** The successful answers of an operation: status and, by media type, content. */
export type OperationOutput<T extends OpenApiOperation> = OutputOf<
  T['responses'],
  keyof T['responses'] & (Success | Ill<T['responses']>)
>

type OutputOf<Responses, Status extends keyof Responses> = {
  [Each in Status]: Responses[Each] extends { content: infer Content extends object }
    ? { readonly status: Each; readonly content: Content }
    : { readonly status: Each; readonly content: null }
}[Status]

/** What every generated `Operations` type is made of. */
export type OperationTypes = {
  readonly input: object
  readonly output: { readonly status: number; readonly content: unknown }
}
