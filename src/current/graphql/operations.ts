/** GraphQL operations on items and on system collections. */
import type { CurrentGraphqlOperations } from '../../generated/current.ts'
import type { Handlers } from '../../http/app/handlers.ts'
import { answerGraphql } from './graphql.ts'

export const graphql = {
  runGraphql: (ctx, { body, request }) => answerGraphql(ctx, { scope: 'items', request, body }),
  runGraphqlQuery: (ctx, { request }) => answerGraphql(ctx, { scope: 'items', request, body: null }),
  runSystemGraphql: (ctx, { body, request }) => answerGraphql(ctx, { scope: 'system', request, body }),
  runSystemGraphqlQuery: (ctx, { request }) => answerGraphql(ctx, { scope: 'system', request, body: null }),
} satisfies Handlers<CurrentGraphqlOperations>
