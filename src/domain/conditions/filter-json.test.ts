import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Filter } from '../query/filter.ts'
import { TandemError } from '../rights/errors.ts'
import { caught } from '../testing/test-failures.ts'
import { testSchema } from '../testing/test-schema.ts'
import { parseFilter } from './filter-json.ts'
import { writeFilter } from './write-filter.ts'

const options = { name: 'filter', depth: 3, dynamicPaths: false }

const parse = (json: unknown, more: object = {}): Filter =>
  parseFilter(json, { schema: testSchema, collection: 'articles' }, { ...options, ...more })

const compare = (name: string, operator: string, ...values: readonly unknown[]): unknown => ({
  kind: 'compare',
  operand: { kind: 'field', field: name },
  operator,
  values,
})

const related = (name: string, to: string, quantifier: string, filter: unknown): unknown => ({
  kind: 'related',
  field: name,
  collection: to,
  quantifier,
  filter,
})

const and = (...filters: readonly unknown[]): unknown => ({ kind: 'and', filters })
const or = (...filters: readonly unknown[]): unknown => ({ kind: 'or', filters })
const all = { kind: 'all' }

const accepted: readonly (readonly [name: string, json: unknown, filter: unknown])[] = [
  ['an empty object matches all', {}, all],
  ['a bare value means _eq', { title: 'a' }, compare('title', 'eq', 'a')],
  ['a bare null means _null', { title: null }, compare('title', 'null')],
  ['several fields are joined by AND', { id: 1, title: 'a' }, and(compare('id', 'eq', 1), compare('title', 'eq', 'a'))],
  [
    'several operators are joined by AND',
    { id: { _gt: 1, _lt: 5 } },
    and(compare('id', 'gt', 1), compare('id', 'lt', 5)),
  ],
  ['_or of filters', { _or: [{ id: 1 }, { id: 2 }] }, or(compare('id', 'eq', 1), compare('id', 'eq', 2))],
  ['_or of nothing matches nothing', { _or: [] }, { kind: 'none' }],
  ['_and of nothing matches all', { _and: [] }, all],
  [
    'lists as objects with numbers for keys',
    { _or: { 0: { id: 1 }, 1: { id: 2 } } },
    or(compare('id', 'eq', 1), compare('id', 'eq', 2)),
  ],
  ['_or below a field', { id: { _or: [{ _lt: 1 }, { _gt: 5 }] } }, or(compare('id', 'lt', 1), compare('id', 'gt', 5))],
  ['_in of a list', { id: { _in: [1, '2'] } }, compare('id', 'in', 1, 2)],
  ['_in of text with commas', { id: { _in: '1,2' } }, compare('id', 'in', 1, 2)],
  ['_in of an indexed object', { id: { _in: { 0: 1, 1: 2 } } }, compare('id', 'in', 1, 2)],
  ['_between', { id: { _between: [1, 5] } }, compare('id', 'between', 1, 5)],
  ['_null', { id: { _null: true } }, compare('id', 'null')],
  ['_null false', { id: { _null: 'false' } }, compare('id', 'nnull')],
  ['_nempty without value', { title: { _nempty: '' } }, compare('title', 'nempty')],
  ['_eq null', { id: { _eq: 'null' } }, compare('id', 'null')],
  ['_neq null', { id: { _neq: null } }, compare('id', 'nnull')],
  ['the word null in a text field', { title: { _eq: 'null' } }, compare('title', 'eq', 'null')],
  ['a number in a text field', { title: { _eq: 5 } }, compare('title', 'eq', '5')],
  ['a big integer stays text', { views: { _gt: '9007199254740993' } }, compare('views', 'gt', '9007199254740993')],
  ['a decimal stays text', { price: { _lte: '2.50' } }, compare('price', 'lte', '2.50')],
  ['a boolean as text', { live: { _eq: 'true' } }, compare('live', 'eq', true)],
  [
    'a uuid in lower case',
    { owner: 'AAAAAAAA-0000-4000-8000-000000000001' },
    compare('owner', 'eq', 'aaaaaaaa-0000-4000-8000-000000000001'),
  ],
  ['a date', { day: { _eq: '2026-02-28' } }, compare('day', 'eq', '2026-02-28')],
  [
    'an instant with an offset',
    { made: { _eq: '2026-01-01T01:30:00.25+02:00' } },
    compare('made', 'eq', '2025-12-31T23:30:00.25Z'),
  ],
  ['a local date and time', { local: { _eq: '2026-01-01 10:00' } }, compare('local', 'eq', '2026-01-01T10:00:00')],
  ['a time', { clock: { _eq: '10:00' } }, compare('clock', 'eq', '10:00:00')],
  [
    'GeoJSON',
    { shape: { _intersects: { type: 'Point', coordinates: [1, 2] } } },
    compare('shape', 'intersects', { type: 'Point', coordinates: [1, 2] }),
  ],
  ['$NOW', { made: { _gt: '$NOW' } }, compare('made', 'gt', { kind: 'now', milliseconds: 0, months: 0 })],
  [
    '$NOW(-1 day)',
    { made: { _gt: '$NOW(-1 day)' } },
    compare('made', 'gt', { kind: 'now', milliseconds: -86_400_000, months: 0 }),
  ],
  [
    '$NOW(+1.5 hrs)',
    { made: { _gt: '$NOW(+1.5 hrs)' } },
    compare('made', 'gt', { kind: 'now', milliseconds: 5_400_000, months: 0 }),
  ],
  [
    '$NOW(2)',
    { made: { _gt: '$NOW(2)' } },
    compare('made', 'gt', { kind: 'now', milliseconds: 172_800_000, months: 0 }),
  ],
  [
    '$NOW(-2 yrs)',
    { made: { _gt: '$NOW(-2 yrs)' } },
    compare('made', 'gt', { kind: 'now', milliseconds: 0, months: -24 }),
  ],
  ['$CURRENT_USER', { owner: { _eq: '$CURRENT_USER' } }, compare('owner', 'eq', { kind: 'current-user', path: [] })],
  ['$CURRENT_ROLES', { owner: { _in: '$CURRENT_ROLES' } }, compare('owner', 'in', { kind: 'current-roles' })],
  ['other words with a dollar are words', { title: '$5' }, compare('title', 'eq', '$5')],
  [
    'a function',
    { 'year(day)': { _eq: '2026' } },
    { kind: 'compare', operand: { kind: 'function', function: 'year', field: 'day' }, operator: 'eq', values: [2026] },
  ],
  [
    'count of related rows',
    { 'count(sections)': { _gt: 0 } },
    {
      kind: 'compare',
      operand: { kind: 'function', function: 'count', field: 'sections' },
      operator: 'gt',
      values: [0],
    },
  ],
  ['a bare value of a many-to-one', { author: 5 }, compare('author', 'eq', 5)],
  [
    'fields of a many-to-one',
    { author: { name: { _eq: 'Ann' } } },
    related('author', 'authors', 'some', compare('name', 'eq', 'Ann')),
  ],
  [
    'key and fields of a many-to-one',
    { author: { _nnull: true, name: 'Ann' } },
    and(compare('author', 'nnull'), related('author', 'authors', 'some', compare('name', 'eq', 'Ann'))),
  ],
  [
    '_or below a many-to-one',
    { author: { _or: [{ _null: true }, { name: 'Ann' }] } },
    or(compare('author', 'null'), related('author', 'authors', 'some', compare('name', 'eq', 'Ann'))),
  ],
  ['_some', { sections: { _some: { id: 1 } } }, related('sections', 'sections', 'some', compare('id', 'eq', 1))],
  ['_none', { sections: { _none: { id: 1 } } }, related('sections', 'sections', 'none', compare('id', 'eq', 1))],
  ['a to-many by key', { sections: { _eq: 1 } }, related('sections', 'sections', 'some', compare('id', 'eq', 1))],
  ['a to-many without rows', { sections: { _null: true } }, related('sections', 'sections', 'none', all)],
  [
    'a many-to-any',
    { sections: { 'item:headings': { title: 'a' } } },
    related('sections', 'sections', 'some', related('item', 'headings', 'some', compare('title', 'eq', 'a'))),
  ],
]

