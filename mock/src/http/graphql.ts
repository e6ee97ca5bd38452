/** GraphQL on items. Fields of the system are not in its schema. */
import { answerGraphql, type Special } from '../../../src/current/graphql/graphql.ts'
import type { Context } from '../../../src/domain/ports/context.ts'
import type { AnyHandler } from '../../../src/http/app/handlers.ts'
import type { HttpRequest } from '../../../src/http/request/request.ts'

const special: Special = {
  familyOf: () => ({}),
  // Items have only the placeholder of an empty schema.
  runNamedRoot: async () => ({ kind: 'value', value: null }),
}

type Given = { readonly body?: unknown; readonly request: HttpRequest }

export const graphql: { readonly [operationId: string]: AnyHandler } = {
  runGraphql: (ctx: Context, { body, request }: Given) =>
    answerGraphql(ctx, { scope: 'items', request, body }, special),
  runGraphqlQuery: (ctx: Context, { request }: Given) =>
    answerGraphql(ctx, { scope: 'items', request, body: null }, special),
}
