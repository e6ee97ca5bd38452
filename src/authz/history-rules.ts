/** What levels on the history give: no more than the levels and rules on the items themselves do. */
import { and, type Comparison, matchNone } from '../domain/query/filter.ts'
import type { Rule } from '../domain/rights/actor.ts'

const history = 'platform_revisions'
/** The fields that hold what an item contained. */
const contents: ReadonlySet<string> = new Set(['data', 'delta'])
/** Their items are the names of tables and columns. */
const model: ReadonlySet<string> = new Set(['platform_collections', 'platform_fields', 'platform_relations'])

/**
 * Narrows rules of levels that let revisions be read: to collections of which `all` lets some item be read, and their
 * contents to collections of which it lets everything be read. Other rules stay as they are.
 */
export function withinReadable<T>(
  origins: ReadonlyMap<Rule, T>,
  all: readonly Rule[],
  names: readonly string[],
): ReadonlyMap<Rule, T> {
  if (![...origins.keys()].some(isOfHistory)) return origins
  const reading = all.filter(({ action, collection }) => action === 'read' && !model.has(collection))
  const some = among(new Set(reading.map(({ collection }) => collection)))
  const whole = among(new Set(reading.filter(isWhole).map(({ collection }) => collection)))
  const plain = names.filter((name) => !contents.has(name))
  return new Map(
    [...origins].flatMap(([rule, origin]): readonly (readonly [Rule, T])[] => {
      if (!isOfHistory(rule)) return [[rule, origin]]
      const fields = rule.fields === '*' ? plain : rule.fields.filter((name) => !contents.has(name))
      return [
        [{ ...rule, fields, filter: and(rule.filter, some) }, origin],
        [{ ...rule, filter: and(rule.filter, whole) }, origin],
      ]
    }),
  )
}

const isOfHistory = ({ collection, action }: Rule): boolean => collection === history && action === 'read'

const isWhole = ({ fields, filter }: Rule): boolean => fields === '*' && filter.kind === 'all'

function among(collections: ReadonlySet<string>): Comparison | typeof matchNone {
  if (collections.size === 0) return matchNone
  return {
    kind: 'compare',
    operand: { kind: 'field', field: 'collection' },
    operator: 'in',
    values: [...collections],
  }
}