test.each(accepted)('%s', (_name, json, filter) => {
  expect(parse(json)).toEqual(filter)
})

test.each(accepted)('%s is written as it is read', (_name, _json, filter) => {
  const written = writeFilter(filter as Filter, { schema: testSchema, collection: 'articles' })
  expect(parse(written)).toEqual(filter)
})

test('paths of values are written as they are read, and what the language lacks is not written', () => {
  const at = { schema: testSchema, collection: 'articles' }
  const paths = { _and: [{ 'json(data, theme.0)': { _eq: 'a' } }, { owner: { _eq: '$CURRENT_USER.role' } }] }
  expect(writeFilter(parse(paths, { dynamicPaths: true }), at)).toEqual(paths)
  const not: Filter = { kind: 'not', filter: parse({ id: 1 }) }
  expect(writeFilter(not, at)).toBe(null)
  expect(writeFilter({ kind: 'or', filters: [parse({ id: 1 }), not] }, at)).toBe(null)
  const author = related('author', 'authors', 'none', compare('id', 'eq', 1)) as Filter
  expect(writeFilter(author, at)).toBe(null)
})

const refused: readonly (readonly [json: unknown, place: string, reason: string])[] = [
  [5, 'filter', 'Expected an object but received 5'],
  [{ author: { name: { _eqq: 'a' } } }, 'filter.author.name._eqq', 'Expected a filter operator but received "_eqq"'],
  [{ _or: [{ id: { _nope: 1 } }] }, 'filter._or.0.id._nope', 'Expected a filter operator but received "_nope"'],
  [{ _not: [] }, 'field', '_not'],
  [{ id: { _eq: 'a' } }, 'filter.id._eq', 'Expected an integer but received "a"'],
  [
    { id: { _eq: 3_000_000_000 } },
    'filter.id._eq',
    'Expected an integer between -2147483648 and 2147483647 but received 3000000000',
  ],
  [
    { views: { _eq: 2 ** 60 } },
    'filter.views._eq',
    'Expected an integer (one beyond 2^53 as a string) but received 1152921504606847000',
  ],
  [{ title: { _eq: '' } }, 'filter.title._eq', 'Expected a value but received an empty string (use _empty)'],
  [
    { title: { _eq: 'a\0' } },
    'filter.title._eq',
    'Expected text without NUL characters and lone surrogates but received "a\\u0000"',
  ],
  [{ title: { _gt: 'a' } }, 'filter.title._gt', 'Operator "_gt" does not apply to a field of type string'],
  [
    { secret: { _starts_with: 'a' } },
    'filter.secret._starts_with',
    'Operator "_starts_with" does not apply to a field of type hash',
  ],
  [{ id: { _in: [] } }, 'filter.id._in', 'Expected at least one value but received an empty list'],
  [{ id: { _in: [1, 'a'] } }, 'filter.id._in.1', 'Expected an integer but received "a"'],
  [{ id: { _between: [1] } }, 'filter.id._between', 'Expected two values but received 1'],
  [{ id: { _null: 'maybe' } }, 'filter.id._null', 'Expected true or false but received "maybe"'],
  [{ day: { _eq: '2026-02-30' } }, 'filter.day._eq', 'Expected a date (YYYY-MM-DD) but received "2026-02-30"'],
  [{ made: { _eq: '$NOW(1 eon)' } }, 'filter.made._eq', 'Expected a dynamic value but received "$NOW(1 eon)"'],
  [{ owner: { _eq: '$CURRENT_USER.role' } }, 'filter.owner._eq', 'Expected $CURRENT_USER without a path'],
  [
    { owner: { _eq: '$CURRENT_ROLES' } },
    'filter.owner._eq',
    'Expected one value but received the list "$CURRENT_ROLES"',
  ],
  [{ id: { _eq: '$NOW' } }, 'filter.id._eq', 'Expected a value for a field of type integer but received "$NOW"'],
  [{ title: { _regex: 'a' } }, 'filter.title._regex', 'Expected a filter operator but received "_regex"'],
  [{ 'year(title)': 5 }, 'filter.year(title)', 'Function "year" does not apply to a field of type string'],
  [{ 'count(note)': 5 }, 'filter.count(note)', 'Function "count" does not apply to a field of type alias'],
  [{ 'upper(title)': 5 }, 'filter.upper(title)', 'Expected a function of fields but received "upper"'],
  [{ note: 5 }, 'filter.note', 'Expected a field that holds values'],
  [{ author: { _some: { id: 1 } } }, 'filter.author._some', 'Expected a filter operator but received "_some"'],
  [{ 'title:headings': 5 }, 'filter.title:headings', 'Expected a field without a collection scope'],
  [
    { sections: { 'item:authors': {} } },
    'filter.sections.item:authors',
    'Expected one of the field\'s collections but received "authors"',
  ],
  [
    { sections: { item: { title: 'a' } } },
    'filter.sections.item.title',
    'Expected a filter operator but received "title"',
  ],
  [{ author: { boss: { boss: { name: 'a' } } } }, 'filter.author.boss.boss', 'Expected at most 3 names in a path'],
  [{ _or: 5 }, 'filter._or', 'Expected a list of filters but received 5'],
]

