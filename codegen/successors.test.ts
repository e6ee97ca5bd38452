import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { successors } from '../src/generated/successors.ts'
import { loadSpec } from './bundle.ts'
import type { Operation, SpecModel } from './model.ts'
import { callsTable, lintSuccessors, successorsTable } from './successors.ts'

const [current, legacy] = await Promise.all([loadSpec('current'), loadSpec('legacy')])
const specs = [current, legacy]
const [first, ...others] = legacy.operations as [Operation, ...Operation[]]

const withFirst = (named: unknown): readonly SpecModel[] => [
  current,
  { ...legacy, operations: [{ ...first, current: named as Operation['current'] }, ...others] },
]

test('every legacy operation names its successors', () => {
  expect(lintSuccessors(specs)).toEqual([])
  expect(Object.keys(successors)).toEqual(legacy.operations.map(({ id }) => id))
})

const wrong: readonly (readonly [string, unknown, string])[] = [
  ['nothing', null, 'x-current lacks operations or changes'],
  ['no list', { operations: 'readItems', changes: 'Much.' }, 'x-current lacks operations or changes'],
  ['no changes', { operations: [] }, 'x-current lacks operations or changes'],
  [
    'an unknown operation',
    { operations: ['readNothing'], changes: 'Much.' },
    'x-current names readNothing, which does not exist',
  ],
  ['no sentence', { operations: [], changes: 'much' }, 'the changes of x-current are no sentence'],
]

test.each(wrong)('x-current with %s is reported', (_, named, finding) => {
  expect(lintSuccessors(withFirst(named))).toEqual([`legacy ${first.id}: ${finding}`])
})

test('the README has the table', () => {
  const readme = readFileSync(join(import.meta.dirname, '../openapi/README.md'), 'utf8')
  expect(readme).toContain(`\n${successorsTable(specs)}\n`)
  expect(readme).toContain('| `GET /_/items/{collection}` | `GET /items/{collection}` |')
})

test('the page on version 8 has the calls of the SDK', () => {
  const table = callsTable(specs)
  expect(readFileSync(join(import.meta.dirname, '../docs/from-version-8.md'), 'utf8')).toContain(`\n${table}\n`)
  expect(table).toContain("| `client.items('articles').read()` | `client.items('articles').read()` |")
  expect(table).toContain('| `client.users.readMe()` | `client.users.readMe()` |')
  expect(table).toContain('`client.login()`')
})
