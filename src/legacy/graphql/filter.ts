/** `filter: {title_contains: "ice", or: […]}` → `Filter`. */
import { and, type Filter, or } from '../../domain/query/filter.ts'
import { parseFieldCondition } from '../wire/conditions.ts'
import { refuseQuery } from '../wire/lists.ts'
import { fieldNamed, type ParseScope } from '../wire/parse-scope.ts'

/** Conditions in one filter, as in the query string. */
const mostConditions = 1000

type Bounded = { readonly place: ParseScope; readonly collection: string; conditions: number }

/** Reads the argument; GraphQL has checked names and types. */
export const toFilter = (raw: unknown, collection: string, scope: ParseScope): Filter =>
  parse(raw, { place: scope, collection, conditions: 0 })

function parse(raw: unknown, bounded: Bounded): Filter {
  if (typeof raw !== 'object' || raw === null) return and()
  const filters = Object.entries(raw).flatMap(([name, value]): readonly Filter[] => {
    if (name === 'and' || name === 'or') {
      const list = Array.isArray(value) ? value.map((each) => parse(each, bounded)) : []
      return list.length === 0 ? [] : [name === 'and' ? and(...list) : or(...list)]
    }
    bounded.conditions += 1
    if (bounded.conditions > mostConditions) {
      refuseQuery('filter', `at most ${mostConditions} conditions`, bounded.conditions)
    }
    return parseCondition(name, value, bounded) ?? []
  })
  return and(...filters)
}

/** Words that take no operand elsewhere, and their opposites. */
const opposites: { readonly [word: string]: string } = {
  null: 'nnull',
  nnull: 'null',
  empty: 'nempty',
  nempty: 'empty',
}

/** `<field>_<operator>`: operators have no underscore. An operand that is null says nothing. */
function parseCondition(name: string, value: unknown, { place: scope, collection }: Bounded): readonly Filter[] | null {
  if (value === null) return null
  const at = name.lastIndexOf('_')
  const operator = name.slice(at + 1)
  const word = value === false ? (opposites[operator] ?? operator) : operator
  const named = fieldNamed(scope, collection, name.slice(0, at))
  // A null in a list equals nothing.
  const raw = Array.isArray(value) && !operator.endsWith('between') ? value.filter((each) => each !== null) : value
  const filter = parseFieldCondition(named, { word, raw, name: `filter.${name}` }, collection, scope)
  return filter === null ? null : [filter]
}
