/** GraphQL over HTTP: the library handles methods, media types and parameters. */
import {
  GraphQLError,
  type GraphQLFormattedError,
  getOperationAST,
  getVariableValues,
  OperationTypeNode,
} from 'graphql'
import { createHandler, type RequestParams } from 'graphql-http'
import type { DocumentLimits } from '../domain/ports/context.ts'
import { createDocuments } from './documents.ts'
import { type Admit, type Conduct, executeOperation, type Outcome, type ToErrors, type Work } from './execute.ts'
import { findDocument } from './persisted.ts'
import type { ServedSchema } from './schema-types.ts'

/** A request with its schema and executor. */
export type Exchange = {
  readonly method: string
  readonly url: string
  readonly headers: { readonly [name: string]: string | readonly string[] | undefined }
  readonly body: unknown
  readonly served: () => ServedSchema
  readonly work: (operation: 'query' | 'mutation') => Work
  readonly toErrors: ToErrors
  /** Throws if the fields of a query together ask for too much. */
  readonly admit?: Admit
  /** For mutations; see `Conduct`. */
  readonly transact?: NonNullable<Conduct['transact']>
  readonly assertPart?: NonNullable<Conduct['assertPart']>
  readonly isTogether?: boolean
  /** Is told the name of the operation that is run. */
  readonly onOperation?: (name: string) => void
}

/** `isWhole`: there is data and no error. */
export type EndpointReply = {
  readonly status: number
  readonly headers: { readonly [name: string]: string }
  readonly pieces: readonly string[] | null
  readonly isWhole: boolean
}

export type Endpoint = (exchange: Exchange) => Promise<EndpointReply>

/** State that the library passes between its steps. */
type Context = Exchange & { prepared?: Prepared; outcome?: Outcome; refusal?: GraphQLError }
type Carried = { readonly context: Context }
type Prepared = Parameters<typeof executeOperation>[0]

/** Error codes for failures before execution. */
export type RefusalCodes = {
  /** Code for an invalid document. */
  readonly document: string | number
  /** Code for an invalid request. */
  readonly request: string | number
  /** Whether all errors of a document are reported as one. */
  readonly isTogether: boolean
}

/** Creates an endpoint with its own document cache. */
export function createEndpoint(limits: DocumentLimits, codes: RefusalCodes): Endpoint {
  const documents = createDocuments(limits)
  const handle = createHandler<unknown, Context, Carried>({
    onSubscribe: (request, params) => {
      const { refusal } = request.context
      if (refusal !== undefined) return [refusal]
      const prepared = prepare(documents, request.context, params)
      if (Array.isArray(prepared)) return refusalsOf(prepared as readonly GraphQLError[], codes)
      request.context.prepared = prepared as Prepared
      const { document, served } = prepared as Prepared
      const args = { schema: served.schema, document, contextValue: { context: request.context } }
      return params.operationName == null ? args : { ...args, operationName: params.operationName }
    },
    execute: async ({ contextValue }) => {
      const { context } = contextValue as Carried
      const { prepared, work, toErrors, admit, onOperation, transact, assertPart, isTogether = false } = context
      if (prepared === undefined) throw new Error('Expected a prepared operation')
      const { name } = prepared.definition
      if (name !== undefined) onOperation?.(name.value)
      const kind = prepared.definition.operation === OperationTypeNode.MUTATION ? 'mutation' : 'query'
      context.outcome = await executeOperation(prepared, {
        work: work(kind),
        toErrors,
        isTogether,
        ...(admit && { admit }),
        ...(transact && { transact }),
        ...(assertPart && { assertPart }),
      })
      return { data: {} }
    },
    formatError: (error) => withCode(error, codes),
  })
  return async (exchange) => {
    const { method, headers } = exchange
    const context: Context = { ...exchange }
    const request = {
      method,
      ...readDocument(exchange, limits, context),
      headers: headers as { [name: string]: string },
      raw: null,
      context,
    }
    const [text, init] = await handle(request)
    const { outcome } = context
    return {
      status: init.status,
      headers: init.headers ?? {},
      pieces: outcome?.pieces ?? (text === null ? null : [text]),
      isWhole: outcome?.isWhole ?? false,
    }
  }
}

