/** Random requests to items: reads, writes and bad ones. */
import type { Random } from '../../contract-tests/random.ts'
import { collections, model, query } from './queries.ts'
import { noteIds } from './world.ts'

export type Asking = {
  readonly method: string
  readonly path: string
  readonly body?: unknown
  readonly text?: string
  readonly headers?: Readonly<Record<string, string>>
}

export const maybe = ({ below }: Random, parts = 3): boolean => below(parts) === 0

const texts = ['new', 'New', '', 'é', 'A longer text that does not fit into forty characters at all', 'Ann', 'draft']
const moments = ['2026-03-01', '2026-03-01T12:00:00Z', '2026-03-01T12:00:00', 'never', null]

/** A value that a column takes. */
function goodValue({ pick, below }: Random, field: string): unknown {
  if (/^(title|name|body|text|hidden|headline|colour)$/.test(field)) return pick(['new', 'New', 'é', 'Some words'])
  if (/^(views|place|sort|shop|item|amount|visits)$/.test(field)) return below(50)
  if (field === 'email') return 'x@example.com'
  if (field === 'score') return pick([1.25, '2.5'])
  if (/^(rating|price)$/.test(field)) return pick(['1.005', 2, 12.345])
  if (/^(day|born|at|published)$/.test(field)) return pick(['2026-03-01', '2026-03-01T12:00:00Z', null])
  if (field === 'active') return pick([true, false])
  if (field === 'opens') return '10:00'
  return undefined
}

/** Values by the type of the column, a few of them wrong. */
function valueOf(random: Random, field: string): unknown {
  const { pick, below } = random
  const good = maybe(random, 8) ? undefined : goodValue(random, field)
  if (good !== undefined) return good
  if (/^(title|name|body|text|hidden|headline|colour)$/.test(field)) return pick([...texts, 5, null])
  if (field === 'word' || field === 'tag') return pick(['red', 'blue', 'green', 'grey', 'pink'])
  if (field === 'status') return pick(['draft', 'published', 'archived', null])
  if (field === 'email') return pick(['x@example.com', 'nothing', null])
  if (/^(views|place|sort|shop|item|amount|visits)$/.test(field))
    return pick([below(5), below(100), -1, '7', 'x', 1.5, 99_999_999_999, null])
  if (field === 'big') return pick([5, '9007199254740995', '1e3', null])
  if (field === 'score') return pick([1.25, '2.5', 1e300, 'x', null])
  if (/^(rating|price)$/.test(field)) return pick(['1.005', 2, '99999', 'abc', 12.345, null])
  if (/^(day|born|at|published)$/.test(field)) return pick(moments)
  if (field === 'opens') return pick(['10:00', '10:00:00.5', 'noon', null])
  if (/^(meta|raw)$/.test(field)) return pick([{ b: 2, aa: { d: 1, c: 2 } }, [3, 1], 'text', '{"x":1}', 7, null])
  if (field === 'labels') return pick([['a', 'b'], 'a,b', [], [1], {}, null])
  if (field === 'active') return pick([true, false, 'true', 2, null])
  if (field === 'id') return pick([1, 2, 90, 'x'])
  return pick([1, 2, 'x', null])
}

/** An item to write, with related items now and then. */
export function item(random: Random, collection: string, depth = 0): { readonly [field: string]: unknown } {
  const { pick, below } = random
  const { fields, one, many } = model[collection] ?? { fields: [], one: {}, many: {} }
  const entries: [string, unknown][] = Array.from({ length: 1 + below(4) }, () => {
    const field = pick(fields)
    return field === 'id' && !maybe(random, 8)
      ? [fields[1] as string, valueOf(random, fields[1] as string)]
      : [field, valueOf(random, field)]
  })
  const needed: { readonly [name: string]: readonly [string, unknown] } = {
    authors: ['name', pick(['Di', 'Ed', 'Flo', 'Ann'])],
    articles: ['title', pick(['News', 'More'])],
    comments: ['body', 'said'],
    tags: ['word', pick(['grey', 'pink', 'red'])],
    notes: ['id', pick(noteIds)],
    prices: ['amount', 3],
  }
  const requiredValue = needed[collection]
  if (requiredValue !== undefined && !maybe(random, 6)) entries.push([...requiredValue])
  if (collection === 'notes' && !entries.some(([name]) => name === 'id')) entries.push(['id', pick(noteIds)])
  if (collection === 'prices') entries.push(['shop', below(4)], ['item', below(4)])
  if (depth < 2) {
    for (const [name, target] of Object.entries(one))
      if (maybe(random)) entries.push([name, toOne(random, target, depth)])
    for (const [name, target] of Object.entries(many))
      if (maybe(random, 4)) entries.push([name, toMany(random, target, depth)])
  }
  if (maybe(random, 25)) entries.push(['nowhere', 1])
  return Object.fromEntries(entries)
}

export const keyField = (collection: string): string => (collection === 'tags' ? 'word' : 'id')

