import { type Random, words } from '../../contract-tests/random.ts'
import { collections, fields, filterValue, model, sort } from './queries.ts'
import { type Asking, bad, item, keyField, keyOf, maybe, queryText } from './requests.ts'

const operators = words(
  'eq neq = <> lt lte gt gte in nin null nnull contains ncontains like rlike nrlike between nbetween empty nempty nonsense',
)

/** Conditions by field; a path leads through relations. */
function filter(random: Random, collection: string): object {
  const { pick, below } = random
  const { fields: own, one, many } = model[collection] ?? { fields: ['id'], one: {}, many: {} }
  const related = [...Object.entries(one), ...Object.entries(many)]
  const conditions = Array.from({ length: 1 + below(2) }, (): [string, unknown] => {
    if (related.length > 0 && maybe(random, 4)) {
      const [name, target] = pick(related)
      if (name in many && maybe(random)) return [name, { [pick(['has', 'nhas', 'all'])]: pick([1, 2, '1,2']) }]
      const field = pick(model[target]?.fields ?? ['id'])
      return [`${name}.${field}`, condition(random, field)]
    }
    const field = maybe(random, 40) ? 'nowhere' : pick(own)
    return [field, condition(random, field)]
  })
  return Object.fromEntries(conditions)
}

function condition(random: Random, field: string): unknown {
  const { pick } = random
  const operator = maybe(random) ? pick(operators) : pick(operators.slice(0, 8))
  const value = /in$|between$/.test(operator)
    ? `${String(filterValue(random, field))},${String(filterValue(random, field))}`
    : filterValue(random, field)
  const one = maybe(random, 6) ? value : { [operator]: value }
  return maybe(random, 6) && typeof one === 'object' ? { ...one, logical: 'or' } : one
}

function query(random: Random, collection: string): { readonly [name: string]: unknown } {
  const { pick, below } = random
  const plain = fields(random, collection).filter((each) => !/[(:]/.test(each))
  const grouped = model[collection]?.fields ?? ['id']
  return {
    ...(maybe(random, 2) && plain.length > 0 ? { fields: plain } : {}),
    ...(maybe(random, 2) ? { filter: filter(random, collection) } : {}),
    ...(maybe(random) ? { sort: sort(random, collection) } : {}),
    ...(maybe(random) ? { limit: pick([0, 1, 2, 3, 100, -1, 'x', -2]) } : {}),
    ...(maybe(random, 5) ? { [pick(['offset', 'page'])]: below(4) } : {}),
    ...(maybe(random, 5) ? { q: pick(['tandem', 'a', '10', '%', 'é', '2026', 'The ']) } : {}),
    ...(maybe(random, 5)
      ? { meta: pick(['*', 'total_count', 'filter_count,result_count', 'status', 'nonsense']) }
      : {}),
    ...(maybe(random, 8) ? { status: pick(['*', 'draft', 'archived', 'draft,published']) } : {}),
    ...(maybe(random, 12) ? { single: 1 } : {}),
    ...(maybe(random, 15) ? { groups: pick(grouped) } : {}),
  }
}

const shape = (random: Random, collection: string): string => {
  const { fields, meta, status } = query(random, collection)
  return maybe(random)
    ? queryText(JSON.parse(JSON.stringify({ fields, meta, status })) as { readonly [name: string]: unknown })
    : ''
}

export function legacyRequest(random: Random): Asking {
  const { pick, below } = random
  const collection = maybe(random, 30)
    ? pick(['nowhere', 'platform_users'])
    : maybe(random, 2)
      ? 'articles'
      : pick([...collections, 'about'])
  const path = `/${maybe(random, 60) ? 'elsewhere' : '_'}/items/${collection}`
  const one = `${path}/${encodeURIComponent(String(keyOf(random, collection)))}`
  const newItem = (): object => item(random, collection)
  switch (below(12)) {
    case 0:
      return { method: 'POST', path: path + shape(random, collection), body: newItem() }
    case 1:
      return { method: 'POST', path, body: pick<unknown>([[newItem(), newItem()], [], 5]) }
    case 2:
    case 3:
      return { method: 'PATCH', path: one + shape(random, collection), body: newItem() }
    case 4: {
      const keys = [keyOf(random, collection), keyOf(random, collection)]
      return { method: 'PATCH', path, body: keys.map((key) => ({ ...newItem(), [keyField(collection)]: key })) }
    }
    case 5:
      return { method: 'DELETE', path: maybe(random, 4) ? `${one},2` : one }
    case 6:
      return maybe(random, 3) ? bad(random, path, one) : { method: 'GET', path: `${one},1` + shape(random, collection) }
    case 7:
      return { method: 'GET', path: one + shape(random, collection) }
    default:
      return { method: 'GET', path: path + queryText(query(random, collection)) }
  }
}