type Sent = { readonly url: string; readonly body: never }

/** The request with the text of its document, if it names one that the server keeps. */
function readDocument({ method, url, body }: Exchange, { persisted }: DocumentLimits, context: Context): Sent {
  const parameters = method === 'GET' ? new URLSearchParams(url.slice(url.indexOf('?') + 1)) : null
  const sent = parameters === null ? body : fromParameters(parameters)
  const found = findDocument(isObject(sent) ? sent : {}, persisted)
  if (found === 'as sent') return { url, body: body as never }
  if ('refusal' in found) context.refusal = found.refusal
  const query = 'refusal' in found ? '{ __typename }' : found.text
  if (parameters === null) return { url, body: { ...(sent as object), query } as never }
  parameters.set('query', query)
  return { url: `${url.split('?', 1)[0] ?? ''}?${parameters.toString()}`, body: body as never }
}

const isObject = (value: unknown): value is { readonly [name: string]: unknown } =>
  typeof value === 'object' && value !== null

/** Extensions that are no JSON are refused by the library. */
function fromParameters(parameters: URLSearchParams): { readonly [name: string]: unknown } {
  const { extensions, ...others } = Object.fromEntries(parameters)
  try {
    return { ...others, extensions: JSON.parse(extensions ?? 'null') as unknown }
  } catch {
    return others
  }
}

/** Prepares the operation, or returns its errors. */
function prepare(
  documents: ReturnType<typeof createDocuments>,
  { served: makeServed, method }: Context,
  { query, operationName, variables }: RequestParams,
): Prepared | readonly GraphQLError[] {
  let document: Prepared['document']
  try {
    document = documents.parse(query)
  } catch (error) {
    if (error instanceof GraphQLError) return [error]
    throw error
  }
  const served = makeServed()
  const errors = documents.validate(served.schema, document)
  if (errors.length > 0) return errors
  const definition = getOperationAST(document, operationName)
  if (definition == null) return [new GraphQLError('Expected the name of one of the operations.')]
  const isLeft = method === 'GET' && definition.operation === OperationTypeNode.MUTATION
  if (!isLeft && served.schema.getRootType(definition.operation) == null)
    return [new GraphQLError(`Expected a query, because there is no ${definition.operation} that may be run.`)]
  const inputs = variables ?? {}
  const read = getVariableValues(served.schema, definition.variableDefinitions ?? [], inputs, { maxErrors: 20 })
  if (read.errors !== undefined) return read.errors
  return { served, document, definition, variables: inputs, coerced: read.coerced }
}

/** The errors of a document, without hints at other names. */
function refusalsOf(errors: readonly GraphQLError[], codes: RefusalCodes): readonly GraphQLError[] {
  const details = errors.map(({ message, locations }) => ({
    message: message.replace(/ Did you mean [^?]*\?/, ''),
    ...(locations === undefined ? {} : { locations }),
  }))
  if (codes.isTogether) {
    const extensions = { errors: details, code: codes.document }
    return [new GraphQLError('GraphQL validation error.', { extensions })]
  }
  return errors.map(({ source, positions }, at) => {
    const extensions = { code: codes.document }
    return new GraphQLError(details[at]?.message ?? '', { source, positions, extensions })
  })
}

/** Adds the code to errors of the library, which concern the request. */
function withCode(error: Readonly<GraphQLError | Error>, codes: RefusalCodes): GraphQLError | Error {
  if (error instanceof GraphQLError && error.extensions['code'] !== undefined) return error
  const formatted: GraphQLFormattedError = {
    message: error.message,
    extensions: { code: codes.request, ...(codes.isTogether ? { reason: error.message } : {}) },
  }
  return new GraphQLError(formatted.message, { extensions: formatted.extensions ?? {} })
}
