/** GraphQL of the current generation, with documents of any typed source. */
import type { Client, RequestOptions } from './client.ts'
import { TandemApiError } from './errors.ts'

/**
 * A document whose type contains its result and variables: text, strings of graphql-codegen (`documentMode:
 * 'string'`), or parsed documents that keep their text.
 */
export type GraphqlDocument<Data, Variables> = {
  readonly __apiType?: (variables: Variables) => Data
} & (string | { toString(): string } | { readonly loc?: { readonly source: { readonly body: string } } })

export type GraphqlOptions = RequestOptions & {
  /** Sends the request to `/graphql/system`. */
  readonly system?: boolean
  readonly operationName?: string
}

type NoVariables = { readonly [name: string]: never }

/** Variables are optional if there are none. */
type VariablesOf<Variables> = NoVariables extends Variables ? [variables?: Variables | null] : [variables: Variables]

export type Graphql = {
  /** Resolves to the data. Throws a `TandemApiError` if a field fails; its `body` contains partial data. */
  <Data, Variables>(
    document: GraphqlDocument<Data, Variables>,
    ...rest: [...VariablesOf<Variables>, options?: GraphqlOptions]
  ): Promise<Data>
  /** As above for a text whose result is told: `graphql<{ articles: { title: string }[] }>('{ articles { title } }')`. */
  <Data>(document: string, variables?: object | null, options?: GraphqlOptions): Promise<Data>
  /** As above for an untyped text. */
  (document: string, variables?: object | null, options?: GraphqlOptions): Promise<{ [key: string]: unknown }>
}

type Answer = { readonly data?: unknown; readonly errors?: readonly unknown[] }

/** Creates the GraphQL function of a client. */
export function createGraphql(client: Client): Graphql {
  const ask = async (
    document: GraphqlDocument<unknown, unknown>,
    variables?: object | null,
    { system = false, operationName, headers, ...options }: GraphqlOptions = {},
  ): Promise<unknown> => {
    const operation = { method: 'POST', path: system ? '/graphql/system' : '/graphql' }
    const body = {
      query: textOf(document),
      ...(variables == null ? {} : { variables }),
      ...(operationName === undefined ? {} : { operationName }),
    }
    const accept = 'application/graphql-response+json, application/json'
    const answer = await client.request<Answer>(operation, { body }, { ...options, headers: { accept, ...headers } })
    if (answer.errors !== undefined) throw new TandemApiError('current', 200, answer)
    return answer.data
  }
  return ask as Graphql
}

function textOf(document: GraphqlDocument<unknown, unknown>): string {
  if (typeof document === 'string') return document
  if ('loc' in document && document.loc !== undefined) return document.loc.source.body
  const text: unknown = document.valueOf()
  if (typeof text === 'string') return text
  throw new TypeError('Expected a GraphQL document as text: print() of the package graphql makes one of it.')
}