export function keyOf(random: Random, collection: string): unknown {
  const { pick, below } = random
  if (collection === 'tags') return pick(['red', 'green', 'blue', 'grey'])
  if (collection === 'notes') return pick([...noteIds, 'x'])
  if (collection === 'prices') return pick(['1;1', '1;2', '2;1', '9;9', '1'])
  return maybe(random, 15) ? pick(['x', 0, 99, -1]) : 1 + below(6)
}

function toOne(random: Random, target: string, depth: number): unknown {
  const { pick } = random
  return pick([
    null,
    keyOf(random, target),
    { [keyField(target)]: keyOf(random, target), ...item(random, target, depth + 1) },
    item(random, target, depth + 1),
  ])
}

function toMany(random: Random, target: string, depth: number): unknown {
  const { pick } = random
  const one = (): unknown =>
    pick([
      keyOf(random, target),
      item(random, target, depth + 1),
      { ...item(random, target, depth + 1), id: keyOf(random, target) },
    ])
  if (maybe(random)) {
    return {
      create: [item(random, target, depth + 1)],
      update: maybe(random) ? [{ ...item(random, target, depth + 1), id: keyOf(random, target) }] : [],
      delete: maybe(random) ? [keyOf(random, target)] : [],
    }
  }
  return pick([[], [one()], [one(), one()], null, 5])
}

export const queryText = (parameters: { readonly [name: string]: unknown }): string => {
  const pairs = Object.entries(parameters).map(([name, value]) => {
    const text = Array.isArray(value) ? value.join(',') : typeof value === 'string' ? value : JSON.stringify(value)
    return `${name}=${encodeURIComponent(text)}`
  })
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`
}

/** The parameters of a read of one item. */
function single(random: Random, collection: string): { readonly [name: string]: unknown } {
  const { aggregate: _aggregate, groupBy: _groupBy, sort: _sort, ...rest } = query(random, collection)
  return rest
}

export function request(random: Random): Asking {
  const { pick, below } = random
  const collection = maybe(random, 40)
    ? pick(['nowhere', 'platform_users', 'about'])
    : maybe(random, 2)
      ? 'articles'
      : pick([...collections, 'about'])
  const path = `/items/${collection}`
  const one = `${path}/${encodeURIComponent(String(keyOf(random, collection)))}`
  const shown = maybe(random) ? queryText({ fields: pick(['*', 'id', '*.*', 'nowhere']) }) : ''
  switch (below(15)) {
    case 0:
    case 1:
      return { method: 'POST', path: path + shown, body: item(random, collection) }
    case 2:
      return {
        method: 'POST',
        path: path + shown,
        body: pick([[item(random, collection), item(random, collection)], [], 5, 'x']),
      }
    case 3:
    case 4:
      return { method: 'PATCH', path: one + shown, body: item(random, collection) }
    case 5:
      return { method: 'PATCH', path: path + shown, body: many(random, collection) }
    case 6:
      return { method: 'DELETE', path: one }
    case 7:
      return maybe(random)
        ? {
            method: 'DELETE',
            path,
            body: pick([
              [keyOf(random, collection), keyOf(random, collection)],
              { keys: [keyOf(random, collection)] },
              { query: { filter: { id: { _gt: 4 } } } },
              [],
            ]),
          }
        : { method: 'GET', path: one + queryText(single(random, collection)) }
    case 8:
      return { method: 'SEARCH', path, body: { query: query(random, collection) } }
    case 9:
      return { method: 'GET', path: one + queryText(single(random, collection)) }
    case 10:
      return maybe(random, 3)
        ? bad(random, path, one)
        : { method: 'GET', path: path + queryText(query(random, collection)) }
    default:
      return { method: 'GET', path: path + queryText(query(random, collection)) }
  }
}

function many(random: Random, collection: string): unknown {
  const { pick } = random
  const keys = [keyOf(random, collection), keyOf(random, collection)]
  return pick([
    { keys, data: item(random, collection) },
    { query: { filter: { [keyField(collection)]: { _in: keys } } }, data: item(random, collection) },
    [
      { ...item(random, collection), [keyField(collection)]: keys[0] },
      { ...item(random, collection), [keyField(collection)]: keys[1] },
    ],
    item(random, collection),
  ])
}

export const bad = ({ pick }: Random, path: string, one: string): Asking =>
  pick<Asking>([
    { method: 'PUT', path },
    { method: 'POST', path, text: '{"a":' },
    { method: 'POST', path, text: '<a/>', headers: { 'content-type': 'text/xml' } },
    { method: 'POST', path },
    { method: 'GET', path: `${one}/more` },
    { method: 'GET', path: `${path}?filter=nonsense` },
    { method: 'GET', path: `${path}?filter[id][_eq]=1&sort=-id&limit=2` },
    { method: 'HEAD', path },
    { method: 'GET', path: '/nowhere' },
    { method: 'SEARCH', path, body: { query: 5 } },
    { method: 'OPTIONS', path },
  ])
