/** `POST /{project}/gql`: reads all collections by GraphQL, for administrators. */

import { isUnlimited } from '../../authz/grants.ts'
import { isOfDatabase, isOutdated, noteRefusal } from '../../core/database-faults.ts'
import { readItems } from '../../core/rows/read-items.ts'
import { nothingSpent } from '../../domain/conditions/query-cost.ts'
import { memoizeBy } from '../../domain/memoize.ts'
import type { Context, ReadContext } from '../../domain/ports/context.ts'
import type { DocumentLimits } from '../../domain/ports/settings.ts'
import { TandemError } from '../../domain/rights/errors.ts'
import { createEndpoint, type Endpoint } from '../../graphql/endpoint.ts'
import type { Answer, ResolveRoot, ToErrors } from '../../graphql/execute.ts'
import { defaultLimits } from '../../graphql/limits.ts'
import type { SelectedField } from '../../graphql/selected-field.ts'
import { type JsonText, jsonText, type Reply } from '../../http/reply/reply.ts'
import type { HttpRequest } from '../../http/request/request.ts'
import { withFileLinks } from '../files/file-links.ts'
import { marked, withItemNumbers } from '../handlers/recorded-items.ts'
import { readAllRevisions } from '../handlers/revisions.ts'
import { openSystemCollection } from '../wire/collections.ts'
import { toErrorBody } from '../wire/errors.ts'
import type { Read } from '../wire/query.ts'
import { type Rows, toMeta } from '../wire/serialize.ts'
import { readStatusCounts } from '../wire/status-counts.ts'
import { type ListRead, toReads } from './query.ts'
import { servedSchema } from './schema.ts'

type GraphqlInput = { readonly body: unknown; readonly request: HttpRequest }

export async function runGraphql(ctx: Context, { body, request }: GraphqlInput): Promise<Reply<200, JsonText>> {
  if (!isUnlimited(ctx.actor)) throw new TandemError({ kind: 'unauthenticated' })
  const faults: unknown[] = []
  const own: Context = { ...ctx, asker: request, spent: nothingSpent() }
  const work: ResolveRoot = (root, selected) => answerField(own, { collection: collectionOf(root), selected, request })
  const { pieces, status } = await endpointFor(ctx.limits.documents ?? defaultLimits)({
    method: 'POST',
    url: request.url,
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body,
    served: () => servedSchema(ctx),
    work: () => work,
    toErrors: toErrors(ctx, request, faults),
    onOperation: (name) => request.describe(name),
  })
  const outdated = faults.find(isOutdated)
  if (outdated !== undefined) throw outdated
  if (status !== 200 || pieces === null) throw refused
  return jsonText(pieces)
}

/** The library's word for a body that the spec lets pass. */
const refused = new TandemError({ kind: 'invalid-payload', reason: 'Expected a query of GraphQL' })

const endpointFor = memoizeBy(
  (limits: DocumentLimits): Endpoint =>
    createEndpoint(limits, { document: 4, request: 4, isTogether: false, status: 200 }),
)

const collectionOf = (root: Parameters<ResolveRoot>[0]): string => {
  if (root.kind === 'named') throw new Error('Every field of the schema is a collection')
  return root.collection
}

type Field = { readonly collection: string; readonly selected: SelectedField; readonly request: HttpRequest }

async function answerField(ctx: ReadContext & Pick<Context, 'project'>, field: Field): Promise<Answer> {
  const { collection, selected, request } = field
  const reads = toReads(selected, collection, openSystemCollection(ctx, collection, 'read').visible)
  const answers = await Promise.all(reads.map((each) => readList(ctx, each, field)))
  const [first] = answers
  if (first === undefined) throw new Error('A field is answered by at least one read')
  if (selected.args['id'] != null && first.rowCount === 0) throw new TandemError({ kind: 'item-not-found', collection })
  const facts = await factsOf(ctx, { read: reads[0].read, rows: first, request })
  const entries = selected.fields.map(({ key, name, parent, fields }): readonly string[] => {
    const at = `${JSON.stringify(key)}:`
    if (name === 'data') return [at, ...(answers[reads.findIndex((each) => each.selected?.key === key)]?.pieces ?? [])]
    return [at, JSON.stringify(name === 'meta' ? toFacts(fields, facts) : parent)]
  })
  return { kind: 'text', text: ['{', ...entries.flatMap((each, at) => (at === 0 ? each : [',', ...each])), '}'] }
}

async function readList(
  ctx: ReadContext & Pick<Context, 'project'>,
  { selected, read }: ListRead,
  { collection, request }: Field,
): Promise<Rows> {
  const links = { collection, request, keys: selected?.fields }
  // The handler of REST names the states of items by the fields that rows have.
  const isNamed = selected?.fields.every(({ key, name }) => key === name) === true
  if (collection === 'platform_revisions' && isNamed)
    return withFileLinks(ctx, (await readAllRevisions(ctx, read)).rows, links)
  const isHistory = collection === 'platform_activity' || collection === 'platform_revisions'
  const query = isHistory ? marked(read.query) : read.query
  const rows = await readItems(ctx, query)
  if (selected === null) return rows
  const items = selected.fields.flatMap(({ key, name }) => (name === 'item' ? [key] : []))
  return withItemNumbers(ctx, query, await withFileLinks(ctx, rows, links), items)
}

type ReadAnswer = { readonly read: Read; readonly rows: Rows; readonly request: HttpRequest }

async function factsOf(
  ctx: ReadContext,
  { read, rows, request }: ReadAnswer,
): Promise<{ readonly [name: string]: unknown }> {
  const statusCounts = read.meta.has('status_count') ? await readStatusCounts(ctx, read.query.collection) : null
  return toMeta(read, rows, { isPublic: false, view: ctx.view, request, statusCounts })
}

const toFacts = (wanted: readonly SelectedField[], facts: { readonly [name: string]: unknown }): object =>
  Object.fromEntries(
    wanted.map(({ key, name, parent }) => [key, name === '__typename' ? parent : (facts[name] ?? null)]),
  )

/** Failures with the numbers of this generation; internal errors are logged and their text is hidden. */
const toErrors =
  ({ log }: Pick<Context, 'log'>, request: HttpRequest, faults: unknown[]): ToErrors =>
  (error) => {
    faults.push(error)
    const failure = error instanceof TandemError ? error : null
    const requestId = request.id
    if (failure === null)
      log.error({ err: error, requestId }, 'A field of a GraphQL request failed by a fault of the server')
    else noteRefusal(log, { requestId }, failure)
    const { error: text } = toErrorBody(failure, request, isOfDatabase(error)).body as {
      readonly error: { readonly code: number; readonly message: string }
    }
    return [{ message: text.message, extensions: { code: text.code } }]
  }
