/** What becomes of each kind of selected value, by name and below a wildcard. */
import { describe, expect, test } from 'vitest'
import { and, matchAll } from '../domain/query/filter.ts'
import type { Query, Selected } from '../domain/query/query.ts'
import type { Actor } from '../domain/rights/actor.ts'
import { coreView } from '../domain/schema/core-view.ts'
import type { Collection, Schema } from '../domain/schema/schema.ts'
import { authorizeQuery } from './authorize.ts'
import { authzSchema, failureOf, is, named, queryOf, scopeOf, userWith, wildcard } from './test-schema.ts'

const admin = userWith([], { admin: true })
const mine = is('status', 'mine')
const open = is('text', 'open')

type QueryParts = Partial<Query> & {
  readonly actor?: Actor
  readonly schema?: Schema
  readonly depth?: number
  readonly queryMax?: number | null
}

const expand = (
  selection: readonly Selected[],
  { actor = admin, schema = authzSchema, depth = 3, queryMax = 10, ...more }: QueryParts = {},
) => {
  const scope = scopeOf(actor)
  const limits = { ...scope.limits, depth, queryMax }
  const view = schema === authzSchema ? scope.view : coreView(schema)
  return authorizeQuery({ ...scope, schema, view, limits }, queryOf({ selection, ...more })).selection
}
const refused = (selection: readonly Selected[], parts: QueryParts = {}) => failureOf(() => expand(selection, parts))

const composite = (name: string, ...keyColumns: readonly string[]): Schema => {
  const found = authzSchema.collections.get(name) as Collection
  return { ...authzSchema, collections: new Map(authzSchema.collections).set(name, { ...found, keyColumns }) }
}

const one = (field: string, ...selection: readonly Selected[]): Selected => ({
  kind: 'one',
  key: field,
  field,
  selection,
  filter: matchAll,
})
const many = (field: string, collection: string, ...selection: readonly Selected[]): Selected => ({
  kind: 'many',
  key: field,
  field,
  query: queryOf({ collection, selection }),
})
const any = (...collections: readonly string[]): Selected => ({
  kind: 'any',
  key: 'item',
  field: 'item',
  options: collections.map((collection) => ({ collection, selection: [named('id')], filter: matchAll })),
})
const count = (field: string): Selected => ({ kind: 'function', key: 'n', function: 'count', field })
const year: Selected = { kind: 'function', key: 'y', function: 'year', field: 'made' }
const rowKey: Selected = { kind: 'row-key', key: '$key' }

const shown = (kind: 'live' | 'all' | null) => {
  const post = { ...one('post', named('id')), ...(kind === null ? {} : { archive: { kind } }) } as Selected
  return (expand([post], { collection: 'notes' })[0] as { readonly filter: object }).filter
}

describe('a selected value', () => {
  test('that is constant, or an object of others, is kept', () => {
    const object: Selected = { kind: 'object', key: 'o', selection: [named('title')] }
    const constant: Selected = { kind: 'constant', key: 'c', text: 'posts' }
    expect(expand([constant, object, year])).toEqual([constant, object, year])
    const actor = userWith([{ fields: ['id'] }])
    expect(refused([object], { actor })).toMatchObject({ denied: { field: 'title' } })
  })

  test('that is the key of the row needs the right to all its columns', () => {
    const actor = userWith([{ fields: ['title'] }, { fields: ['id'], filter: mine }])
    expect(expand([rowKey])).toEqual([rowKey])
    expect(expand([rowKey], { actor })).toEqual([{ ...rowKey, guard: mine }])
    const both = userWith([
      { fields: ['views'] },
      { fields: ['id'], filter: mine },
      { fields: ['title'], filter: open },
    ])
    const schema = composite('posts', 'id', 'title')
    expect(expand([rowKey], { actor: both, schema })).toEqual([{ ...rowKey, guard: and(mine, open) }])
    const none = userWith([{ fields: ['id'] }])
    expect(refused([rowKey], { actor: none, schema })).toMatchObject({ denied: { field: 'title' } })
  })

  const wrong: readonly Selected[] = [
    one('title', named('id')),
    one('notes', named('id')),
    many('title', 'posts', named('id')),
    many('author', 'people', named('id')),
    many('notes', 'people', named('id')),
    any('posts'),
    named('divider'),
  ]
  test.each(wrong)('of another kind than its field is refused: %j', (selected) => {
    expect(refused([selected])).toMatchObject({ kind: 'forbidden' })
  })

  test('counts as a name of a path with each relation', () => {
    const lists = [many('notes', 'notes', named('id'))]
    expect(refused(lists, { depth: 1 })).toMatchObject({ reason: 'Expected at most 1 names in a path' })
    expect(expand(lists, { depth: 2 })).toMatchObject([{ kind: 'many', query: { selection: [named('id')] } }])
    const twice = [wildcard({ nested: [wildcard({ nested: [wildcard()] })] })]
    expect(refused(twice, { depth: 2 })).toMatchObject({ reason: 'Expected at most 2 names in a path' })
    expect(() => expand(twice, { depth: 3 })).not.toThrow()
  })

  test('of a to-many field is the keys of the rows that show them', () => {
    const guarded = userWith([{}, { collection: 'notes', fields: ['text'] }, { collection: 'notes', filter: open }])
    expect(expand([named('notes')], { actor: guarded })).toEqual([
      { kind: 'field', key: 'k', field: 'notes', related: open },
    ])
    const keyless = userWith([{}, { collection: 'notes', fields: ['text', 'id'] }])
    expect(expand([named('notes')], { actor: keyless })).toMatchObject([{ related: matchAll }])
    const schema = composite('notes', 'id', 'post')
    expect(refused([named('notes')], { actor: keyless, schema })).toMatchObject({ denied: { field: 'notes' } })
    expect(expand([named('notes')], { schema })).toMatchObject([{ related: matchAll }])
  })

  test('leaves archived related rows out where the request says so', () => {
    expect(JSON.stringify(shown('live'))).toContain('"nin","values":["old"]')
    expect([shown('all'), shown(null)]).toEqual([matchAll, matchAll])
  })
})

