import { expect, test } from 'vitest'
import { readReport } from './read-report.ts'

const table = { table: 'movies', here: 'movies', source: 3, taken: 2, created: 2, updated: 0, deleted: 0 }

test('a report of an import is read with what is missing, and why', () => {
  const report = {
    source: 'mysql://old/site',
    seconds: 2,
    tables: [
      { ...table, differing: 1, refused: [{ key: 7, reason: 'name is too long' }] },
      { ...table, table: 'actors', differing: 0, refused: [] },
    ],
    files: { copied: 1, present: 0, bytes: 3, missing: ['a.jpg'] },
    foreignKeys: [
      { table: 'movies', column: 'actor', target: 'actors', fault: 'Row 3 has none' },
      { table: 'movies', column: 'cover', target: 'files', fault: null },
    ],
    values: [{ table: 'movies', column: 'day', what: 'dates of zeros', count: 4, examples: [] }],
    notes: ['Flows are not taken'],
  }
  expect(readReport(JSON.stringify(report))).toEqual({
    source: 'mysql://old/site',
    isComplete: false,
    tables: [
      { table: 'movies', source: 3, here: 2, created: 2, updated: 0, differing: 1, refused: 1, isWhole: false },
      { table: 'actors', source: 3, here: 2, created: 2, updated: 0, differing: 0, refused: 0, isWhole: true },
    ],
    notes: [
      'movies 7: name is too long',
      'a.jpg',
      'movies.day: 4 × dates of zeros',
      'movies.actor → actors: Row 3 has none',
      'Flows are not taken',
    ],
  })
})

test('a report without faults is complete', () => {
  const report = { source: 'mysql://old/site', tables: [{ ...table, differing: 0, refused: [] }], files: null }
  expect(readReport(JSON.stringify(report))).toMatchObject({ isComplete: true, notes: [] })
})

test.each(['', 'null', '[]', '{"source": "x"}', '{"tables": []}'])('%s is no report', (text) => {
  expect(readReport(text)).toBeNull()
})
