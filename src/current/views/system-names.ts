/**
 * How this generation spells the names of system collections. `SYSTEM_COLLECTION_PREFIX` replaces the prefix of the
 * stored names in all answers. Clients may use it in requests, and also `directus_`, which clients of that platform send.
 */

import { parseExactly } from '../../domain/conditions/exact-numbers.ts'
import { isSystemCollection, systemNames, systemPrefix } from '../../domain/model/system-collections.ts'
import { storeNamesIn } from '../../domain/model/system-spelling.ts'
import type { Context } from '../../domain/ports/context.ts'
import type { View } from '../../domain/schema/view.ts'
import { withSpelledNames, wrapped } from '../../http/reply/spelled-names.ts'

/** The prefix of another platform, which is always understood where the name of a collection is a value. */
const foreignPrefix = 'directus_'

/** Stored names by all names that requests may use for them. */
export const systemSpellings: ReadonlyMap<string, string> = new Map(
  [systemPrefix, foreignPrefix].flatMap((prefix) =>
    systemNames.map((name) => [`${prefix}${name}`, `${systemPrefix}${name}`] as const),
  ),
)

/** The name with the prefix, if it is that of a system collection. */
export const shownName = (name: string, prefix = systemPrefix): string =>
  prefix !== systemPrefix && isSystemCollection(name) ? `${prefix}${name.slice(systemPrefix.length)}` : name

/** The stored name of a system collection; any other text stays as it is. */
export function realName(name: string, prefix = foreignPrefix): string {
  if (!name.startsWith(prefix)) return name
  const own = `${systemPrefix}${name.slice(prefix.length)}`
  return isSystemCollection(own) ? own : name
}

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
export const withRealNames = <T>(value: T, prefixes: readonly string[] = [foreignPrefix]): T =>
  renamed(value, prefixes, false) as T

function renamed(value: unknown, prefixes: readonly string[], isName: boolean): unknown {
  if (typeof value === 'string') return isName ? prefixes.reduce(realName, value) : value
  if (Array.isArray(value)) return value.map((each) => renamed(each, prefixes, isName))
  if (!isPlain(value)) return value
  const entries = Object.entries(value).map(([key, each]) => {
    const isBelow = nameKeys.has(key) || (isName && key.startsWith('_'))
    return [key, renamed(each, prefixes, isBelow)] as const
  })
  return entries.every(([key, each]) => value[key] === each) ? value : Object.fromEntries(entries)
}

const wholeName = new RegExp(`^${foreignPrefix}(?:${systemNames.join('|')})$`)

/** The collection that a path or a template names for a many-to-any: `item:directus_files.title`. */
const scopeName = new RegExp(`(?<=[A-Za-z0-9_]:)${foreignPrefix}(?:${systemNames.join('|')})(?![A-Za-z0-9_])`, 'g')

/** A document of any form with stored names for keys, values and scopes; prose is left unchanged. */
export function withNamesOf<T>(value: T, isOwn: (name: string) => boolean): T {
  const named = (name: string): string => (isOwn(name) ? name : realName(name))
  const spelled = (text: string): string => (wholeName.test(text) ? named(text) : text.replaceAll(scopeName, named))
  const within = (each: unknown): unknown => {
    if (typeof each === 'string') return spelled(each)
    if (Array.isArray(each)) return each.map(within)
    if (!isPlain(each)) return each
    return Object.fromEntries(Object.entries(each).map(([key, inner]) => [spelled(key), within(inner)]))
  }
  return within(value) as T
}

/** Objects of JSON; those of a query string with brackets have no prototype. */
function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

type Input = { readonly path?: unknown; readonly query?: unknown; readonly body?: unknown }

/** Prefixes that clients may write instead of the prefix of the stored names. */
const prefixesOf = ({ server, view }: Pick<Context, 'server' | 'view'>): readonly string[] => [
  ...(view.systemPrefix === undefined ? [] : [view.systemPrefix]),
  ...(server.systemAliases && view.systemPrefix !== foreignPrefix ? [foreignPrefix] : []),
]

/** Handlers whose path, filter and body may name system collections with another prefix, unless the server forbids it. */
export const withAliases = <Handlers extends object>(handlers: Handlers): Handlers =>
  wrapped(handlers, (handle) => (ctx, input) => handle(ctx, withoutAliases(input, prefixesOf(ctx))))

/** The same for handlers of which only the path names a collection of the system. */
export const withAliasesInPath = <Handlers extends object>(handlers: Handlers): Handlers =>
  wrapped(
    handlers,
    (handle) =>
      (ctx, { path, ...rest }) =>
        handle(ctx, { ...rest, path: withRealNames(path, prefixesOf(ctx)) }),
  )

/** Arguments of GraphQL with the stored names. */
export const withStoredArguments = <Args>(args: Args, ctx: Pick<Context, 'view' | 'server'>): Args =>
  withRealNames(args, prefixesOf(ctx))

/** Handlers whose requests and answers are about the data model: any text in them may be the name of a system collection. */
export const withSystemNames = <Handlers extends object>(handlers: Handlers): Handlers =>
  withSpelledNames(withAliases(handlers))

function withoutAliases(input: Input, prefixes: readonly string[]): Input {
  if (prefixes.length === 0) return input
  const { path, query, body } = input
  const parsed = withParsedFilter(query, prefixes)
  const real = { ...input, path: withRealNames(path, prefixes), query: withRealNames(parsed, prefixes) }
  return body === undefined ? real : { ...real, body: withRealNames(body, prefixes) }
}

/** A filter may come as JSON text. The parser of the filter reports invalid JSON. */
function withParsedFilter(query: unknown, prefixes: readonly string[]): unknown {
  const filter = (query as { readonly filter?: unknown } | undefined)?.filter
  if (typeof filter !== 'string' || !prefixes.some((each) => filter.includes(each))) return query
  try {
    return { ...(query as object), filter: parseExactly(filter) }
  } catch {
    return query
  }
}

/** A row of a system collection, or the name of a collection in it, as it is stored. */
export const storedRow = <T>(row: T, collection: string, ctx: Pick<Context, 'server' | 'view'>): T =>
  withRealNames(collection === 'platform_permissions' ? storeNamesIn(row, ctx.view.systemPrefix) : row, prefixesOf(ctx))

/** The codec of texts, or of JSON, in which names of system collections are values; null if they are shown as stored. */
export const nameCodec = (within: 'text' | 'json', { systemPrefix: prefix }: Pick<View, 'systemPrefix'>) =>
  prefix === undefined
    ? null
    : ({ kind: 'renamed', within, stored: systemPrefix, shown: prefix, names: systemNames } as const)
