import { expect, test } from 'vitest'
import { compare } from '../query/filter.ts'
import { testSchema } from '../testing/test-schema.ts'
import { filterText } from './filter-text.ts'
import { operatorSpellings } from './filter-values.ts'
import { writeFilter } from './write-filter.ts'

test.each([...operatorSpellings])('%s is told as it is written', (spelling, operator) => {
  const filter = compare('place', operator, ['POINT(1 2)', 'POINT(3 4)'])
  expect(filterText(filter)).toContain(`place ${spelling} `)
  expect(Object.keys(writeFilter(filter, { schema: testSchema, collection: 'articles' })?.['place'] ?? {})).toEqual([
    spelling,
  ])
})
