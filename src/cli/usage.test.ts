import { expect, test } from 'vitest'
import type { ReadUse } from '../core/usage/read-usage.ts'
import { usageLines } from './usage.ts'

const now = new Date('2026-05-01T10:00:00Z')
const use = (operation: string, path: string, calls: number): ReadUse => ({
  client: 'shop 2',
  generation: 'current',
  operation,
  access: path === '' ? 'call' : 'read',
  path,
  calls,
  first: '2026-05-01T09:00:00Z',
  last: '2026-05-01T09:56:00Z',
  called: null,
  successors: [],
  changes: '',
})
const wide = [use('readItems', '', 3), ...Array.from({ length: 20 }, (_, at) => use('readItems', `a.f${at + 10}`, at))]
const many = Array.from({ length: 40 }, (_, at) => use(`op${at}`, '', 1))

test('the most used paths and the latest operations are shown, and how many there are beside them', () => {
  expect(usageLines(wide, now)).toEqual([
    'shop 2 current readItems: 3 calls, last 4 minutes ago',
    ...[19, 18, 17, 16, 15, 14, 13, 12].map((at) => `  read a.f${at + 10}: ${at}`),
    '  … and 12 more paths (--all)',
  ])
  const lines = usageLines(many, now)
  expect([lines.length, lines[29], lines[30]]).toEqual([
    31,
    'shop 2 current op29: 1 call, last 4 minutes ago',
    '… and 10 more operations (--all)',
  ])
})

test('all of it, if it is asked for', () => {
  expect(usageLines(wide, now, true)).toHaveLength(21)
  expect(usageLines(many, now, true)).toHaveLength(40)
  expect(usageLines([], now, true)).toEqual(['No use by clients has been counted.'])
})
