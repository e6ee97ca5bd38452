/** Names of GraphQL types and fields: which collections and fields can have one, and which are taken. */
import type { View } from '../domain/schema/view.ts'
import type { Template } from './template.ts'

/** What GraphQL takes for a name; two underscores in front are its own. */
export const isName = (text: string): boolean => /^(?!__)[_A-Za-z][_0-9A-Za-z]*$/.test(text)

/** No collection can be named like these. */
const reserved: ReadonlySet<string> = new Set([
  'Query',
  'Mutation',
  'Subscription',
  'Int',
  'Float',
  'String',
  'Boolean',
  'ID',
  'DateTime',
  'Date',
  'JSON',
  'Hash',
  'Void',
  'uid',
  'Point',
  'PointList',
  'Polygon',
  'MultiPolygon',
])

/** The spec of the system describes these as they are answered, not as the rows in which they are kept. */
export const ownTypes: ReadonlySet<string> = new Set(['platform_collections', 'platform_fields', 'platform_relations'])

export type Names = {
  /** Whether the collection of that wire name has a type. */
  readonly has: (collection: string) => boolean
  /** The name of a collection's type, or of a root field, that the template calls so. */
  readonly derive: (template: string, collection: string) => string
}

/**
 * Derived names that a collection or a shared type has already get `_` behind them. Taken from everything that there
 * is, so that a name is the same for every caller.
 */
export function createNames(view: View, template: Template): Names {
  const own = new Set([...view.collections.keys()].filter((name) => isName(name) && !isTaken(name, template)))
  const known = new Map<string, string>()
  const derived = new Set<string>()
  return {
    has: (collection) => own.has(collection),
    derive(pattern, collection) {
      const plain = pattern.replace(/example(_single)?(?=_|$)/, () => collection)
      if (plain === collection) return plain
      const key = `${pattern} ${collection}`
      const before = known.get(key)
      if (before !== undefined) return before
      let name = plain
      while (own.has(name) || derived.has(name) || isTaken(name, template)) name = `${name}_`
      known.set(key, name)
      derived.add(name)
      return name
    },
  }
}

const isTaken = (name: string, { shared }: Template): boolean =>
  reserved.has(name) || ownTypes.has(name) || shared.has(name)
