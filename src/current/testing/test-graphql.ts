/** Runs GraphQL requests without a socket. */
import { openTestWorld, type TestWorld } from '../../core/testing/test-context.ts'
import type { Context } from '../../domain/ports/context.ts'
import type { Actor } from '../../domain/rights/actor.ts'
import type { Scope } from '../../graphql/schema/template.ts'
import type { HttpRequest } from '../../http/request/request.ts'
import { answerGraphql } from '../graphql/graphql.ts'
import { special } from '../graphql/system.ts'
import { createView } from '../views/schema-view.ts'

export type GraphqlWorld = TestWorld & {
  readonly ask: (query: string, options?: AskOptions) => Promise<GraphqlBody>
  /** With this generation's view of the schema. */
  readonly current: Context
}

export type AskOptions = {
  readonly variables?: object
  readonly actor?: Actor
  readonly scope?: Scope
  readonly changes?: Partial<Context>
}

export type GraphqlBody = {
  readonly data?: { readonly [key: string]: unknown } | null
  readonly errors?: readonly {
    readonly message: string
    readonly path?: readonly string[]
    readonly extensions: { readonly code: string; readonly errors?: readonly { readonly message: string }[] }
  }[]
}

export async function openGraphqlWorld(): Promise<GraphqlWorld> {
  const world = await openTestWorld()
  const current: Context = { ...world.ctx, view: createView(world.ctx.schema) }
  const ask = async (query: string, { variables, actor, scope = 'items', changes }: AskOptions = {}) => {
    const request = {
      method: 'POST',
      url: '/graphql',
      headers: { 'content-type': 'application/json' },
      cookies: {},
      describe: () => undefined,
    }
    const ctx = { ...current, ...changes, ...(actor === undefined ? {} : { actor }) }
    const body = { query, variables: variables ?? null }
    const reply = await answerGraphql(ctx, { scope, request: request as unknown as HttpRequest, body }, special)
    return JSON.parse([reply.body.text].flat().join('')) as GraphqlBody
  }
  return { ...world, current, ask }
}
