/** Random documents of GraphQL: lists, items, groups and writes. */
import type { Random } from '../../contract-tests/random.ts'
import { collections, filter, model, sort } from './queries.ts'
import { type Asking, item, keyOf, maybe, queryText } from './requests.ts'

/** A selection, with related items and their arguments. */
function selection(random: Random, collection: string, depth = 0): string {
  const { pick, below } = random
  const { fields, one, many } = model[collection] ?? { fields: ['id'], one: {}, many: {} }
  const words = Array.from({ length: 1 + below(4) }, () => pick(fields))
  if (collection === 'blocks' && maybe(random))
    words.push('item { __typename ... on tags { word } ... on authors { name } ... on notes { text } }')
  if (collection === 'articles' && maybe(random))
    words.push(pick(['day_func { year }', 'published_func { hour month }', 'comments_func { count }']))
  if (depth < 2) {
    const related = [...Object.entries(one), ...Object.entries(many)]
    if (related.length > 0 && maybe(random, 2)) {
      const [name, target] = pick(related)
      const page =
        name in many && maybe(random) ? `(limit: ${pick([0, 1, 2, -1])}, sort: ["${sort(random, target)}"])` : ''
      words.push(`${name}${page} ${selection(random, target, depth + 1)}`)
    }
  }
  if (maybe(random, 40)) words.push('nowhere')
  return `{ ${[...new Set(words)].join(' ')} }`
}

type Document = { readonly query: string; readonly variables?: { readonly [name: string]: unknown } }

function list(random: Random, collection: string): Document {
  const { pick, below } = random
  const more = [
    ...(maybe(random) ? [`limit: ${pick([0, 1, 2, 100, -1, -2])}`] : []),
    ...(maybe(random, 5) ? [`${pick(['offset', 'page'])}: ${below(4)}`] : []),
    ...(maybe(random) ? [`sort: ["${sort(random, collection)}"]`] : []),
    ...(maybe(random, 5) ? [`search: "${pick(['tandem', 'a', '10', 'é'])}"`] : []),
  ]
  const shown = selection(random, collection)
  if (maybe(random, 2)) {
    const list = more.length === 0 ? '' : `(${more.join(', ')})`
    const second = maybe(random, 4) ? ` other: authors ${selection(random, 'authors', 1)}` : ''
    return { query: `{ ${collection}${list} ${shown}${second} }` }
  }
  const list = ['filter: $filter', ...more].join(', ')
  return {
    query: `query ($filter: ${collection}_filter) { ${collection}(${list}) ${shown} }`,
    variables: { filter: filter(random, collection) },
  }
}

function groups(random: Random, collection: string): Document {
  const { pick } = random
  const own = model[collection]?.fields ?? ['id']
  const numbers = own.filter((name) => /^(id|views|big|score|price|rating|sort|amount|shop|place)$/.test(name))
  const by = maybe(random) ? '' : `(groupBy: ["${pick(own)}"]${maybe(random) ? `, sort: ["${pick(own)}"]` : ''})`
  const computed =
    numbers.length === 0
      ? ''
      : `${pick(['avg', 'sum', 'min', 'max', 'avgDistinct', 'sumDistinct', 'countDistinct'])} { ${pick(numbers)} }`
  return { query: `{ ${collection}_aggregated${by} { ${by === '' ? '' : 'group '}countAll ${computed} } }` }
}

function write(random: Random, collection: string): Document {
  const { pick } = random
  const shown = selection(random, collection, 1)
  const data = item(random, collection)
  const key = keyOf(random, collection)
  return pick<() => Document>([
    () => ({
      query: `mutation ($data: create_${collection}_input!) { create_${collection}_item(data: $data) ${shown} }`,
      variables: { data },
    }),
    () => ({
      query: `mutation ($data: [create_${collection}_input!]) { create_${collection}_items(data: $data) ${shown} }`,
      variables: { data: [data, item(random, collection)] },
    }),
    () => ({
      query: `mutation ($id: ID!, $data: update_${collection}_input!) { update_${collection}_item(id: $id, data: $data) ${shown} }`,
      variables: { id: key, data },
    }),
    () => ({
      query: `mutation ($ids: [ID]!, $data: update_${collection}_input!) { update_${collection}_items(ids: $ids, data: $data) ${shown} }`,
      variables: { ids: [key, keyOf(random, collection)], data },
    }),
    () => ({ query: `mutation ($id: ID!) { delete_${collection}_item(id: $id) { id } }`, variables: { id: key } }),
  ])()
}

function document(random: Random): Document {
  const { pick, below } = random
  const collection = maybe(random, 2) ? 'articles' : pick(collections)
  if (maybe(random, 30))
    return {
      query: pick(['{ nowhere { id } }', '{ about { headline visits } }', '{', '{ __typename }', 'subscription { a }']),
    }
  switch (below(8)) {
    case 0:
      return groups(random, collection)
    case 1:
    case 2:
    case 3:
      return write(random, collection)
    case 4:
      return {
        query: `{ ${collection}_by_id(id: ${JSON.stringify(keyOf(random, collection))}) ${selection(random, collection)} }`,
      }
    default:
      return list(random, collection)
  }
}

export function graphqlRequest(random: Random): Asking {
  const request = document(random)
  if (!maybe(random, 6)) return { method: 'POST', path: '/graphql', body: request }
  return { method: 'GET', path: `/graphql${queryText(request)}` }
}
