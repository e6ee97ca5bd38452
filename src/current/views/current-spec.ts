/** The published spec that specialised ones begin with, and whom they are for. */

import { memoizeByBoth } from '../../domain/memoize.ts'
import type { Context } from '../../domain/ports/context.ts'
import type { Schema } from '../../domain/schema/schema.ts'
import internalSpec from '../../generated/current-spec.json' with { type: 'json' }
import { publishedSpec } from '../../http/validation/published-spec.ts'

export type Scope = Pick<Context, 'actor' | 'schema' | 'view'>

export type Json = { readonly [key: string]: unknown }

/** The function with one result per schema and rights of the caller. */
export function memoizeByRights<S extends Scope, V>(make: (scope: S) => V): (scope: S) => V {
  const results = memoizeByBoth((_rights: object, _schema: Schema, scope: S) => make(scope))
  return (scope) => results(scope.actor.kind === 'system' ? scope.view : scope.actor.access, scope.schema, scope)
}

/** Files of other formats are left out: generators take one media type for an answer. */
export const spec = withOneMediaType(publishedSpec(internalSpec))

export const schemasOfSpec = spec.components.schemas as unknown as { readonly [name: string]: Json }

function ofResponse(response: Json): Json {
  const content = response['content'] as Json | undefined
  const json = content?.['application/json']
  return json === undefined ? response : { ...response, content: { 'application/json': json } }
}

function ofOperation(operation: Json): Json {
  const responses = Object.entries((operation['responses'] ?? {}) as Json)
  const own = responses.map(([status, response]) => [status, ofResponse(response as Json)])
  return { ...operation, responses: Object.fromEntries(own) as Json }
}

/** The document with JSON as the only media type of answers that have it. */
export function withOneMediaType<T extends { readonly paths: object }>(document: T): T {
  const paths = Object.entries(document.paths).map(([path, operations]) => {
    const own = Object.entries(operations as Json).map(([method, operation]) => [
      method,
      ofOperation(operation as Json),
    ])
    return [path, Object.fromEntries(own) as Json]
  })
  return { ...document, paths: Object.fromEntries(paths) as T['paths'] }
}
