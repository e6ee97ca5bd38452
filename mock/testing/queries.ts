/** Random query parameters, good and bad ones. */
import { type Random, words } from '../../contract-tests/random.ts'
import { noteIds } from './world.ts'

/** Fields by collection. `many`: to-many relations; the value of a relation is the related collection. */
export const model: {
  readonly [collection: string]: {
    readonly fields: readonly string[]
    readonly one: Readonly<Record<string, string>>
    readonly many: Readonly<Record<string, string>>
  }
} = {
  authors: { fields: ['id', 'name', 'email', 'rating', 'active', 'born'], one: {}, many: { articles: 'articles' } },
  articles: {
    fields: words('id title body status views big score price day at published opens meta raw labels place created_on'),
    one: { author: 'authors' },
    many: { comments: 'comments', tags: 'articles_tags', blocks: 'blocks' },
  },
  comments: {
    fields: ['id', 'body'],
    one: { article: 'articles', author: 'authors', reply_to: 'comments' },
    many: { replies: 'comments' },
  },
  tags: { fields: ['word', 'colour'], one: {}, many: {} },
  articles_tags: { fields: ['id', 'sort'], one: { article: 'articles', tag: 'tags' }, many: {} },
  notes: { fields: ['id', 'text', 'hidden', 'owner'], one: {}, many: {} },
  blocks: { fields: ['id', 'collection'], one: { article: 'articles' }, many: {} },
  prices: { fields: ['shop', 'item', 'amount'], one: {}, many: {} },
}

export const collections = Object.keys(model)

/** Values that filters are given, of all types. */
const anyValues = [
  1,
  2,
  0,
  5,
  -1,
  'draft',
  'published',
  'red',
  'e',
  'E',
  'tandem',
  '%',
  '_',
  '',
  'é',
  '2026-01-31',
  '2026-02-28T11:30:00Z',
  '$NOW',
  '$NOW(-1 year)',
  '08:30:00',
  true,
  false,
  null,
  '9007199254740993',
  10.5,
  '0.1',
  noteIds[0],
  'Ann',
  '$CURRENT_USER',
  [],
  [1, 2],
]

const ordering = ['_eq', '_neq', '_lt', '_lte', '_gt', '_gte']
const textual = /^(title|name|body|text|status|email|labels|colour|word|collection)$/

const single = words(
  '_eq _neq _lt _lte _gt _gte _contains _ncontains _icontains _nicontains _starts_with _nstarts_with _istarts_with _ends_with _niends_with _iends_with',
)
const bare = ['_null', '_nnull', '_empty', '_nempty']

const maybe = ({ below }: Random, parts = 3): boolean => below(parts) === 0

export function filter(random: Random, collection: string, depth = 0): object {
  const { pick, below } = random
  const { fields, one, many } = model[collection] ?? { fields: ['id'], one: {}, many: {} }
  const kind = below(10)
  if (kind === 0 && depth < 2)
    return { [pick(['_and', '_or'])]: [filter(random, collection, depth + 1), filter(random, collection, depth + 1)] }
  const related = [...Object.entries(one), ...Object.entries(many)]
  if (kind < 4 && depth < 3 && related.length > 0) {
    const [name, target] = pick(related)
    const inner = filter(random, target, depth + 1)
    return { [name]: name in many && maybe(random) ? { [pick(['_some', '_none'])]: inner } : inner }
  }
  if (kind === 4 && collection === 'articles')
    return {
      [pick(['year(day)', 'month(published)', 'hour(opens)', 'count(comments)', 'count(meta)', 'weekday(at)'])]: {
        [pick(single.slice(0, 6))]: below(13),
      },
    }
  if (kind === 5 && related.length > 0) return { [pick(related)[0]]: operation(random, 'id') }
  if (maybe(random, 40)) return { [pick(['nowhere', 'hidden'])]: operation(random) }
  const name = pick(fields)
  return { [name]: operation(random, name) }
}

/** Values that fit most fields of a type. */
function fitting({ pick, below }: Random, field: string): unknown {
  if (/^(id|views|place|sort|shop|item|amount|score|big|price|rating|author|article|reply_to)$/.test(field))
    return pick([below(6), 10, 20, -5, '5', 1.5])
  if (/^(day|born|at|published|created_on)$/.test(field))
    return pick(['2026-01-31', '2026-02-28T11:30:00Z', '$NOW', '$NOW(-1 year)', '1999-12-31'])
  if (field === 'opens') return pick(['08:30:00', '12:00'])
  if (field === 'active') return pick([true, false])
  if (/^(owner)$/.test(field)) return noteIds[0]
  return pick(['draft', 'published', 'red', 'e', 'E', 'tandem', '%', '_', 'é', 'Ann', 'o', 'The', 'b'])
}

