/** Cache of GraphQL schemas: one per set of permissions, dropped when the data model changes. */
import { memoizeBy } from '../../domain/memoize.ts'
import { systemPrefix } from '../../domain/model/system-collections.ts'
import type { Context, ReadContext } from '../../domain/ports/context.ts'
import type { Schema } from '../../domain/schema/schema.ts'
import type { View } from '../../domain/schema/view.ts'
import { createNames, type Names } from '../../graphql/schema/names.ts'
import { printedPieces } from '../../graphql/schema/printed-schema.ts'
import type { ServedSchema } from '../../graphql/schema/schema-types.ts'
import { readSdl } from '../../graphql/schema/sdl.ts'
import { createServedSchema } from '../../graphql/schema/served-schema.ts'
import { createTemplate, type Scope, type Template } from '../../graphql/schema/template.ts'
import { graphqlView } from './graphql-view.ts'

const templates = new Map<string, Template>()
const systemTexts = ['current-system', 'current-records'] as const

/** Reads the specs at the first use, which takes about 150 ms. `prefix`: that of names of system collections. */
export function readTemplate(prefix = systemPrefix): Template {
  const cached = templates.get(prefix)
  if (cached !== undefined) return cached
  const system = systemTexts.map((name) => readSdl(name).replaceAll(systemPrefix, prefix))
  const template = createTemplate({ items: readSdl('current-items'), system, systemPrefix: prefix })
  templates.set(prefix, template)
  return template
}

const namesOf = memoizeBy((_schema: Schema, view: View, template: Template): Names => createNames(view, template))

/** Maximum number of types in all cached schemas of one data model; a type takes about 5 kB. */
const mostTypes = 30_000

const cacheOf = memoizeBy((_schema: Schema) => new Map<string, ServedSchema>())

/** The caller's schema, cached by permissions. */
export function servedSchema(
  { actor, schema, view, server }: ReadContext & Pick<Context, 'server'>,
  scope: Scope,
): ServedSchema {
  const cache = cacheOf(schema)
  const rights = actor.kind === 'system' || actor.access.admin ? 'unlimited' : actor.access.fingerprint
  const subscribes = hasSubscriptions(server)
  const key = `${scope} ${rights} ${subscribes}`
  const cached = cache.get(key)
  if (cached !== undefined) {
    cache.delete(key)
    cache.set(key, cached)
    return cached
  }
  const template = readTemplate(view.systemPrefix)
  const names = namesOf(schema, view, template)
  const made = createServedSchema({ actor, schema, view, names, template }, { scope, subscribes })
  cache.set(key, made)
  let types = [...cache.values()].reduce((sum, { size }) => sum + size, 0)
  for (const [oldest, { size }] of cache) {
    if (types <= mostTypes || oldest === key) break
    cache.delete(oldest)
    types -= size
  }
  return made
}

const hasSubscriptions = ({ sockets }: Context['server']): boolean => sockets != null && sockets.graphql !== false

/** The caller's schema as text, in pieces. */
export const printedSchemaOf = (ctx: ReadContext & Pick<Context, 'server'>, scope: Scope): Iterable<string> =>
  printedPieces(servedSchema({ ...ctx, view: graphqlView(ctx.view, ctx.schema) }, scope))
