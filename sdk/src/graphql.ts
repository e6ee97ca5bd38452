/** GraphQL of the current generation: documents as text, typed by whatever made them. */
import type { Client, RequestOptions } from './client.ts'
import { TandemApiError } from './errors.ts'

/**
 * A document and, in its type, what it answers with and which variables it takes. Text, the strings of graphql-codegen
 * (`documentMode: 'string'`), and documents that were parsed from a text and remember it.
 */
export type GraphqlDocument<Data, Variables> = {
  readonly __apiType?: (variables: Variables) => Data
} & (string | { toString(): string } | { readonly loc?: { readonly source: { readonly body: string } } })

export type GraphqlOptions = RequestOptions & {
  /** Asks `/graphql/system`. */
  readonly system?: boolean
  readonly operationName?: string
}

type NoVariables = { readonly [name: string]: never }

/** Variables may be left out where there are none. */
type VariablesOf<Variables> = NoVariables extends Variables ? [variables?: Variables | null] : [variables: Variables]

export type Graphql = {
  /** Resolves to the data. Throws a `TandemApiError` for a failure of any field; what there is of the data is in its `body`. */
  <Data, Variables>(
    document: GraphqlDocument<Data, Variables>,
    ...rest: [...VariablesOf<Variables>, options?: GraphqlOptions]
  ): Promise<Data>
  /** The same for a text without a type. */
  (document: string, variables?: object | null, options?: GraphqlOptions): Promise<{ [key: string]: unknown }>
}

type Answer = { readonly data?: unknown; readonly errors?: readonly unknown[] }

/** GraphQL over a client. */
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
