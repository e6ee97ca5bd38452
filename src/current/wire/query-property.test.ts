import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { usualBounds } from '../../domain/conditions/query-cost.ts'
import { TandemError } from '../../domain/rights/errors.ts'
import { testSchema } from '../../domain/testing/test-schema.ts'
import { createView } from '../views/schema-view.ts'
import { parseQuery } from './query.ts'

const place = {
  schema: testSchema,
  view: createView(testSchema),
  limits: { queryDefault: 100, queryMax: null, depth: 4, batch: null, cost: usualBounds },
}

const names = [
  'id',
  'title',
  'author',
  'sections',
  'item',
  'item:headings',
  '*',
  'name',
  'year(day)',
  'count(sections)',
]
const word = fc.constantFrom(...names, '-', '', '_filter', '_limit', '__proto__')
const path = fc.array(word, { maxLength: 5 }).map((list) => list.join('.'))
const list = fc.array(word).map((each) => each.join(','))
const words = fc.oneof(path, list, fc.jsonValue(), fc.string())
const number = fc.oneof(fc.integer(), words)
const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
  tree: fc.oneof({ maxDepth: 4 }, words, fc.dictionary(word, tie('tree'), { maxKeys: 4 })),
}))
const inputs = fc.record(
  {
    fields: words,
    sort: words,
    groupBy: words,
    search: words,
    meta: words,
    filter: tree,
    deep: tree,
    alias: tree,
    aggregate: tree,
    limit: number,
    offset: number,
    page: number,
  },
  { requiredKeys: [] },
)

test('the parser throws only TandemError', () => {
  fc.assert(
    fc.property(inputs, (input) => {
      try {
        parseQuery(input, 'articles', place)
      } catch (error) {
        expect(error).toBeInstanceOf(TandemError)
      }
    }),
    { numRuns: 3000 },
  )
})