test.each(refused)('refuses %j', (json, place, reason) => {
  const error = caught(() => parse(json))
  const [failure] = error.failures
  if (failure.kind === 'field-not-found') expect([place, reason]).toEqual(['field', failure.field])
  else expect(failure).toEqual({ kind: 'invalid-query', name: place, reason })
})

test('an unknown field is not found', () => {
  expect(caught(() => parse({ author: { nope: 1 } })).failures).toEqual([
    { kind: 'field-not-found', collection: 'authors', field: 'nope' },
  ])
})

test('conditions on payloads may use patterns, paths and hidden values', () => {
  const rule = {
    _and: [{ secret: { _regex: '/^a+$/' } }, { title: { _submitted: true } }, { id: '$CURRENT_USER.number' }],
  }
  expect(parse(rule, { validation: true, dynamicPaths: true })).toEqual(
    and(
      compare('secret', 'regex', '^a+$'),
      compare('title', 'submitted'),
      compare('id', 'eq', { kind: 'current-user', path: ['number'] }),
    ),
  )
})

test('a thousand conditions and a hundred levels are the most', () => {
  const wide = { _or: Array.from({ length: 1001 }, () => ({ id: 1 })) }
  expect(caught(() => parse(wide)).failures[0]).toMatchObject({ reason: 'Expected at most 1000 conditions' })
  const related = { _or: Array.from({ length: 101 }, () => ({ author: { name: 'Ann' } })) }
  expect(caught(() => parse(related)).failures[0]).toMatchObject({
    reason: 'Expected at most 100 conditions on related items',
  })
  let deep: object = { id: 1 }
  for (let level = 0; level < 5000; level += 1) deep = { _and: [deep] }
  expect(caught(() => parse(deep)).failures[0]).toMatchObject({ reason: 'Expected at most 100 nested levels' })
})

