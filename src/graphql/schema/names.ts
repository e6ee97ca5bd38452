import type { View } from '../../domain/schema/view.ts'
import type { Template } from './template.ts'

/** Whether GraphQL allows the name; a prefix of two underscores is reserved. */
export const isName = (text: string): boolean => /^(?!__)[_A-Za-z][_0-9A-Za-z]*$/.test(text)

/** Names that a collection cannot use. */
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

/** Whether the system spec describes the collection as answered, not as stored. */
export const isOwnType = (name: string, { systemPrefix }: Template): boolean =>
  name.startsWith(systemPrefix) && ['collections', 'fields', 'relations'].includes(name.slice(systemPrefix.length))

export type Names = {
  /** Whether the collection with this wire name has a type. */
  readonly has: (collection: string) => boolean
  /** The name of a collection's type or root field for a name of the template. */
  readonly derive: (template: string, collection: string) => string
}

/**
 * Appends `_` to derived names that a collection or a shared type already uses. Computed from the complete schema, so
 * that names are the same for every caller.
 */
export function createNames(view: View, template: Template): Names {
  const own = new Set([...view.collections.keys()].filter((name) => isName(name) && !isTaken(name, template)))
  const cache = new Map<string, string>()
  const derived = new Set<string>()
  return {
    has: (collection) => own.has(collection),
    derive(pattern, collection) {
      const key = `${pattern} ${collection}`
      const before = cache.get(key)
      if (before !== undefined) return before
      const plain = pattern.replace(/example(_single)?(?=_|$)/, () => collection)
      if (plain === collection) return plain
      let name = plain
      while (own.has(name) || derived.has(name) || isTaken(name, template)) name = `${name}_`
      cache.set(key, name)
      derived.add(name)
      return name
    },
  }
}

const isTaken = (name: string, template: Template): boolean =>
  reserved.has(name) || isOwnType(name, template) || template.shared.has(name)
