/** System operations that are not collection operations; the REST handlers do the work. */

import { parseExactly } from '../../domain/conditions/exact-numbers.ts'
import type { Context } from '../../domain/ports/context.ts'
import { invalidPayload } from '../../domain/rights/errors.ts'
import type { components } from '../../generated/current.ts'
import type { MutationArguments, QueryArguments } from '../../generated/current-graphql-types.ts'
import spec from '../../generated/current-spec.json' with { type: 'json' }
import type { Answer } from '../../graphql/execute.ts'
import type { SelectedField } from '../../graphql/selected-field.ts'
import { type Cookie, type Reply, textOfJson } from '../../http/reply/reply.ts'
import type { HttpRequest } from '../../http/request/request.ts'
import { createSchemaCheck, type SchemaCheck } from '../../http/validation/schema-check.ts'

export type Resolving = {
  /** With the GraphQL view of the schema. */
  readonly ctx: Context
  /** With the REST view of the schema. */
  readonly rest: Context
  readonly request: HttpRequest
  /** Collects the cookies to set. */
  readonly cookies: Cookie[]
  readonly selected: SelectedField
}

/** A resolver; its arguments have the types of the spec. */
export type Run<Args> = (resolving: Resolving, args: Args) => Promise<Answer>

/** Fields by hand that nevertheless do what every collection does. */
type CollectionField = 'settings' | 'update_files_items' | 'delete_files_items'

type Runs<Arguments> = { readonly [Name in Exclude<keyof Arguments, CollectionField>]: Run<Arguments[Name]> }

/** The functions for fields of Query that do not depend on collections. */
export type QueryRuns = Runs<QueryArguments>

/** The functions for fields of Mutation that do not depend on collections. */
export type MutationRuns = Runs<MutationArguments>

export const value = (input: unknown): Answer => ({ kind: 'value', value: input })

export const rows = (text: string | readonly string[]): Answer => ({ kind: 'text', text })

type InputParts = { readonly path?: object; readonly query?: object; readonly body?: unknown }

type Input<P> = {
  readonly path: P extends { readonly path: infer Path } ? Path : object
  readonly query: P extends { readonly query: infer Query } ? Query : object
  readonly body: P extends { readonly body: infer Body } ? Body : undefined
  readonly request: HttpRequest
}

/** Builds the input of a REST handler. */
export const toInput = <P extends InputParts>({ request }: Resolving, { path = {}, query = {}, body }: P): Input<P> =>
  ({ path, query, body, request }) as Input<P>

/** The data of a reply, with its cookies collected; true if there is no data. */
export function dataOf({ cookies }: Resolving, { body, cookies: set = [] }: Reply): unknown {
  cookies.push(...set)
  if (body === null) return true
  if (body.kind === 'text') return body.text
  if (body.kind !== 'json' && body.kind !== 'json-text') throw new Error('The reply of a handler has no data')
  const whole: unknown = body.kind === 'json' ? body.value : parseExactly(textOfJson(body))
  return typeof whole === 'object' && whole !== null && 'data' in whole ? whole.data : whole
}

/** Answers with the data of the reply of a REST handler. */
export const answerOf = async (on: Resolving, reply: Promise<Reply>): Promise<Answer> => value(dataOf(on, await reply))

type Schemas = components['schemas']

const checks = new Map<string, SchemaCheck>()

/** Builds a body for the REST spec; drops nulls where GraphQL uses them for "absent". */
export function bodyOf<Name extends keyof Schemas>(schema: Name, input: object): Schemas[Name] {
  const body = Object.fromEntries(Object.entries(input).filter(([, each]) => each !== null && each !== undefined))
  const check = checks.get(schema) ?? createSchemaCheck(spec, schema)
  checks.set(schema, check)
  const wrong = check(body)
  if (wrong === null) return body as Schemas[Name]
  throw invalidPayload(wrong.location === '' ? null : wrong.location, wrong.reason)
}

/** The same for each of a list. */
export const bodiesOf = <Name extends keyof Schemas>(schema: Name, input: readonly object[]): Schemas[Name][] =>
  input.map((each) => bodyOf(schema, each))

/** A document that came as JSON; anything but an object is refused by the check of the spec. */
export const documentOf = (input: unknown): object => (typeof input === 'object' && input !== null ? input : {})