test.each(['_intersects', '_nintersects', '_intersects_bbox', '_nintersects_bbox'])(
  '%s is no condition on what is written, which no database has seen',
  (operator) => {
    const rule = { shape: { [operator]: { type: 'Point', coordinates: [1, 2] } } }
    expect(parse(rule)).toMatchObject({ kind: 'compare' })
    expect(caught(() => parse(rule, { validation: true })).failures[0]).toMatchObject({
      kind: 'invalid-query',
      name: `filter.shape.${operator}`,
    })
  },
)

test('a geometry is checked before a database sees it', () => {
  const rule = { shape: { _intersects: { type: 'Polygon', coordinates: [[[0, 0]]] } } }
  expect(caught(() => parse(rule)).failures[0]).toMatchObject({
    kind: 'invalid-query',
    name: 'filter.shape._intersects',
    reason: expect.stringContaining('Expected at least 4 positions in a ring') as string,
  })
})

const key = fc.oneof(
  fc.constantFrom(
    'id',
    'title',
    'author',
    'sections',
    'item:headings',
    'day',
    '_and',
    '_or',
    '_some',
    '_eq',
    '_in',
    '_null',
  ),
  fc.constantFrom(
    'year(day)',
    'count(sections)',
    '__proto__',
    '_between',
    '_regex',
    'made',
    'owner',
    'shape',
    '_intersects',
  ),
  fc.string(),
)
const leaf = fc.oneof(
  fc.jsonValue(),
  fc.string(),
  fc.constantFrom('$NOW', '$NOW(-1 day)', '$CURRENT_USER', '2026-01-01'),
)
const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 6 },
    leaf,
    fc.dictionary(key, tie('tree'), { maxKeys: 4 }),
    fc.array(tie('tree'), { maxLength: 3 }),
  ),
}))

test('no input makes it throw anything but a TandemError', () => {
  fc.assert(
    fc.property(tree, fc.boolean(), (json, validation) => {
      try {
        parse(json, { validation })
      } catch (error) {
        expect(error).toBeInstanceOf(TandemError)
      }
    }),
    { numRuns: 2000 },
  )
})
