/** From a request to an operation that can be run: its document, parsed and validated within limits, and its variables. */
import {
  type ArgumentNode,
  GraphQLError,
  getOperationAST,
  getVariableValues,
  isNonNullType,
  Kind,
  OperationTypeNode,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql'
import { memoizeBy } from '../domain/memoize.ts'
import type { DocumentLimits, PersistedDocuments } from '../domain/ports/settings.ts'
import type { Documents } from './documents.ts'
import type { Operation } from './execute.ts'
import { respelled } from './schema/respelled.ts'
import type { ServedSchema } from './schema/schema-types.ts'

/** An operation that can be run. */
export type Prepared = Operation

/** Error codes for failures before execution. */
export type RefusalCodes = {
  readonly document: string | number
  readonly request: string | number
  /** Whether all errors of a document are reported as one. */
  readonly isTogether: boolean
  /** Status of a refused document for clients that do not name `application/json`; those get 200, as the draft has it. */
  readonly status: 200 | 400
}

export type OperationParameters = {
  readonly query: string
  readonly operationName?: string | null | undefined
  readonly variables?: { readonly [name: string]: unknown } | null | undefined
}

/** The method of operations that did not come by HTTP. */
export const overSocket = 'SOCKET'

export type IncomingDocument = { readonly method: string; readonly url: string; readonly body: unknown }

/** `refusal`: why the document that the request names is refused. */
export type PreparedDocument = { readonly url: string; readonly body: never; readonly refusal: GraphQLError | null }

/** The request with the text of its document, if it names one that the server keeps. */
export function readDocument(
  { method, url, body }: IncomingDocument,
  persisted: DocumentLimits['persisted'],
): PreparedDocument {
  const parameters = method === 'GET' ? new URLSearchParams(url.slice(url.indexOf('?') + 1)) : null
  const sent = parameters === null ? body : fromParameters(parameters)
  const document = findDocument(isObject(sent) ? sent : {}, persisted)
  if (document === 'as sent') return { url, body: body as never, refusal: null }
  const refusal = 'refusal' in document ? document.refusal : null
  const query = 'refusal' in document ? '{ __typename }' : document.text
  if (parameters === null) return { url, body: { ...(sent as object), query } as never, refusal }
  parameters.set('query', query)
  return { url: `${url.split('?', 1)[0] ?? ''}?${parameters.toString()}`, body: body as never, refusal }
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

export function prepare(
  documents: Documents,
  { served: makeServed, method }: { readonly served: () => ServedSchema; readonly method: string },
  { query, operationName, variables }: OperationParameters,
): Prepared | readonly GraphQLError[] {
  let sent: Prepared['document']
  try {
    sent = documents.parse(query)
  } catch (error) {
    if (error instanceof GraphQLError) return [error]
    throw error
  }
  const served = makeServed()
  const document = respelled(served.schema, sent)
  const errors = documents.validate(served.schema, document)
  if (errors.length > 0) return errors
  const definition = getOperationAST(document, operationName)
  if (definition == null) return [new GraphQLError('Expected the name of one of the operations.')]
  if (definition.operation === OperationTypeNode.SUBSCRIPTION && method !== overSocket)
    return [new GraphQLError('Expected a query or a mutation, because subscriptions are served by WebSocket.')]
  const isLeft = method === 'GET' && definition.operation === OperationTypeNode.MUTATION
  if (!isLeft && served.schema.getRootType(definition.operation) == null)
    return [new GraphQLError(`Expected a query, because there is no ${definition.operation} that may be run.`)]
  const inputs = variables ?? {}
  const read = getVariableValues(served.schema, definition.variableDefinitions ?? [], inputs, { maxErrors: 20 })
  if (read.errors !== undefined) return read.errors
  const nulls = nullErrors(served, document, inputs)
  if (nulls.length > 0) return nulls
  return { served, document, definition, variables: inputs, coerced: read.coerced }
}

/** A variable with a default can still be null where its argument must not be, which only its value shows. */
function nullErrors(
  { schema }: ServedSchema,
  document: Prepared['document'],
  variables: { readonly [name: string]: unknown },
): readonly GraphQLError[] {
  if (!Object.values(variables).includes(null)) return []
  const info = new TypeInfo(schema)
  const errors: GraphQLError[] = []
  const Argument = (node: ArgumentNode): void => {
    const { name, value } = node
    const type = info.getArgument()?.type
    if (value.kind !== Kind.VARIABLE || variables[value.name.value] !== null || !isNonNullType(type)) return
    const expected = `Expected a value for "${name.value}" but received null in the variable "$${value.name.value}"`
    errors.push(new GraphQLError(`${expected}.`, { nodes: node }))
  }
  visit(document, visitWithTypeInfo(info, { Argument }))
  return errors
}

/** The errors of a document, without hints at other names, which the caller may not see. */
export function refusalsOf(errors: readonly GraphQLError[], codes: RefusalCodes): readonly GraphQLError[] {
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

/** The text of the requested document, or the reason to refuse it. */
type NamedDocument = { readonly text: string } | { readonly refusal: GraphQLError } | 'as sent'

type Request = { readonly [name: string]: unknown }

/** The document of a request. `as sent`: its own text, or that it has none, is dealt with as always. */
function findDocument(request: Request, persisted: PersistedDocuments | null): NamedDocument {
  if (persisted === null) return hashOf(request) === null || hasText(request) ? 'as sent' : unknownDocument()
  if (hasText(request)) {
    const isKnown = !persisted.isOnly || textsOf(persisted).has(request['query'] as string)
    return isKnown ? 'as sent' : refusal('Expected a document that the server knows', 'PERSISTED_QUERY_ONLY')
  }
  const hash = hashOf(request)
  if (hash === null) return 'as sent'
  const text = persisted.texts.get(hash)
  return text === undefined ? unknownDocument() : { text }
}

const hasText = ({ query }: Request): boolean => query !== undefined && query !== null && query !== ''

/** `documentId` is the name of the draft, `extensions.persistedQuery` that of an older convention. */
function hashOf({ documentId, extensions }: Request): string | null {
  const older = member(member(extensions, 'persistedQuery'), 'sha256Hash')
  const hash = documentId ?? older
  return typeof hash === 'string' ? hash.replace(/^sha256:/, '').toLowerCase() : null
}

const member = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Request)[name] : undefined

const textsOf = memoizeBy((persisted: PersistedDocuments): ReadonlySet<string> => new Set(persisted.texts.values()))

const refusal = (message: string, code: string): NamedDocument => ({
  refusal: new GraphQLError(message, { extensions: { code } }),
})

/** The message is a word of the convention: its clients send the text then. */
const unknownDocument = (): NamedDocument => refusal('PersistedQueryNotFound', 'PERSISTED_QUERY_NOT_FOUND')
