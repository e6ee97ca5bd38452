/** GraphQL operations on items and on system collections. */
import type { CurrentGraphqlOperations } from '../../generated/current.ts'
import type { Handlers } from '../../http/app/handlers.ts'
import { answerGraphql } from './graphql.ts'
import { special } from './system.ts'

export const graphql = {
  runGraphql: (ctx, { body, request }) => answerGraphql(ctx, { scope: 'items', request, body }, special),
  runGraphqlQuery: (ctx, { request }) => answerGraphql(ctx, { scope: 'items', request, body: null }, special),
  runSystemGraphql: (ctx, { body, request }) => answerGraphql(ctx, { scope: 'system', request, body }, special),
  runSystemGraphqlQuery: (ctx, { request }) => answerGraphql(ctx, { scope: 'system', request, body: null }, special),
} satisfies Handlers<CurrentGraphqlOperations>
