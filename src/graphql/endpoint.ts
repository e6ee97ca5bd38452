/** GraphQL over HTTP: the library decides about methods, media types and parameters; the work is ours. */
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
import { executeOperation, type Outcome, type ToErrors, type Work } from './execute.ts'
import type { ServedSchema } from './served-schema.ts'

/** What is asked of one schema, and who does it. */
export type Exchange = {
  readonly method: string
  readonly url: string
  readonly headers: { readonly [name: string]: string | readonly string[] | undefined }
  readonly body: unknown
  readonly served: () => ServedSchema
  readonly work: (operation: 'query' | 'mutation') => Work
  readonly toErrors: ToErrors
}

/** `isWhole`: something was answered and nothing failed. */
export type EndpointReply = {
  readonly status: number
  readonly headers: { readonly [name: string]: string }
  readonly pieces: readonly string[] | null
  readonly isWhole: boolean
}

export type Endpoint = (exchange: Exchange) => Promise<EndpointReply>

/** What the library hands from one of its steps to the next. */
type Context = Exchange & { prepared?: Prepared; outcome?: Outcome }
type Carried = { readonly context: Context }
type Prepared = Parameters<typeof executeOperation>[0]

/** The codes of failures that are found before an operation runs. */
export type RefusalCodes = {
  /** Of a document that does not fit. */
  readonly document: string | number
  /** Of a request that is none. */
  readonly request: string | number
  /** Whether everything that is wrong with a document is one failure. */
  readonly isTogether: boolean
}

/** One endpoint; it remembers documents that it has seen. */
export function createEndpoint(limits: DocumentLimits, codes: RefusalCodes): Endpoint {
  const documents = createDocuments(limits)
  const handle = createHandler<unknown, Context, Carried>({
    onSubscribe: (request, params) => {
      const prepared = prepare(documents, request.context, params)
      if (Array.isArray(prepared)) return refusalsOf(prepared as readonly GraphQLError[], codes)
      request.context.prepared = prepared as Prepared
      const { document, served } = prepared as Prepared
      const args = { schema: served.schema, document, contextValue: { context: request.context } }
      return params.operationName == null ? args : { ...args, operationName: params.operationName }
    },
    execute: async ({ contextValue }) => {
      const { context } = contextValue as Carried
      const { prepared, work, toErrors } = context
      if (prepared === undefined) throw new Error('An operation is prepared before it is executed')
      const kind = prepared.definition.operation === OperationTypeNode.MUTATION ? 'mutation' : 'query'
      context.outcome = await executeOperation(prepared, work(kind), toErrors)
      return { data: {} }
    },
    formatError: (error) => withCode(error, codes),
  })
  return async (exchange) => {
    const { method, url, headers, body } = exchange
    const context: Context = { ...exchange }
    const request = {
      method,
      url,
      headers: headers as { [name: string]: string },
      body: body as never,
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

/** The operation, or what is wrong with it. */
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

/** What is wrong with a document, without hints at names that nobody asked about. */
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

/** The library's own errors are about the request. */
function withCode(error: Readonly<GraphQLError | Error>, codes: RefusalCodes): GraphQLError | Error {
  if (error instanceof GraphQLError && error.extensions['code'] !== undefined) return error
  const formatted: GraphQLFormattedError = {
    message: error.message,
    extensions: { code: codes.request, ...(codes.isTogether ? { reason: error.message } : {}) },
  }
  return new GraphQLError(formatted.message, { extensions: formatted.extensions ?? {} })
}
