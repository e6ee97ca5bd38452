import { expect, test } from 'vitest'
import { readReport } from './read-report.ts'

const table = { table: 'movies', here: 'movies', source: 3, taken: 2, created: 2, updated: 0, deleted: 0 }

test('a report of an import is read with what is missing, and why', () => {
  const value = {
    column: 'day',
    what: 'no date of the calendar',
    count: 4,
    examples: [{ key: '8', value: '1980-00-00' }],
  }
  const missing = { number: '9', id: 'f9', name: 'a.jpg' }
  const report = {
    source: 'mysql://old/site',
    seconds: 2,
    tables: [
      { ...table, differing: 1, refused: [{ key: 7, reason: 'name is too long' }] },
      { ...table, table: 'directus_users', here: 'platform_users', differing: 0, refused: [] },
    ],
    files: { copied: 1, present: 0, bytes: 3, missing: [missing] },
    foreignKeys: [
      { table: 'movies', column: 'actor', target: 'actors', fault: 'Row 3 has none' },
      { table: 'movies', column: 'cover', target: 'files', fault: null },
    ],
    values: [
      { table: 'movies', ...value },
      { table: 'directus_users', ...value },
    ],
    notes: ['Flows are not taken', 'Flows are not taken'],
  }
  const counts = { source: 3, here: 2, created: 2, updated: 0 }
  expect(readReport(JSON.stringify(report))).toEqual({
    source: 'mysql://old/site',
    isComplete: false,
    tables: [
      {
        table: 'movies',
        collection: 'movies',
        ...counts,
        differing: 1,
        refused: [{ key: '7', reason: 'name is too long' }],
        isWhole: false,
      },
      {
        table: 'directus_users',
        collection: 'platform_users',
        ...counts,
        differing: 0,
        refused: [],
        isWhole: true,
      },
    ],
    missing: [missing],
    values: [
      { table: 'movies', collection: 'movies', ...value },
      { table: 'directus_users', collection: 'platform_users', ...value },
    ],
    keys: [{ table: 'movies', column: 'actor', target: 'actors', fault: 'Row 3 has none' }],
    notes: ['Flows are not taken'],
  })
})

test('a report without faults is complete', () => {
  const report = { source: 'mysql://old/site', tables: [{ ...table, differing: 0, refused: [] }], files: null }
  expect(readReport(JSON.stringify(report))).toMatchObject({ isComplete: true, missing: [], notes: [] })
})

test.each(['', 'null', '[]', '{"source": "x"}', '{"tables": []}'])('%s is no report', (text) => {
  expect(readReport(text)).toBeNull()
})
