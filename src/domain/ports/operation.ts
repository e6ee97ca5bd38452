/**
 * Types of an operation of a spec: the input and output of its handler. `generated/` instantiates them with the types of
 * the specs, so that routes, handlers, SDK and tests share them.
 */

/** One row of a generated routes table. */
export type Route = {
  readonly operationId: string
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS'
  /** The path in OpenAPI notation: `/items/{collection}`. */
  readonly path: string
  readonly tag: string
  /** Whether the path also accepts SEARCH, with the query in the body. */
  readonly search: boolean
  /** Whether a transaction can undo all that the operation does, so that it may be a part of a batch. */
  readonly transactional?: boolean
  /** Whether it changes the data model, which not every database does in a transaction. */
  readonly changesModel?: boolean
  /** Whether it receives contents before the transaction in which it answers. */
  readonly receives?: boolean
  /** Names of the header parameters, in lower case. */
  readonly headers?: readonly string[]
  /** No caller is looked up, so that the operation answers without the database; it has no rights. Absent = false. */
  readonly independent?: boolean
  /** A caller whom the database cannot identify within seconds is the public without rights. Absent = false. */
  readonly unidentified?: boolean
  /** `none`: credentials are ignored. */
  readonly credentials: 'read' | 'none'
  /** Media types of the request body; empty if there is no body. */
  readonly accepts: readonly string[]
  readonly bodyRequired: boolean
  /** Names of the query parameters. */
  readonly query: readonly string[]
}

/** By operationId of an older generation: what takes its place. */
export type Successors = {
  readonly [operationId: string]: {
    /** Method and path of the old operation. */
    readonly called: string
    readonly operations: readonly { readonly id: string; readonly method: string; readonly path: string }[]
    /** What changes, in a sentence. */
    readonly changes: string
    /** Whether it remains when the older generation is turned off. */
    readonly stays: boolean
  }
}

type OpenApiOperation = {
  parameters: { query?: unknown; path?: unknown; header?: unknown; cookie?: unknown }
  requestBody?: unknown
  responses: { [status: number]: unknown }
}

type Present<T> = unknown extends T ? object : [NonNullable<T>] extends [never] ? object : NonNullable<T>

/** The JSON type of a body, if it has one: other media types are parsed into the same type. */
type ContentOf<Body> = Body extends { content: infer Content }
  ? Content extends { 'application/json': infer Value }
    ? Value
    : Content[keyof Content]
  : never

/** The validated input of an operation, derived from its openapi-typescript type. */
export type OperationInput<T extends OpenApiOperation> = {
  readonly path: Readonly<Present<T['parameters']['path']>>
  readonly query: Readonly<Present<T['parameters']['query']>>
  readonly body: [T['requestBody']] extends [{ content: unknown }]
    ? ContentOf<T['requestBody']>
    : [T['requestBody']] extends [{ content: unknown } | undefined]
      ? ContentOf<NonNullable<T['requestBody']>> | undefined
      : undefined
}

/** Additional input of SEARCH: the keys of the requested items. */
export type SearchInput = { readonly keys?: readonly (string | number)[] }

type Success = 200 | 201 | 202 | 204 | 206 | 302 | 303 | 304 | 307

/** A 503 response that is not an error: health checks return it regularly. */
type UnhealthyStatus<Responses> = Responses extends { 503: { content: { 'application/health+json': unknown } } }
  ? 503
  : never

/** The success responses of an operation: status, and content by media type. */
export type OperationOutput<T extends OpenApiOperation> = OutputOf<
  T['responses'],
  keyof T['responses'] & (Success | UnhealthyStatus<T['responses']>)
>

type OutputOf<Responses, Status extends keyof Responses> = {
  [Each in Status]: Responses[Each] extends { content: infer Content extends object }
    ? { readonly status: Each; readonly content: Content }
    : { readonly status: Each; readonly content: null }
}[Status]

/** Constraint of every generated `Operations` type. */
export type OperationTypes = {
  readonly input: object
  readonly output: { readonly status: number; readonly content: unknown }
}
