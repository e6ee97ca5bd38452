/** Partial snapshots: what they contain, and that everything else stays unchanged. */
import * as fc from 'fast-check'
import { afterAll, expect, test, vi } from 'vitest'
import { openTestModel, type TestModel } from '../../core/testing/test-model.ts'
import { TandemError } from '../../domain/rights/errors.ts'
import { applyTo } from '../testing/test-apply.ts'
import { type Model, modelArbitrary } from '../testing/test-snapshots.ts'
import { narrowSnapshot } from './schema-scope.ts'
import type { Snapshot } from './schema-snapshot.ts'
import { compareSnapshot, readSnapshot } from './schema-sync.ts'

vi.setConfig({ testTimeout: 240_000 })

const source = await openTestModel()
const target = await openTestModel()

afterAll(async () => {
  await source.close()
  await target.close()
})

/** The reason why a partial snapshot is refused. */
const reasonOf = (error: unknown): string =>
  error instanceof TandemError ? JSON.stringify(error.failures) : String(error)

const head = { version: 1, platform: '0', vendor: 'postgres' }

async function bring(model: TestModel, given: Snapshot): Promise<Snapshot> {
  const diff = compareSnapshot(model.ctx(), JSON.parse(JSON.stringify(given)) as Snapshot, false)
  if (diff !== null) await applyTo(model, diff)
  return readSnapshot(model.ctx())
}

const key = (collection: string) => ({
  collection,
  field: 'id',
  type: 'integer' as const,
  meta: null,
  schema: { is_primary_key: true, has_auto_increment: true, is_nullable: false },
})
const holder = (collection: string, field: string) => ({
  collection,
  field,
  type: 'integer' as const,
  meta: null,
  schema: {},
})

const side = (collection: string, field: string) => ({ collection, field, type: 'alias' as const, meta: null })

const library: Model = {
  collections: [
    { collection: 'shelf', meta: {} },
    ...['authors', 'books', 'loans'].map((name) => ({ collection: name, meta: { group: 'shelf' }, schema: { name } })),
  ],
  fields: [
    ...['authors', 'books', 'loans'].map(key),
    holder('books', 'author'),
    holder('loans', 'book'),
    side('authors', 'books'),
    side('books', 'loans'),
  ],
  relations: [
    { collection: 'books', field: 'author', related_collection: 'authors', schema: {}, meta: { one_field: 'books' } },
    { collection: 'loans', field: 'book', related_collection: 'books', schema: {}, meta: { one_field: 'loans' } },
  ],
}

const only = (snapshot: Snapshot, ...names: readonly string[]): Snapshot =>
  narrowSnapshot(snapshot, (name) => names.includes(name))

const placesOf = ({ collections, fields, relations }: Snapshot) =>
  [
    collections.map(({ collection }) => collection),
    ...[fields, relations].map((part) => part.map(({ collection, field }) => `${collection}.${field}`)),
  ].map((part) => part.join(' '))

test('a partial snapshot contains its fields and relations, not the other sides of foreign relations', async () => {
  const whole = await bring(source, { ...head, ...library })
  const books = only(whole, 'books')
  expect([books.version, ...placesOf(books)]).toEqual([2, 'books', 'books.author books.id', 'books.author'])
})

test('a partial snapshot deletes nothing outside it, and is refused if a related collection is missing', async () => {
  const whole = await bring(source, { ...head, ...library })
  await bring(target, { ...head, collections: [], fields: [], relations: [] })
  const put = (...names: readonly string[]) => bring(target, only(whole, ...names))
  expect(await put('books').catch(reasonOf)).toMatch(/shelf.*, to which .*books.* leads/)
  await put('shelf')
  expect(await put('books').catch(reasonOf)).toMatch(/authors.*, to which .*books.author.* leads/)
  for (const name of ['authors', 'books', 'loans']) await put(name)
  expect(JSON.stringify(readSnapshot(target.ctx()))).toBe(JSON.stringify(whole))
  await put()
  expect(JSON.stringify(readSnapshot(target.ctx()))).toBe(JSON.stringify(whole))
})

test('deleting or redirecting a relation across the boundary includes its other side', async () => {
  const whole = await bring(target, { ...head, ...library })
  const books = only(whole, 'books')
  const [relation] = books.relations
  const renamed = { ...relation, meta: { ...relation?.meta, one_field: 'works' } } as (typeof books.relations)[number]
  const others = (snapshot: Snapshot) => placesOf(only({ ...snapshot, version: 1, relations: [] }, 'authors'))[1]
  expect(others(await bring(target, { ...books, relations: [renamed] }))).toBe('authors.id authors.works')
  expect(compareSnapshot(target.ctx(), { ...books, relations: [renamed] }, false)).toBeNull()
  expect(others(await bring(target, { ...books, relations: [] }))).toBe('authors.id')
  expect(others(await bring(target, books))).toBe('authors.books authors.id')
})

test('any partial snapshot can be applied to any model and leaves the rest unchanged', async () => {
  const done: number[] = []
  const parts = fc.array(fc.boolean(), { minLength: 12, maxLength: 12 })
  await fc.assert(
    fc.asyncProperty(modelArbitrary, modelArbitrary, parts, async (first, second, chosen) => {
      const before = await bring(target, await bring(source, { ...head, ...first }))
      const wanted = await bring(source, { ...head, ...second })
      const names = wanted.collections.map(({ collection }) => collection).filter((_, at) => chosen[at % 12])
      const part = only(wanted, ...names)
      const after = await bring(target, part).catch(reasonOf)
      if (typeof after === 'string') {
        expect(after).toMatch(/to which .* leads/)
        return
      }
      done.push(names.length)
      expect(compareSnapshot(target.ctx(), part, false)).toBeNull()
      const rest = (snapshot: Snapshot) => {
        const { collections, fields, relations } = narrowSnapshot(snapshot, (name) => !names.includes(name))
        return JSON.stringify({
          collections,
          fields: fields.filter(({ meta, type }) => meta !== null || type !== 'alias'),
          relations,
        })
      }
      expect(rest(after)).toBe(rest(before))
    }),
    { numRuns: 4, seed: 20_261_122, endOnFailure: true },
  )
  expect(done.filter((size) => size > 0).length).toBeGreaterThan(1)
})
