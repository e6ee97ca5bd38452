import { expect, test } from 'vitest'
import { usualBounds } from '../../domain/conditions/query-cost.ts'
import { equals } from '../../domain/query/filter.ts'
import { caught } from '../../domain/testing/test-failures.ts'
import { testSchema } from '../../domain/testing/test-schema.ts'
import { createView } from '../views/schema-view.ts'
import type { ParseScope } from './parse-scope.ts'
import { parseTarget } from './query.ts'

const scope: ParseScope = {
  schema: testSchema,
  view: createView(testSchema),
  limits: { queryDefault: 100, queryMax: null, depth: 4, batch: null, cost: usualBounds },
}

const byId = equals('id', 1)

test('a target query selects all matches unless it has a limit', () => {
  expect(parseTarget({ filter: { id: 1 } }, 'articles', scope)).toMatchObject({
    filter: byId,
    page: { limit: null, offset: 0 },
  })
  const unlimited = { limit: null, offset: 0 }
  expect(parseTarget({ filter: { id: 1 }, limit: null }, 'articles', scope).page).toEqual(unlimited)
  expect(parseTarget({ limit: 2 }, 'articles', scope).page).toEqual({ limit: 2, offset: 0 })
  expect(parseTarget({ limit: -1 }, 'articles', scope)).toMatchObject({ filter: { kind: 'all' }, page: unlimited })
})

const boundless: readonly object[] = [
  {},
  { filter: null },
  { filter: {} },
  { filter: '{}' },
  { filter: { _and: [] } },
  { filter: { _or: [{}, { id: 1 }] } },
  { search: '' },
  { sort: 'id', offset: 1 },
  { limit: null },
]

test.each(boundless)('%j is refused as a target query', (input) => {
  const reason = 'Expected "filter", "search" or "limit" in "query" but received none; "limit": -1 means all items'
  expect(caught(() => parseTarget(input, 'articles', scope)).failures).toEqual([
    { kind: 'invalid-payload', name: 'query', reason },
  ])
})

test('a misspelled parameter in a target query is refused', () => {
  expect(caught(() => parseTarget({ fliter: { id: 1 }, limit: -1 }, 'articles', scope)).failures).toEqual([
    { kind: 'invalid-payload', name: 'query', reason: '"fliter" is not a parameter of "query"' },
  ])
})
