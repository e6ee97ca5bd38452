/** `/graphql` and `/graphql/system`: one endpoint for both; the schema depends on the caller's permissions. */

import { runAsOne } from '../../core/batch/together.ts'
import { isOutdated, noteRefusal } from '../../core/database-faults.ts'
import { filesCollection } from '../../core/guards/guard-files.ts'
import { nothingSpent } from '../../domain/conditions/query-cost.ts'
import { memoizeBy } from '../../domain/memoize.ts'
import { showNamesIn } from '../../domain/model/system-spelling.ts'
import type { Context } from '../../domain/ports/context.ts'
import type { DocumentLimits } from '../../domain/ports/settings.ts'
import { invalidPayload, TandemError } from '../../domain/rights/errors.ts'
import { createDocuments, type Documents } from '../../graphql/documents.ts'
import { createEndpoint, type Endpoint } from '../../graphql/endpoint.ts'
import type { Answer, ResolveRoot, ToErrors } from '../../graphql/execute.ts'
import { defaultLimits } from '../../graphql/limits.ts'
import type { Root } from '../../graphql/schema/schema-types.ts'
import type { Scope } from '../../graphql/schema/template.ts'
import {
  createSocketOperations,
  type SocketExchange,
  type SocketOperation,
  type SocketOperations,
} from '../../graphql/socket-operations.ts'
import type { Cookie, JsonText, Reply } from '../../http/reply/reply.ts'
import type { HttpRequest } from '../../http/request/request.ts'
import { servedSchema } from '../views/graphql-schemas.ts'
import { graphqlView } from '../views/graphql-view.ts'
import { toErrorBody } from '../wire/errors.ts'
import type { Resolving } from './named.ts'
import { type Family, runCollectionRoot } from './roots.ts'

/** What some fields do that not every collection has. */
export type Special = {
  readonly familyOf: (collection: string) => Family
  readonly runNamedRoot: (operation: 'query' | 'mutation', resolving: Resolving) => Promise<Answer>
}

export type GraphqlRequest = { readonly scope: Scope; readonly request: HttpRequest; readonly body: unknown }

export async function answerGraphql(
  input: Context,
  graphqlRequest: GraphqlRequest,
  special: Special,
): Promise<Reply<200, JsonText>> {
  const { method, url, headers } = graphqlRequest.request
  const { exchange, cookies, faults, shown } = createRequestState(input, graphqlRequest, special)
  const reply = await endpointFor(input.limits.documents ?? defaultLimits)({
    ...exchange,
    method: method === 'HEAD' ? 'GET' : method,
    url,
    headers,
    // The answer is kept with all that was written, or nothing is.
    isTogether: headers['idempotency-key'] !== undefined,
  })
  const outdated = faults.find(isOutdated)
  if (outdated !== undefined && input.committed?.() !== true) throw outdated
  return { ...toReply(reply, cookies), ...(shown.some((name) => showingSecrets.has(name)) ? { hasSecret: true } : {}) }
}

/** Runs a query or mutation that came by a socket, or reads what a subscription asks. */
export async function beginGraphql(
  input: Context,
  graphqlRequest: GraphqlRequest,
  special: Special,
): Promise<SocketOperation> {
  const { exchange } = createRequestState(input, graphqlRequest, special, { isByHttp: false })
  return operationsFor(input.limits.documents ?? defaultLimits)(exchange)
}

/** What the fields leave. `shown`: names of those that were run under a name of their own. */
type RequestState = {
  readonly exchange: SocketExchange
  readonly cookies: readonly Cookie[]
  readonly faults: readonly unknown[]
  readonly shown: readonly string[]
}

