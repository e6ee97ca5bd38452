import { expect, test } from 'vitest'
import { toDateText } from './dates.ts'
import type { Field } from './model.ts'

const place = { now: new Date('2026-05-02T10:00:00'), language: 'en-GB' }
const field = (display_options: object, options = {}): Field => ({
  collection: 'articles',
  field: 'published',
  type: 'timestamp',
  schema: null,
  meta: { options: { ...options }, display_options: { ...display_options } },
})

test.each([
  ['date', '2026-05-01', {}, '1 May 2026'],
  ['date', '2026-05-01', { format: 'short' }, '01/05/2026'],
  ['date', '2026-05-01', { format: 'long' }, '1 May 2026'],
  ['datetime', '2026-05-01T15:30:05', { format: 'short' }, '01/05/2026, 15:30'],
  ['datetime', '2026-05-01T22:30:05', { includeSeconds: true, use24: false }, '1 May 2026, 10:30:05 pm'],
  ['time', '15:30:00', {}, '15:30'],
  ['timestamp', '2026-05-01T08:00:00', { relative: true }, 'yesterday'],
  ['timestamp', '2026-05-02T13:00:00', { relative: true }, 'in 3 hours'],
  ['timestamp', 'never', {}, 'never'],
] as const)('%s %s with %j', (kind, text, options, expected) => {
  expect(toDateText(field(options), kind, text, place)).toBe(expected)
})

test('options of version 8 are followed', () => {
  expect(toDateText(field({}, { showRelative: true }), 'date', '2026-05-01', place)).toBe('yesterday')
})
