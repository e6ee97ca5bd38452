/** `POST /{project}/gql`. The first request loads the engine. */
import type { LegacyGraphqlOperations } from '../../generated/legacy.ts'
import type { Handlers } from '../../http/app/handlers.ts'

export const graphql = {
  async runGraphql(ctx, input) {
    const { runGraphql } = await (engine ??= import('./graphql.ts'))
    return runGraphql(ctx, input)
  },
} satisfies Handlers<LegacyGraphqlOperations>

let engine: Promise<typeof import('./graphql.ts')> | undefined
