import { describe, expect, test } from 'vitest'
import type { Query } from '../../domain/query/query.ts'
import type { Entry } from '../dialects/dialect.ts'
import { postgres } from '../dialects/postgres.ts'
import { joinTexts } from '../run/read.ts'
import { worldSchema } from '../testing/test-database.ts'
import { field, queryOf, viewOf } from '../testing/test-query.ts'
import { modeOf, plainColumns, type TextRow, textsOf } from './columns.ts'

const schema = await worldSchema()

describe('the rows of a list', () => {
  const body = [field('id'), field('body')]
  const page = { limit: null, offset: 0 }
  test.each<[what: string, query: Partial<Query>, mode: string]>([
    ['all rows with long texts', { selection: body, page }, 'columns'],
    ['200 rows with long texts', { selection: body, page: { limit: 200, offset: 0 } }, 'columns'],
    ['199 rows with long texts', { selection: body, page: { limit: 199, offset: 0 } }, 'json'],
    ['all rows without long texts', { selection: [field('id'), field('title')], page }, 'json'],
    ['rows with counts', { selection: body, page, counts: ['total'] }, 'json'],
    ['groups', { selection: body, page, aggregation: { group: [], values: [] } }, 'json'],
    ['rows with a text of ours', { selection: [{ kind: 'constant', key: 'body', text: 'x' }], page }, 'json'],
  ])('%s come as %s', (_what, query, mode) => {
    expect(modeOf(queryOf({ collection: 'articles', ...query }), schema, viewOf(), postgres)).toBe(mode)
  })
})

describe('rows of columns as JSON', () => {
  const entries: readonly Entry[] = [
    { key: 'a "title"', sql: '', json: 'text' },
    { key: 'tags', sql: '', json: 'json' },
    { key: 'views', sql: '', json: 'value' },
  ]
  test.each<[what: string, entries: readonly Entry[], rows: readonly TextRow[], json: string]>([
    ['no rows', entries, [], ''],
    ['a row', entries, [['"hi"', '[1]', '7']], '{"a \\"title\\"":"\\"hi\\"","tags":[1],"views":7}'],
    [
      'two rows, one of them without values',
      entries,
      [
        [null, null, null],
        ['', '{}', '0'],
      ],
      '{"a \\"title\\"":null,"tags":null,"views":null},{"a \\"title\\"":"","tags":{},"views":0}',
    ],
    ['rows of which nothing is selected', [], [[], []], '{},{}'],
  ])('%s', (_what, selected, rows, json) => {
    expect(joinTexts(textsOf(selected).columns, rows)).toBe(json)
  })
})

const text = (key: string): Entry => ({ key, sql: 's::text', json: 'text', plain: 's' })

describe('the driver makes objects', () => {
  test.each<[what: string, entries: readonly Entry[], isPlain: boolean]>([
    ['of names', [text('title'), text('h1')], true],
    ['of no names', [], true],
    ['and not of a number, which they move to the front', [text('title'), text('1')], false],
    ['and not of a prototype', [text('__proto__')], false],
    ['and not of a name that the database cuts off', [text('x'.repeat(64))], false],
    ['and not of values that are JSON', [text('title'), { key: 'tags', sql: 's', json: 'json' }], false],
  ])('%s', (_what, entries, isPlain) => {
    const plain = isPlain ? entries.map((entry) => ({ ...entry, sql: 's' })) : null
    expect(plainColumns(entries, postgres)).toEqual(plain)
  })
})
