/** GraphQL over HTTP: the library handles methods, media types and parameters. */
import { GraphQLError, type GraphQLFormattedError, OperationTypeNode } from 'graphql'
import { createHandler } from 'graphql-http'
import type { DocumentLimits } from '../domain/ports/settings.ts'
import { createDocuments, type Documents } from './documents.ts'
import { type ExecuteOptions, executeOperation, type Outcome, type ResolveRoot, type ToErrors } from './execute.ts'
import {
  type Prepared,
  type PreparedDocument,
  prepare,
  type RefusalCodes,
  readDocument,
  refusalsOf,
} from './prepare.ts'
import type { ServedSchema } from './schema/schema-types.ts'

/** A request with its schema and executor. */
export type Exchange = {
  readonly method: string
  readonly url: string
  readonly headers: { readonly [name: string]: string | readonly string[] | undefined }
  readonly body: unknown
  readonly served: () => ServedSchema
  readonly work: (operation: 'query' | 'mutation') => ResolveRoot
  readonly toErrors: ToErrors
  /** For mutations; see `Conduct`. */
  readonly transact?: NonNullable<ExecuteOptions['transact']>
  readonly assertPart?: NonNullable<ExecuteOptions['assertPart']>
  readonly isTogether?: boolean
  /** Receives the name of the operation that is run. */
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
type Context = Exchange & { prepared?: Prepared; outcome?: Outcome; refusal?: GraphQLError; isRefused?: true }
type Carried = { readonly context: Context }

/** Creates an endpoint; `documents` is its cache. */
export function createEndpoint(
  limits: DocumentLimits,
  codes: RefusalCodes,
  documents: Documents = createDocuments(limits),
): Endpoint {
  const handle = createLibraryHandler(documents, codes)
  return async (exchange) => {
    const { method, headers } = exchange
    const context: Context = { ...exchange }
    const request = {
      method,
      ...readSent(exchange, limits, context),
      headers: headers as { [name: string]: string },
      raw: null,
      context,
    }
    const [text, init] = await handle(request)
    const { outcome, isRefused } = context
    return {
      status: isRefused === true && !namesJson(headers) ? codes.status : init.status,
      headers: init.headers ?? {},
      pieces: outcome?.pieces ?? (text === null ? null : [text]),
      isWhole: outcome?.isWhole ?? false,
    }
  }
}

const namesJson = ({ accept = '' }: Exchange['headers']): boolean => String(accept).includes('application/json')

/** The library reads the request and forms the answer; our steps prepare and run the operation. */
const createLibraryHandler = (documents: Documents, codes: RefusalCodes) =>
  createHandler<unknown, Context, Carried>({
    onSubscribe: (request, params) => {
      const { refusal } = request.context
      if (refusal !== undefined) return [refusal]
      const prepared = prepare(documents, request.context, params)
      if (Array.isArray(prepared)) {
        request.context.isRefused = true
        return refusalsOf(prepared as readonly GraphQLError[], codes)
      }
      request.context.prepared = prepared as Prepared
      const { document, served } = prepared as Prepared
      const args = { schema: served.schema, document, contextValue: { context: request.context } }
      return params.operationName == null ? args : { ...args, operationName: params.operationName }
    },
    execute: async ({ contextValue }) => {
      const { context } = contextValue as Carried
      if (context.prepared === undefined) throw new Error('Expected a prepared operation')
      context.outcome = await runPrepared(context.prepared, context)
      return { data: {} }
    },
    formatError: (error) => withCode(error, codes),
  })

export function runPrepared(prepared: Prepared, exchange: Exchange): Promise<Outcome> {
  const { work, toErrors, onOperation, transact, assertPart, isTogether = false } = exchange
  const { name, operation } = prepared.definition
  if (name !== undefined) onOperation?.(name.value)
  return executeOperation(prepared, {
    work: work(operation === OperationTypeNode.MUTATION ? 'mutation' : 'query'),
    toErrors,
    isTogether,
    ...(transact && { transact }),
    ...(assertPart && { assertPart }),
  })
}

/** The request with the text of its document, if it names one that the server keeps. */
function readSent(
  exchange: Exchange,
  { persisted }: DocumentLimits,
  context: Pick<Context, 'refusal'>,
): Pick<PreparedDocument, 'url' | 'body'> {
  const { refusal, ...sent } = readDocument(exchange, persisted)
  if (refusal !== null) context.refusal = refusal
  return sent
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
