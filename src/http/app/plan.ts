/** Answers with the plans of statements in place of rows, for administrators who accept `application/vnd.tandem.plan+json`. */
import { isUnlimited } from '../../authz/grants.ts'
import { planRequest } from '../../core/server/plan-request.ts'
import type { Context } from '../../domain/ports/context.ts'
import { invalidQuery, TandemError } from '../../domain/rights/errors.ts'
import { json, type Reply, withHeaders } from '../reply/reply.ts'
import type { HttpRequest } from '../request/request.ts'
import type { Endpoint } from './dispatch.ts'
import type { Served } from './served.ts'

export const planType = 'application/vnd.tandem.plan+json'

export const isPlan = ({ body }: Pick<Reply, 'body'>): boolean =>
  body !== null && 'type' in body && body.type === planType

function readPlanOptions({ headers }: Pick<HttpRequest, 'headers'>): { readonly analyze: boolean } {
  const { accept } = headers
  const [, ...parameters] = (
    String(accept)
      .split(',')
      .find((each) => each.includes(planType)) ?? ''
  ).split(';')
  const named = parameters.map((each) => each.trim().toLowerCase())
  const odd = named.find((each) => !/^(analyze=(true|false)|q=[\d.]+)$/.test(each))
  if (odd !== undefined)
    throw invalidQuery('accept', `Expected "analyze=true" or "analyze=false" for ${planType} but received "${odd}"`)
  return { analyze: named.includes('analyze=true') }
}

/** Runs the handler without reading rows or the response cache. Throws `forbidden`, and `invalid-query` for writes. */
export async function answerPlanned(
  { generation, route, handler }: Endpoint<Served>,
  { ctx, input, request }: { readonly ctx: Context; readonly input: object; readonly request: HttpRequest },
): Promise<Reply> {
  const options = readPlanOptions(request)
  if (!isUnlimited(ctx.actor)) throw new TandemError({ kind: 'forbidden' })
  const planned = planRequest(ctx, options)
  const { plans, refusal } = planned
  // GraphQL over HTTP refuses media types that it does not know.
  Reflect.set(request.headers, 'accept', 'application/json')
  const plain = generation.plainHandlers?.[route.operationId] ?? handler
  const failure = await plain(planned.ctx, input as never).then(
    () => null,
    (error: unknown) => error,
  )
  if (refusal() !== null) throw refusal()
  // An item that was not read is not found.
  if (plans.length === 0 && failure !== null) throw failure
  const reply = json({ data: { cost: planned.cost(), statements: plans } })
  return withHeaders({ ...reply, body: { ...reply.body, type: planType } }, { 'cache-control': 'no-store' })
}
