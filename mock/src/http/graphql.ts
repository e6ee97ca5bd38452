/** GraphQL of the current generation from rows. What would need a database is refused. */
import { answerGraphql, type Special } from '../../../src/current/graphql/graphql.ts'
import { special as ofServer } from '../../../src/current/graphql/system.ts'
import type { Context } from '../../../src/domain/ports/context.ts'
import { TandemError } from '../../../src/domain/rights/errors.ts'
import type { Scope } from '../../../src/graphql/template.ts'
import type { HttpRequest } from '../../../src/http/request/request.ts'

const special: Special = {
  familyOf: ofServer.familyOf,
  runNamedRoot: async (operation, resolving) => {
    const { name } = resolving.selected
    if (!needsDatabase.test(name)) return ofServer.runNamedRoot(operation, resolving)
    throw new TandemError({ kind: 'unprocessable', reason: `The mock has no database for "${name}"` })
  },
}

/** Changes of the data model, history, imports and what is about the server itself. */
const needsDatabase =
  /^((create|update|delete)_(collections|fields|relations)_|schema_(apply|diff)|server_(health|setup|specs_oas|specs_asyncapi)|utils_(sort|revert|cache_clear|import|export)|import_file|(create|update|delete)_comment$)/

type GraphqlInput = { readonly body?: unknown; readonly request: HttpRequest }

const answerIn =
  (scope: Scope) =>
  (ctx: Context, { body = null, request }: GraphqlInput) =>
    answerGraphql(ctx, { scope, request, body }, special)

export const graphql = {
  runGraphql: answerIn('items'),
  runGraphqlQuery: answerIn('items'),
  runSystemGraphql: answerIn('system'),
  runSystemGraphqlQuery: answerIn('system'),
}