const names = (of: readonly Selected[]) => of.map((inner) => (inner.kind === 'wildcard' ? '*' : inner.key))

/** The keys below a wildcard, by relation: `{ author: ['id'] }`. */
const below = (nested: readonly Selected[], parts: QueryParts = {}, more: Parameters<typeof wildcard>[0] = {}) =>
  Object.fromEntries(
    expand([wildcard({ nested, ...more })], parts).map((each) => {
      if (each.kind === 'one') return [each.key, names(each.selection)]
      if (each.kind === 'many') return [each.key, names(each.query.selection)]
      if (each.kind === 'any')
        return [each.key, each.options.map((option) => [option.collection, names(option.selection)])]
      return [each.kind === 'wildcard' ? '*' : each.key, each.kind]
    }),
  )

describe('below a wildcard', () => {
  const people = { collection: 'people' } as const
  const notes = { collection: 'notes' } as const
  const plain = { id: 'field', name: 'field', age: 'field' }

  test('names that a collection lacks, or that are of another kind, are left out', () => {
    const cases: readonly (readonly [selected: Selected, boss: readonly string[], posts: readonly string[]])[] = [
      [named('title'), ['id'], ['id', 'k']],
      [named('divider'), ['id'], ['id']],
      [count('notes'), ['id'], ['id', 'n']],
      [year, ['id'], ['id', 'y']],
      [one('author', named('id')), ['id'], ['id', 'author']],
      [one('notes', named('id')), ['id'], ['id']],
      [one('title', named('id')), ['id'], ['id']],
      [many('posts', 'posts', named('id')), ['id', 'posts'], ['id']],
      [many('notes', 'notes', named('id')), ['id'], ['id', 'notes']],
      [any('people', 'notes'), ['id'], ['id', 'item']],
      [rowKey, ['id', '$key'], ['id', '$key']],
    ]
    const id: Selected = { kind: 'field', key: 'id', field: 'id' }
    for (const [selected, boss, posts] of cases) {
      expect(below([id, selected], { ...people, depth: 4 }), JSON.stringify(selected)).toEqual({
        ...plain,
        boss,
        posts,
      })
    }
  })

  test('what the actor may not read is left out', () => {
    const actor = userWith([
      { fields: ['id', 'author', 'notes', 'item', 'title'] },
      { ...notes, fields: ['text', 'post'] },
    ])
    const inner = (selected: Selected) => below([named('title'), selected], { ...notes, actor, depth: 4 })
    expect(inner(one('author', named('id')))).toEqual({ text: 'field', post: ['k'] })
    expect(inner(many('notes', 'notes', named('text')))).toEqual({ text: 'field', post: ['k', 'notes'] })
    expect(inner(count('notes'))).toEqual({ text: 'field', post: ['k', 'n'] })
    expect(inner({ kind: 'field', key: 'keys', field: 'notes' })).toEqual({ text: 'field', post: ['k'] })
    expect(inner(rowKey)).toEqual({ text: 'field', post: ['k', '$key'] })
    const withoutNotes = userWith([{ fields: ['id', 'notes'] }, { ...people, fields: ['id', 'posts'] }])
    const posts = (selected: Selected) => below([named('id'), selected], { ...people, actor: withoutNotes, depth: 4 })
    for (const selected of [count('notes'), many('notes', 'notes', named('id'))]) {
      expect(posts(selected)).toEqual({ id: 'field', posts: ['k'] })
    }
    const hidden = userWith([{ fields: ['title'] }, { ...notes, fields: ['post'] }])
    expect(below([named('title'), rowKey], { ...notes, actor: hidden })).toEqual({ post: ['k'] })
    const schema = composite('posts', 'id', 'title')
    expect(below([named('title'), rowKey], { ...notes, actor: hidden, schema })).toEqual({ post: ['k'] })
  })

  test('a many-to-any has the collections that may be read, and is left out without any', () => {
    const of = (...rules: Parameters<typeof userWith>[0]) =>
      userWith([{ fields: ['id', 'item', 'author'] }, { ...notes, fields: ['post', 'id'] }, ...rules])
    const expanded = expand([wildcard({ nested: [any('people', 'notes')] })], { ...notes, actor: of() })
    expect(expanded).toMatchObject([
      { key: 'id' },
      { key: 'post', selection: [{ kind: 'any', options: [{ collection: 'notes', selection: [named('id')] }] }] },
    ])
    expect(below([named('id')], { actor: of({ collection: 'people', fields: ['id'] }) })['item']).toEqual([
      ['people', ['k']],
      ['notes', ['k']],
    ])
    expect(below([named('age')], { actor: of() })).toEqual({ id: 'field' })
  })

  test('keys of a many-to-any are left out for collections, and for keys, that may not be read', () => {
    const asKeys: Selected = {
      kind: 'any',
      key: 'item',
      field: 'item',
      options: ['notes', 'people'].map((collection) => ({
        collection,
        selection: [rowKey],
        filter: matchAll,
        asKey: true,
      })),
    }
    const optionsOf = (...rules: Parameters<typeof userWith>[0]) =>
      expand([asKeys], { actor: userWith([{ fields: ['id', 'item'] }, ...rules]) })
    expect(optionsOf({ ...notes, fields: ['id'] }, { collection: 'people', fields: ['name'] })).toMatchObject([
      { options: [{ collection: 'notes', asKey: true, selection: [rowKey] }] },
    ])
    expect(optionsOf()).toMatchObject([{ options: [] }])
  })

  test('exceptions and lists are left out where the wildcard says so', () => {
    expect(below([named('id')], people)).toEqual({ ...plain, boss: ['k'], posts: ['k'] })
    expect(below([named('id')], people, { except: ['boss', 'age'] })).toEqual({
      id: 'field',
      name: 'field',
      posts: ['k'],
    })
    expect(below([named('id')], people, { aliases: false })).toEqual({ ...plain, boss: ['k'] })
  })

  test('fields that the view does not list are left out', () => {
    const scope = scopeOf(admin)
    const view = scope.view.byCore.get('people')
    const fields = new Map(view?.fields).set('age', {
      name: 'age',
      field: 'age',
      codec: { kind: 'text' },
      unlisted: true,
    })
    const byCore = new Map(scope.view.byCore).set('people', { ...view, fields, byCore: fields } as never)
    const plain = queryOf({ ...people, selection: [wildcard({ aliases: false })] })
    const shown = authorizeQuery({ ...scope, view: { ...scope.view, name: 'own', byCore } }, plain).selection
    expect(shown.map((each) => (each.kind === 'wildcard' ? '*' : each.key))).toEqual(['id', 'name', 'boss'])
  })

  test('lists have the default length, and related rows the archive of the request', () => {
    const nested = [named('id')]
    const [, post] = expand([wildcard({ nested, except: ['text'] })], { ...notes, archive: { kind: 'live' } })
    expect(JSON.stringify(post)).toContain('"nin","values":["old"]')
    const [, whole] = expand([wildcard({ nested, except: ['text'] })], notes)
    expect(whole).toMatchObject({ filter: matchAll })
    const lists = (archive: Query['archive'], more: QueryParts = {}) =>
      expand([wildcard({ nested })], { ...people, archive, ...more }).at(-1)
    expect(lists({ kind: 'only', values: ['old'] })).toMatchObject({
      kind: 'many',
      query: { page: { limit: 10, offset: 0 }, archive: { kind: 'all' }, sort: [], filter: matchAll },
    })
    expect(lists({ kind: 'live' })).toMatchObject({ query: { archive: { kind: 'live' } } })
    for (const queryMax of [null, 1000]) {
      expect(lists({ kind: 'live' }, { queryMax })).toMatchObject({ query: { page: { limit: 100 }, counts: [] } })
    }
  })
})
