import { expect, test } from 'vitest'
import type { Collection, Schema } from '../../domain/schema/schema.ts'
import { testSchema } from '../../domain/testing/test-schema.ts'
import { createView } from './schema-view.ts'

const codecs = Object.fromEntries(
  [...(createView(testSchema).collections.get('articles')?.fields.values() ?? [])].map(({ name, codec }) => [
    name,
    codec,
  ]),
)

test('every type has its wire format', () => {
  expect(codecs).toEqual({
    id: { kind: 'literal' },
    title: { kind: 'text' },
    views: { kind: 'number-text' },
    price: { kind: 'number' },
    live: { kind: 'boolean', nullAs: 'false' },
    day: { kind: 'date' },
    made: { kind: 'plain-datetime' },
    local: { kind: 'plain-datetime' },
    clock: { kind: 'time' },
    owner: { kind: 'text' },
    data: { kind: 'json' },
    shape: { kind: 'geojson' },
    secret: { kind: 'mask' },
    author: { kind: 'literal' },
    sections: { kind: 'json' },
  })
})

test('presentational fields are not part of a collection', () => {
  expect(codecs).not.toHaveProperty('note')
})

const authors = testSchema.collections.get('authors') as Collection
const [id, name] = [...authors.fields.values()]
const named = (field: string, as = name) => [field, { ...as, name: field }] as [string, NonNullable<typeof name>]

const users: Collection = {
  ...authors,
  name: 'platform_users',
  system: true,
  fields: new Map([
    named('id'),
    named('number', id),
    named('language'),
    named('status'),
    named('password'),
    named('token'),
  ]),
}

const schema: Schema = {
  ...testSchema,
  collections: new Map([
    ['platform_users', users],
    ['platform_flows', { ...users, name: 'platform_flows' }],
  ]),
}

test('system rows show their integer id, stored fields the names of this generation', () => {
  const view = createView(schema).collections.get('platform_users')
  expect([...(view?.fields.values() ?? [])].map((each) => [each.name, each.field])).toEqual([
    ['id', 'number'],
    ['status', 'status'],
    ['password', 'password'],
    ['token', 'token'],
    ['locale', 'language'],
  ])
})

test('system collections unknown to this generation are absent', () => {
  expect(createView(schema).collections.has('platform_flows')).toBe(false)
})