/** How the fields of an operation are run. `isByHttp`: whether the answer can set cookies. */
function createRequestState(
  input: Context,
  { scope, request, body }: GraphqlRequest,
  { familyOf, runNamedRoot }: Special,
  { isByHttp } = { isByHttp: true },
): RequestState {
  const ctx: Context = { ...input, view: graphqlView(input.view, input.schema), spent: nothingSpent() }
  const cookies: Cookie[] = []
  const faults: unknown[] = []
  const shown: string[] = []
  const workIn =
    (operation: 'query' | 'mutation', own: Context, rest: Context): ResolveRoot =>
    (root, selected) => {
      if (root.kind !== 'named') return runCollectionRoot(own, root, { selected, family: familyOf(root.collection) })
      if (!isByHttp) assertBySocket(selected.name)
      shown.push(selected.name)
      return runNamedRoot(operation, { ctx: own, rest, request, cookies, selected })
    }
  const exchange: SocketExchange = {
    body,
    served: () => servedSchema(ctx, scope),
    work: (operation) => workIn(operation, operation === 'query' ? { ...ctx, asker: request } : ctx, input),
    toErrors: toErrors(ctx, faults),
    transact: (transaction, fields) =>
      runAsOne(input, transaction, (inner) =>
        fields(workIn('mutation', { ...inner, view: ctx.view, spent: nothingSpent() }, inner)),
      ),
    assertPart,
    onOperation: (name) => request.describe(name),
  }
  return { exchange, cookies, faults, shown }
}

/** Fields that begin and end sessions set cookies, which a socket cannot. */
function assertBySocket(name: string): void {
  if (name.startsWith('auth_'))
    throw invalidPayload(name, `Expected a request by HTTP for "${name}", because sockets set no cookies`)
}

/** Keeps the library's status: requests that it refuses are answered in the form of GraphQL. */
function toReply(reply: Awaited<ReturnType<Endpoint>>, cookies: readonly Cookie[]): Reply<200, JsonText> {
  const { 'content-type': type = 'application/json; charset=utf-8', ...headers } = reply.headers
  const text = reply.pieces ?? [
    `{"errors":[{"message":"Invalid GraphQL request","extensions":{"code":"INVALID_PAYLOAD"}}]}`,
  ]
  const stored = reply.isWhole ? headers : { ...headers, 'cache-control': 'no-store' }
  const own = type.startsWith('application/json')
    ? { kind: 'json-text' as const, text }
    : { kind: 'json-text' as const, text, type }
  return {
    status: reply.status as 200,
    body: own,
    ...(Object.keys(stored).length === 0 ? {} : { headers: stored }),
    ...(cookies.length === 0 ? {} : { cookies }),
    ...(reply.isWhole ? {} : { undone: true }),
  }
}

const codes = { document: 'GRAPHQL_VALIDATION', request: 'INVALID_PAYLOAD', isTogether: true, status: 400 } as const

const documentsFor = memoizeBy((limits: DocumentLimits): Documents => createDocuments(limits))

const endpointFor = memoizeBy((limits: DocumentLimits): Endpoint => createEndpoint(limits, codes, documentsFor(limits)))

const operationsFor = memoizeBy(
  (limits: DocumentLimits): SocketOperations => createSocketOperations(limits, codes, documentsFor(limits)),
)

/** Errors with the codes of this generation. Unexpected errors are logged and reveal nothing. */
const toErrors =
  ({ log, request, view }: Pick<Context, 'log' | 'request' | 'view'>, faults: unknown[]): ToErrors =>
  (error) => {
    faults.push(error)
    const requestId = request.id
    if (error instanceof TandemError) noteRefusal(log, { requestId }, error)
    else log.error({ err: error, requestId }, 'A field of a GraphQL request failed with an unexpected error')
    const { body } = toErrorBody(error instanceof TandemError ? error : null)
    return (showNamesIn(body, view.systemPrefix) as { readonly errors: ReturnType<ToErrors> }).errors
  }

/** Fields that show a secret once. */
const showingSecrets: ReadonlySet<string> = new Set(['create_keys_item', 'webhooks_rotate_secret'])

/** Fields of Mutation with a name of their own that a transaction can undo. */
const undoable: ReadonlySet<string> = new Set([
  'update_users_me',
  ...showingSecrets,
  'create_comment',
  'update_comment',
  'delete_comment',
  'versions_save',
  'versions_promote',
  'utils_sort',
  'utils_revert',
  'activity_revert',
])

/** Throws `invalid-payload` for a field that cannot be in a transaction with others, such as a login or an upload. */
function assertPart(root: Root, name: string): void {
  const isPart =
    root.kind === 'named' ? undoable.has(name) : root.collection !== filesCollection || root.kind.startsWith('delete')
  if (isPart) return
  throw invalidPayload(name, `Expected fields that a transaction can undo but received "${name}"`)
}
