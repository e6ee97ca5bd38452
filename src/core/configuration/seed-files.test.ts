import { expect, test } from 'vitest'
import type { Schema } from '../../domain/schema/schema.ts'
import { withTypes } from './seed-files.ts'

test('JSON in a cell keeps the digits of its numbers', () => {
  const fields = new Map([['facts', { type: 'json' }]])
  const schema = { collections: new Map([['notes', { fields }]]) } as unknown as Schema
  const facts = '{"n":9007199254740993,"d":[1.12345678901234567890]}'
  const { rows } = withTypes({ file: 'notes.csv', collection: 'notes', rows: [{ facts }] }, schema)
  expect(JSON.stringify(rows)).toBe(`[{"facts":${facts}}]`)
})
