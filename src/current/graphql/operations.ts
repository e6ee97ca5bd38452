/** GraphQL operations on items and on system collections. The first request loads the engine. */
import type { Context } from '../../domain/ports/context.ts'
import type { Operations } from '../../domain/ports/messages.ts'
import type { CurrentGraphqlOperations } from '../../generated/current.ts'
import type { Handlers } from '../../http/app/handlers.ts'
import type { HttpRequest } from '../../http/request/request.ts'
import type { GraphqlRequest } from './graphql.ts'

export const graphql = {
  runGraphql: (ctx, { body, request }) => answer(ctx, { scope: 'items', request, body }),
  runGraphqlQuery: (ctx, { request }) => answer(ctx, { scope: 'items', request, body: null }),
  runSystemGraphql: (ctx, { body, request }) => answer(ctx, { scope: 'system', request, body }),
  runSystemGraphqlQuery: (ctx, { request }) => answer(ctx, { scope: 'system', request, body: null }),
} satisfies Handlers<CurrentGraphqlOperations>

async function answer(ctx: Context, request: GraphqlRequest) {
  const [{ answerGraphql }, { special }] = await (engine ??= loadEngine())
  return answerGraphql(ctx, request, special)
}

let engine: ReturnType<typeof loadEngine> | undefined
const loadEngine = () => Promise.all([import('./graphql.ts'), import('./system.ts')])

/** Operations over sockets. */
export async function openOperations(): Promise<Operations<HttpRequest>> {
  const [{ operationsWith }, { special }] = await Promise.all([import('./over-socket.ts'), import('./system.ts')])
  return operationsWith(special)
}
