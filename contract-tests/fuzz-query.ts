/** Generates query parameters with real field names and operators and random values, which therefore reach the database. */

import { type Pairs, toBrackets, toPairs } from '../verify/src/http/query.ts'
import type { GenerationName } from '../verify/src/spec/operations.ts'
import { type Random, words } from './random.ts'

const fields = words('id title code body status views featured published date_created author comments tags')
const paths = [
  ...fields,
  ...words('author.name author.id author.articles.title comments.text tags.tags_id.name * author.* comments.* *.*'),
]
const calls = words(
  'year(published) hour(published) weekday(date_created) count(comments) count(tags) year(author.name)',
)
const functions = words('count countDistinct countAll sum sumDistinct avg avgDistinct min max')

const operators = {
  current: words(`
    _eq _neq _lt _lte _gt _gte _in _nin _null _nnull _empty _nempty _contains _ncontains _icontains
    _starts_with _nends_with _iends_with _between _nbetween _some _none`),
  legacy: words(`
    eq = neq <> lt <= gt >= in nin null nnull empty nempty contains ncontains like rlike nrlike between
    nbetween all has logical`),
}

const values = [
  '',
  ...words(`
    0 1 -1 1.5 1e3 2147483648 9223372036854775808 1e400 true false null a % _`),
  '\\',
  ...words(`
    ' a,b 1,2 , 1, [ (a 2026-01-31 2026-01-31T10:00:00Z 2026-13-01 10000-01-01 infinity -infinity now epoch $NOW`),
  '$NOW(-1 day)',
  '$NOW(+99999 years)',
  ...words(`
    $CURRENT_USER $CURRENT_ROLE $CURRENT_USER.role or`),
  '\u0000',
  '\ud83d',
  '٣',
  '０',
  0,
  1,
  -1,
  1.5,
  2 ** 31,
  2 ** 53,
  1e300,
  true,
  false,
  null,
  [],
  [1],
  [1, 2],
  [1, 2, 3],
  ['a', null],
  [[1]],
  {},
  { id: 1 },
  { _eq: 1 },
] as const

/** One to three query parameters. */
export function plausibleQuery(random: Random, generation: GenerationName): Pairs {
  return Array.from({ length: 1 + random.below(3) }, () => parameter(random, generation)).flat()
}

function parameter(random: Random, generation: GenerationName): Pairs {
  const list = (from: readonly string[]): string =>
    Array.from({ length: 1 + random.below(3) }, () => `${random.pick(['', '', '-'])}${random.pick(from)}`).join(',')
  const writers: readonly (() => Pairs)[] = [
    () => written(random, 'filter', condition(random, generation, 3)),
    () => written(random, 'filter', condition(random, generation, 3)),
    () => toPairs('fields', list([...paths, ...calls])),
    () => toPairs('sort', list([...paths, ...calls, '?'])),
    () => toPairs(random.pick(['search', 'q']), random.pick(values)),
    () => toPairs(random.pick(['limit', 'offset', 'page']), random.pick([-1, 0, 1, 2, 2 ** 31 - 1])),
    () => toPairs('aggregate', { [random.pick(functions)]: random.pick([...fields, '*']) }),
    () => toPairs(random.pick(['groupBy', 'groups']), list([...fields, ...calls])),
    () =>
      toPairs('deep', {
        [random.pick(fields)]: { _filter: condition(random, generation, 2), _limit: random.pick([0, 1, -1]) },
      }),
    () =>
      toPairs(
        random.pick(['meta', 'status', 'single', 'lang']),
        random.pick(['*', '1', 'draft', 'total_count', 'page']),
      ),
  ]
  return random.pick(writers)()
}

const written = (random: Random, name: string, value: object): Pairs =>
  random.below(2) === 0 ? toPairs(name, value) : toBrackets(name, value)

function condition(random: Random, generation: GenerationName, depth: number): object {
  const comparison = (): object => ({ [random.pick(operators[generation])]: random.pick(values) })
  if (generation === 'legacy') return { [random.pick(paths)]: comparison() }
  const kind = random.below(depth > 0 ? 6 : 2)
  if (kind < 3) return { [random.pick([...fields, ...calls])]: comparison() }
  const inner = condition(random, generation, depth - 1)
  if (kind === 3) return { [random.pick(['_and', '_or'])]: [inner, condition(random, generation, depth - 1)] }
  if (kind === 4) return { [random.pick(['author', 'comments', 'tags'])]: inner }
  return { [random.pick(['comments', 'tags'])]: { [random.pick(['_some', '_none'])]: inner } }
}
