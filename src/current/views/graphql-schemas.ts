/** Cache of GraphQL schemas: one per set of permissions, dropped when the data model changes. */
import { LRUCache } from 'lru-cache'
import { entryOf, memoizeBy } from '../../domain/memoize.ts'
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
export const readTemplate = (prefix = systemPrefix): Template =>
  entryOf(templates, prefix, () => {
    const system = systemTexts.map((name) => readSdl(name).replaceAll(systemPrefix, prefix))
    return createTemplate({ items: readSdl('current-items'), system, systemPrefix: prefix })
  })

const namesOf = memoizeBy((_schema: Schema, view: View, template: Template): Names => createNames(view, template))

/** Maximum number of types in all cached schemas of one data model; a type takes about 5 kB. */
const mostTypes = 30_000

/** The schema of the last caller is kept, however many types it has. */
const cacheOf = memoizeBy(
  (_schema: Schema) =>
    new LRUCache<string, ServedSchema>({
      maxSize: mostTypes,
      sizeCalculation: ({ size }) => Math.min(size, mostTypes),
    }),
)

/** The caller's schema, cached by permissions. */
export function servedSchema(
  { actor, schema, view, server }: ReadContext & Pick<Context, 'server'>,
  scope: Scope,
): ServedSchema {
  const rights = actor.kind === 'system' || actor.access.admin ? 'unlimited' : actor.access.fingerprint
  const subscribes = hasSubscriptions(server)
  return entryOf<string, ServedSchema>(cacheOf(schema), `${scope} ${rights} ${subscribes}`, () => {
    const template = readTemplate(view.systemPrefix)
    const names = namesOf(schema, view, template)
    return createServedSchema({ actor, schema, view, names, template }, { scope, subscribes })
  })
}

const hasSubscriptions = ({ sockets }: Context['server']): boolean => sockets != null && sockets.graphql !== false

/** The caller's schema as text, in pieces. */
export const printedSchemaOf = (ctx: ReadContext & Pick<Context, 'server'>, scope: Scope): Iterable<string> =>
  printedPieces(servedSchema({ ...ctx, view: graphqlView(ctx.view, ctx.schema) }, scope))