function operation(random: Random, field = 'text'): object {
  const { pick, below } = random
  const values = [filterValue(random, field), fitting(random, field)]
  switch (below(8)) {
    case 0:
      return { [pick(bare)]: pick([true, false]) }
    case 1:
      return { [pick(['_in', '_nin'])]: [pick(values), pick(values)] }
    case 2:
      return { [pick(['_between', '_nbetween'])]: [pick(values), pick(values)] }
    case 3:
      return maybe(random, 6) ? { _nonsense: 1 } : { [pick(['_in', '_nin'])]: pick(['1,2', 'draft,published', 'red']) }
    default:
      return {
        [pick(
          maybe(random, 20) ? single : textual.test(field) ? [...single.slice(0, 2), ...single.slice(6)] : ordering,
        )]: values[0],
      }
  }
}

export function fields(random: Random, collection: string, depth = 0): readonly string[] {
  const { pick, below } = random
  const { fields: own, one, many } = model[collection] ?? { fields: [], one: {}, many: {} }
  const related = [...Object.entries(one), ...Object.entries(many)]
  return Array.from({ length: 1 + below(4) }, () => {
    const kind = below(12)
    if (kind === 0) return '*'
    if (kind === 1 && depth === 0) return '*.*'
    if (kind < 5 && related.length > 0 && depth < 3) {
      const [name, target] = pick(related)
      return `${name}.${fields(random, target, depth + 1)[0]}`
    }
    if (kind === 5 && related.length > 0) return pick(related)[0]
    if (kind === 6 && collection === 'blocks')
      return pick(['item:tags.word', 'item:notes.text', 'item', 'item.*', 'item:authors.name'])
    if (kind === 7 && collection === 'articles')
      return pick(['year(day)', 'count(comments)', 'hour(at)', 'week(published)', 'count(meta)'])
    return maybe(random, 30) ? pick(['nowhere', 'author.nowhere', '', 'id.x']) : pick(own)
  })
}

export function sort(random: Random, collection: string): string {
  const { pick, below } = random
  const { fields: own, one, many } = model[collection] ?? { fields: ['id'], one: {}, many: {} }
  return Array.from({ length: 1 + below(2) }, () => {
    const related = [...Object.entries(one), ...Object.entries(many)]
    const minus = pick(['', '-'])
    if (maybe(random, 4) && related.length > 0) {
      const [name, target] = pick(related)
      return `${minus}${name}.${pick(model[target]?.fields ?? ['id'])}`
    }
    return `${minus}${maybe(random, 30) ? 'nowhere' : pick(own)}`
  }).join(',')
}

const aggregates = ['count', 'countDistinct', 'sum', 'sumDistinct', 'avg', 'avgDistinct', 'min', 'max', 'countAll']

function grouped(random: Random, collection: string): { readonly [name: string]: unknown } {
  const { pick } = random
  const own = model[collection]?.fields ?? []
  const name = pick(aggregates)
  const aggregate = {
    [name]: name === 'countAll' || maybe(random, 4) ? '*' : pick(own),
    ...(maybe(random) ? { count: '*' } : {}),
  }
  const by = maybe(random) ? {} : { groupBy: pick([pick(own), `${pick(own)},${pick(own)}`, 'year(day)', 'author']) }
  return { aggregate, ...by, ...(maybe(random) ? { sort: pick([`-${name}.${pick(own)}`, pick(own)]) } : {}) }
}

/** The parameters of a read, as values. */
export function query(random: Random, collection: string): { readonly [name: string]: unknown } {
  const { pick, below } = random
  if (maybe(random, 5))
    return { ...grouped(random, collection), ...(maybe(random) ? { filter: filter(random, collection) } : {}) }
  const many = Object.entries(model[collection]?.many ?? {})
  const [alias, target] = many.length > 0 ? pick(many) : ['', '']
  return {
    ...(maybe(random, 2) ? { fields: fields(random, collection) } : {}),
    ...(maybe(random, 2) ? { filter: filter(random, collection) } : {}),
    ...(maybe(random) ? { sort: sort(random, collection) } : {}),
    ...(maybe(random) ? { limit: pick([0, 1, 2, 3, 100, -1, 'x', -2]) } : {}),
    ...(maybe(random, 5) ? { [pick(['offset', 'page'])]: below(4) } : {}),
    ...(maybe(random, 5) ? { search: pick(['tandem', 'a', '10', '%', 'é', '2026', 'The ']) } : {}),
    ...(maybe(random, 5) ? { meta: pick(['*', 'total_count', 'filter_count', 'nonsense']) } : {}),
    ...(alias !== '' && maybe(random, 4)
      ? { fields: ['*', `${alias}.*`], deep: { [alias]: deep(random, target) } }
      : {}),
    ...(alias !== '' && maybe(random, 8)
      ? { alias: { mine: alias }, fields: ['id', 'mine.*'], deep: { mine: deep(random, target) } }
      : {}),
  }
}

function deep(random: Random, target: string): object {
  const { pick } = random
  return {
    ...(maybe(random, 2) ? { _filter: filter(random, target, 2) } : {}),
    ...(maybe(random) ? { _limit: pick([0, 1, 2, -1]) } : {}),
    ...(maybe(random) ? { _sort: sort(random, target) } : {}),
    ...(maybe(random, 6) ? { _offset: 1 } : {}),
  }
}

/** A value that the field mostly takes. */
export const filterValue = (random: Random, field: string): unknown =>
  maybe(random, 8) ? random.pick(anyValues) : fitting(random, field)
