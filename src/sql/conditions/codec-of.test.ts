import { describe, expect, test } from 'vitest'
import type { Column, Field } from '../../domain/schema/schema.ts'
import { worldSchema } from '../testing/test-database.ts'
import { viewOf } from '../testing/test-query.ts'
import { codecOf, isWrittenBack } from './codec-of.ts'

const schema = await worldSchema()

const fieldOf = (collection: string, name: string) => schema.collections.get(collection)?.fields.get(name) as Field

describe('a field is shown', () => {
  test.each<[how: string, name: string, concealed: boolean, codec: string]>([
    ['as is usual for its type', 'title', false, 'text'],
    ['as the view says', 'status', false, 'words'],
    ['as a mask if it is concealed, whatever the view says', 'status', true, 'mask'],
  ])('%s', (_how, name, concealed, codec) => {
    const view = viewOf({ articles: { status: { kind: 'words', words: {} } } })
    expect(codecOf(view, 'articles', { ...fieldOf('articles', name), concealed }).kind).toBe(codec)
  })
})

describe('a value is written back as it is shown', () => {
  test.each<
    [what: string, field: readonly [collection: string, name: string], isExact: boolean, column?: Partial<Column>]
  >([
    ['a column', ['articles', 'embargo'], true],
    ['the moment of creation', ['articles', 'date_created'], false],
    ['the moment of the last change', ['articles', 'date_updated'], false],
    ['the moment of creation as a key', ['articles', 'date_created'], true, { primaryKey: true }],
    ['a column of a system collection', ['platform_users', 'last_access'], false],
    ['the key of a system collection', ['platform_users', 'id'], true],
    ['a reference in a system collection', ['platform_users', 'role'], true],
    ['a decimal number of any length', ['articles', 'price'], true, { precision: null }],
    ['a decimal number of 16 digits', ['articles', 'price'], true, { precision: 16 }],
    ['a decimal number of 15 digits, which JSON holds', ['articles', 'price'], false, { precision: 15 }],
    ['an integer of 15 digits', ['articles', 'views'], true, { precision: 15 }],
  ])('%s', (_what, [collection, name], isExact, column = {}) => {
    const field = fieldOf(collection, name)
    const changed = { ...field, column: { ...(field.column as Column), ...column } }
    expect(isWrittenBack(schema, collection, changed)).toBe(isExact)
  })
})
