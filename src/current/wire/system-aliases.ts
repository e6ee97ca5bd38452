/**
 * Names of system collections with the prefix `directus_`, which clients of that platform send wherever the name of a
 * collection is a value. They are renamed on the way in; answers keep the names of this server.
 */

import { isSystemCollection } from '../../domain/model/system-collections.ts'
import type { Context } from '../../domain/ports/context.ts'

/** The name of the system collection that is meant; any other text stays as it is. */
export function realName(name: string): string {
  if (!name.startsWith(foreignPrefix)) return name
  const own = `platform_${name.slice(foreignPrefix.length)}`
  return isSystemCollection(own) ? own : name
}

const foreignPrefix = 'directus_'

/** Keys whose values are names of collections, or lists of them. */
const nameKeys: ReadonlySet<string> = new Set([
  'collection',
  'related_collection',
  'many_collection',
  'one_collection',
  'one_allowed_collections',
  'foreign_key_table',
  'table',
])

/** The value with the names below those keys renamed; below `collection` also those of a filter's operators. */
export function withRealNames<T>(value: T): T {
  return renamed(value, false) as T
}

function renamed(value: unknown, isName: boolean): unknown {
  if (typeof value === 'string') return isName ? realName(value) : value
  if (Array.isArray(value)) return value.map((each) => renamed(each, isName))
  if (!isPlain(value)) return value
  const entries = Object.entries(value).map(([key, each]) => {
    const isBelow = nameKeys.has(key) || (isName && key.startsWith('_'))
    return [key, renamed(each, isBelow)] as const
  })
  return entries.every(([key, each]) => value[key] === each) ? value : Object.fromEntries(entries)
}

/** Objects of JSON; those of a query string with brackets have no prototype. */
function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

type Input = { readonly path?: unknown; readonly query?: unknown; readonly body?: unknown }

/** Handlers whose path, filter and body may name system collections so, unless the server is set not to allow it. */
export function withAliases<Handlers extends object>(handlers: Handlers): Handlers {
  const wrapped = Object.entries(handlers).map(([name, handle]) => {
    const answer = handle as (ctx: Context, input: Input) => unknown
    return [
      name,
      (ctx: Context, input: Input) => answer(ctx, ctx.server.systemAliases ? toReal(input) : input),
    ] as const
  })
  return Object.fromEntries(wrapped) as Handlers
}

function toReal(input: Input): Input {
  const { path, query, body } = input
  const real = { ...input, path: withRealNames(path), query: withRealNames(withParsedFilter(query)) }
  return body === undefined ? real : { ...real, body: withRealNames(body) }
}

/** A filter may come as JSON text. What is no JSON is told by the parser of the filter. */
function withParsedFilter(query: unknown): unknown {
  const filter = (query as { readonly filter?: unknown } | undefined)?.filter
  if (typeof filter !== 'string' || !filter.includes(foreignPrefix)) return query
  try {
    return { ...(query as object), filter: JSON.parse(filter) as unknown }
  } catch {
    return query
  }
}
