/** What a selection becomes for each caller, and which fields a search looks into. */
import { describe, expect, test } from 'vitest'
import type { Query, Selected } from '../domain/query/query.ts'
import { coreView } from '../domain/schema/core-view.ts'
import type { Collection, Field, Schema } from '../domain/schema/schema.ts'
import type { View } from '../domain/schema/view.ts'
import { authorizeQuery } from './authorize.ts'
import { authzSchema, failureOf, field, is, queryOf, scopeOf, userWith, wildcard } from './test-schema.ts'

const admin = userWith([], { admin: true })
const keys = (of: readonly Selected[]) => of.map((each) => (each.kind === 'wildcard' ? '*' : each.key))

describe('a selection that is asked', () => {
  const scope = scopeOf(admin)
  const selection = [wildcard({ nested: [wildcard()] })]
  const read = (changes: Partial<typeof scope> = {}, more: Partial<Query> = {}) =>
    authorizeQuery({ ...scope, ...changes }, queryOf({ collection: 'notes', selection, ...more })).selection

  test('by another caller has what this one may read', () => {
    expect(keys(read())).toEqual(['id', 'text', 'post'])
    expect(keys(read({ actor: userWith([{ collection: 'notes', fields: ['text'] }]) }))).toEqual(['text'])
  })

  test('under the names of another view has these', () => {
    const notes = scope.view.byCore.get('notes')
    const fields = new Map([['words', { name: 'words', field: 'text', codec: { kind: 'text' } }]])
    const byCore = new Map(scope.view.byCore).set('notes', { ...notes, fields, byCore: fields } as never)
    const view: View = { ...scope.view, byCore }
    expect([keys(read()), keys(read({ view })), keys(read())]).toEqual([
      ['id', 'text', 'post'],
      ['words'],
      ['id', 'text', 'post'],
    ])
  })

  test('under narrower limits is refused', () => {
    expect(() => read()).not.toThrow()
    const limits = { ...scope.limits, depth: 1 }
    expect(failureOf(() => read({ limits }))).toMatchObject({ kind: 'invalid-query', name: 'fields' })
    const cost = { ...scope.limits.cost, rows: 10 }
    expect(failureOf(() => read({ limits: { ...scope.limits, cost } }))).toMatchObject({ kind: 'invalid-query' })
  })

  test('with other archived items shows these', () => {
    const kinds = [{ kind: 'all' }, { kind: 'live' }, { kind: 'all' }, { kind: 'live' }] as const
    const texts = kinds.map((archive) => JSON.stringify(read({}, { archive })))
    expect(texts.map((text) => text.includes('"nin","values":["old"]'))).toEqual([false, true, false, true])
  })
})

test('a search looks into readable text, not into keys of several columns, secrets or fields that are left out', () => {
  const posts = authzSchema.collections.get('posts') as Collection
  const more: readonly Field[] = [
    field('plain', 'string', { meta: { searchable: true } }),
    field('left', 'string', { meta: { searchable: false } }),
    field('several', 'string', { column: null, relation: posts.fields.get('author')?.relation ?? null }),
    field('hidden', 'string', { concealed: true }),
    field('data', 'json'),
  ]
  const fields = new Map(more.map((each) => [each.name, each]))
  const schema: Schema = {
    ...authzSchema,
    collections: new Map(authzSchema.collections).set('posts', { ...posts, fields }),
  }
  const search = (actor: ReturnType<typeof userWith>) =>
    authorizeQuery({ ...scopeOf(actor), schema, view: coreView(schema) }, queryOf({ selection: [], search: 'x' }))
  expect(search(admin).searchFields).toEqual([{ field: 'plain' }])
  const mine = is('plain', 'mine')
  const guarded = userWith([{ fields: ['plain'], filter: mine }, { fields: ['data'] }])
  expect(search(guarded).searchFields).toEqual([{ field: 'plain', guard: mine }])
})
