/** `deep` is checked as a whole, also where nothing of it is selected. */
import { expect, test } from 'vitest'
import { usualBounds } from '../../domain/conditions/query-cost.ts'
import { caught } from '../../domain/testing/test-failures.ts'
import { testSchema } from '../../domain/testing/test-schema.ts'
import { createView } from '../views/schema-view.ts'
import { parseQuery } from './query.ts'

const scope = {
  schema: testSchema,
  view: createView(testSchema),
  limits: { queryDefault: 100, queryMax: null, depth: 4, batch: null, cost: usualBounds },
}

const parse = (input: object) => parseQuery({ ...input }, 'articles', scope)

const deepNames = '_filter, _sort, _limit, _offset, _page, _cursor, _search, _aggregate, _groupBy, _alias'

/** Faults in parts of `deep` that nothing of is selected from. */
const unselectedFaults: readonly (readonly [deep: unknown, name: string, reason: string])[] = [
  [
    { sections: { _limi: 1 } },
    'deep.sections',
    `Expected one of ${deepNames} or a field for "deep.sections" but received "_limi"`,
  ],
  [
    { sections: { limit: 1 } },
    'deep.sections',
    `Expected one of ${deepNames} or a relation for "deep.sections" but received "limit"`,
  ],
  [{ sections: 5 }, 'deep.sections', 'Expected an object for "deep.sections" but received 5'],
  [
    { sections: { _limit: 'x' } },
    'deep.sections._limit',
    'Expected an integer not below -1 for "deep.sections._limit" but received "x"',
  ],
  [
    { sections: { _filter: { id: { _nope: 1 } } } },
    'deep.sections._filter.id._nope',
    'Expected a filter operator but received "_nope"',
  ],
  [{ _limit: 1 }, 'deep', 'Expected a relation for "deep" but received "_limit"'],
  [{ nowhere: {} }, 'deep', 'Expected a relation for "deep" but received "nowhere"'],
  [{ title: { _limit: 1 } }, 'deep', 'Expected a relation for "deep" but received "title"'],
  [{ 'author:authors': {} }, 'deep', 'Expected a relation for "deep" but received "author:authors"'],
  [
    { author: { boss: { _search: 'x' } } },
    'deep.author.boss._search',
    'Expected nothing, because it leads to one item, for "deep.author.boss._search" but received "x"',
  ],
  [
    { sections: { 'item:articles': {} } },
    'deep.sections',
    'Expected one of the collections of the field for "deep.sections" but received "articles"',
  ],
  [
    { sections: { item: { _filter: { title: { _nope: 1 } } } } },
    'deep.sections.item._filter.title._nope',
    'Expected a filter operator but received "_nope"',
  ],
  [
    { author: { boss: { boss: { boss: { boss: {} } } } } },
    'deep.author.boss.boss.boss',
    'Expected at most 4 levels for "deep.author.boss.boss.boss" but received 5',
  ],
]

test.each([
  [{ sections: { _limit: 1, _sort: '-id', item: { _filter: { title: 'a' } }, 'item:headings': {} } }],
  [{ author: { _filter: { name: 'Ann' }, boss: { _alias: { chief: 'boss' }, chief: { _filter: { name: 'B' } } } } }],
  [{ sections: { _aggregate: { count: '*' }, _groupBy: ['item'] } }],
  [{}],
])('deep of what is not selected has no effect: %j', (deep) => {
  expect(parse({ fields: 'id', deep })).toEqual(parse({ fields: 'id' }))
})

test.each(unselectedFaults)('refuses %j', (deep, name, reason) => {
  expect(caught(() => parse({ fields: 'id', deep })).failures).toEqual([{ kind: 'invalid-query', name, reason }])
})

test('a selected many-to-any takes no parameters that choose among several items', () => {
  const deep = { sections: { 'item:headings': { _search: 'x' } } }
  const name = 'deep.sections.item:headings._search'
  const reason = `Expected nothing, because it leads to one item, for "${name}" but received "x"`
  const { failures } = caught(() => parse({ fields: 'sections.item:headings.title', deep }))
  expect(failures).toEqual([{ kind: 'invalid-query', name, reason }])
})

test('groups of related rows are selected by the name of the field alone', () => {
  const deep = { sections: { _aggregate: { count: 'id' }, _groupBy: ['item'] } }
  const many = (fields: string) => parse({ fields, deep }).selection.find(({ kind }) => kind === 'many')
  const values = [{ aggregate: 'count', field: 'id', key: 'id' }]
  expect(many('id,sections')).toMatchObject({
    kind: 'many',
    key: 'sections',
    query: { collection: 'sections', aggregation: { values, group: [{ kind: 'field', key: 'item', field: 'item' }] } },
  })
  expect(many('id,sections.id')).toMatchObject({ query: { aggregation: { values } } })
})
