import { expect, test } from 'vitest'
import { coreView } from '../../domain/schema/core-view.ts'
import { testSchema } from '../../domain/testing/test-schema.ts'
import { type ParseContext, rememberParsed } from './query-string.ts'

const limits = { queryDefault: 100, queryMax: null, depth: 4, batch: null } as ParseContext['limits']
const place: ParseContext = { view: coreView(testSchema), limits }

const userWith = (fingerprint: string): NonNullable<ParseContext['actor']> => {
  const access = { admin: false, app: false, policies: [], rules: [], fingerprint }
  return { kind: 'user', user: 'u', role: null, roles: [], session: null, access }
}

const parse = (at: ParseContext, question: readonly unknown[]): object => rememberParsed(at, question, () => ({}))

test('a repeated query is parsed once per view, limits and permissions', () => {
  const first = parse(place, ['articles', { fields: 'id' }])
  expect(parse({ ...place, limits: { ...limits } }, ['articles', { fields: 'id' }])).toBe(first)
  expect(parse(place, ['articles', { fields: 'title' }])).not.toBe(first)
  expect(parse({ ...place, limits: { ...limits, depth: 5 } }, ['articles', { fields: 'id' }])).not.toBe(first)
  expect(parse({ ...place, view: { ...place.view } }, ['articles', { fields: 'id' }])).not.toBe(first)
  const own = parse({ ...place, actor: userWith('a') }, ['articles', { fields: 'id' }])
  expect(own).not.toBe(first)
  expect(parse({ ...place, actor: userWith('a') }, ['articles', { fields: 'id' }])).toBe(own)
  expect(parse({ ...place, actor: userWith('b') }, ['articles', { fields: 'id' }])).not.toBe(own)
})

test('long queries are not cached, and the cache keeps the latest ones', () => {
  const long = ['x'.repeat(3000)]
  expect(parse(place, long)).not.toBe(parse(place, long))
  const [oldest, latest] = [parse(place, ['oldest']), parse(place, ['latest'])]
  for (let n = 0; n < 999; n += 1) parse(place, [n])
  expect(parse(place, ['latest'])).toBe(latest)
  expect(parse(place, ['oldest'])).not.toBe(oldest)
})

const refuse = (): object => {
  throw new Error('refused')
}

test('errors are not cached', () => {
  expect(() => rememberParsed(place, ['refused'], refuse)).toThrow('refused')
  expect(rememberParsed(place, ['refused'], () => ({ n: 1 }))).toEqual({ n: 1 })
})
