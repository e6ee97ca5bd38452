/**
 * Operations in the body of a request as the steps of a batch. Each passes the same stations as a request: it is found by
 * the specs, validated by them, and answered by its handler.
 */

import { assertReferences, hasReferences } from '../../../core/batch/references.ts'
import type { Step, StepAnswer } from '../../../core/batch/run-batch.ts'
import { isExact } from '../../../domain/conditions/exact-numbers.ts'
import type { Context } from '../../../domain/ports/context.ts'
import type { Route } from '../../../domain/ports/operation.ts'
import { invalidPayload, TandemError } from '../../../domain/rights/errors.ts'
import { ignoredFields } from '../../reply/ignored-fields.ts'
import { type Reply, textOfJson } from '../../reply/reply.ts'
import { parseQueryString, refuseReservedKeys } from '../../request/query-string.ts'
import type { HttpRequest } from '../../request/request.ts'
import { subRequest } from '../../request/sub-request.ts'
import type { OperationParts } from '../../validation/input.ts'
import { createDispatcher, type Endpoint } from '../dispatch.ts'
import { type Located, locate, type ParameterNames, searchOf } from './located-operations.ts'
import type { BatchOperation, ToSteps, Whole } from './step-types.ts'

type ReadParts = Pick<OperationParts, 'path' | 'body'> & { readonly media: string | null }

/** The stations that every request passes, for an operation that is a step. */
export type Stations<E> = {
  /** Throws for callers who may not call the operation, whatever they send. */
  readonly admit: (endpoint: Endpoint<E>, ctx: Context) => void
  readonly read: (endpoint: Endpoint<E>, request: HttpRequest, parts: ReadParts) => Promise<OperationParts>
  readonly answer: (endpoint: Endpoint<E>, ctx: Context, input: object) => Promise<Reply>
}

/** `endpoints`: those of one generation. */
export function createSteps<E extends ParameterNames>(
  endpoints: readonly Endpoint<E>[],
  stations: Stations<E>,
): ToSteps {
  const dispatcher = createDispatcher<E>({ endpoints, isProject: () => true })
  const byId = new Map(endpoints.map((endpoint) => [endpoint.route.operationId, endpoint]))
  return async (whole, operations) => {
    const steps: Step[] = []
    for (const [position, operation] of operations.entries()) {
      const at = `operations.${position}`
      const located = locate({ dispatcher, byId }, operation, { at, common: whole.path })
      assertPart(whole, operation, located, at)
      stations.admit(located.endpoint, whole.ctx)
      if (operation.references !== false) assertReferences(operation.body, position, `${at}.body`)
      assertReferences(located.path, position, `${at}.parameters`)
      assertReferences(located.query, position, `${at}.query`)
      const step = toStep(whole, located, { requested: operation, stations })
      if (!hasReferences(step.value)) await inPlace(position, () => step.check())
      steps.push(step)
    }
    return steps
  }
}

async function inPlace(position: number, work: () => Promise<unknown>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!(error instanceof TandemError)) throw error
    throw new TandemError(error.failures, { cause: error, operation: position })
  }
}

const isTransactional = ({ transactional }: Route): boolean => transactional === true

/** Deny by default: only operations that a transaction can undo may be parts. */
function assertPart<E>(
  { allows = isTransactional }: Whole,
  operation: BatchOperation,
  { endpoint: { route }, inPath, query }: Located<E>,
  at: string,
): void {
  if (!allows(route)) {
    const reason = `Expected an operation that a transaction can undo for "${at}" but received ${route.operationId}`
    throw invalidPayload(at, reason)
  }
  if ('access_token' in parseQueryString(searchOf(inPath, query)))
    throw invalidPayload(`${at}.path`, `Expected no "access_token" for "${at}.path": the caller is that of the batch`)
  if (operation.if_match !== undefined && route.headers?.includes('if-match') !== true) {
    throw invalidPayload(`${at}.if_match`, `Expected no "if_match" for ${route.operationId}`)
  }
  if (operation.body !== undefined && !route.accepts.includes('application/json')) {
    throw invalidPayload(`${at}.body`, `Expected no body for ${route.operationId}`)
  }
  if (operation.body === undefined && route.bodyRequired) {
    throw invalidPayload(`${at}.body`, `Expected a body for ${route.operationId} but received nothing`)
  }
}

type StepOptions<E> = { readonly requested: BatchOperation; readonly stations: Stations<E> }
type RequestParts = Pick<Located<unknown>, 'path' | 'query'> & { readonly body: unknown }

function toStep<E>(
  whole: Whole,
  located: Located<E>,
  { requested, stations }: StepOptions<E>,
): Step & { readonly check: () => Promise<unknown> } {
  const { endpoint } = located
  const { route } = endpoint
  const isLiteral = requested.references === false
  const read = async ({ path: values, query: wanted, body }: RequestParts) => {
    const path = textsOf(values)
    const way = route.path.replaceAll(/\{([^}]+)\}/g, (_, name: string) => encodeURIComponent(path[name] ?? ''))
    const search = searchOf(located.inPath, wanted)
    const query = parseQueryString(search)
    const url = search === '' ? way : `${way}?${search}`
    const ifMatch = requested.if_match ?? null
    const request = subRequest(whole.request, { method: route.method, path: way, query, url, ifMatch })
    refuseReservedKeys(query)
    const media = body === undefined ? null : 'application/json'
    return { request, input: await stations.read(endpoint, request, { path, body, media }) }
  }
  return {
    value: { path: located.path, query: located.query, body: isLiteral ? undefined : requested.body },
    check: () => read({ path: located.path, query: located.query, body: requested.body }),
    run: async (ctx, filled) => {
      const parts = filled as RequestParts
      const { request, input } = await read(isLiteral ? { ...parts, body: requested.body } : parts)
      const { ignored = new Set<string>(), ...others } = input
      return toAnswer(await stations.answer(endpoint, ctx, { ...others, request }), ignored)
    },
  }
}

function textsOf(values: RequestParts['path']): { readonly [name: string]: string } {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      if (isExact(value)) return [name, value.rawJSON]
      const isText = typeof value === 'string' && value !== '' && value.isWellFormed()
      if (isText || typeof value === 'number') return [name, String(value)]
      const expected = 'Expected a text without lone surrogates or a number'
      throw invalidPayload(name, `${expected} for "${name}" of "parameters"`)
    }),
  )
}

function toAnswer({ status, body, headers = {}, hasSecret }: Reply, ignored: ReadonlySet<string>): StepAnswer {
  if (body !== null && body.kind !== 'json' && body.kind !== 'json-text')
    throw new TandemError({ kind: 'unprocessable', reason: 'Expected an operation that is answered with JSON' })
  const replyHeaders = { ...headers, ...(ignored.size === 0 ? {} : ignoredFields(ignored)) }
  const shown = {
    ...(Object.keys(replyHeaders).length === 0 ? {} : { headers: replyHeaders }),
    ...(hasSecret === undefined ? {} : { hasSecret }),
  }
  if (body === null) return { status, text: null, ...shown }
  return { status, text: textOfJson(body), ...shown }
}
