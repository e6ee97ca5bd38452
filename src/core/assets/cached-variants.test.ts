import { expect, test } from 'vitest'
import { createMemoryStorage } from '../../storage/test-storage.ts'
import { isKeepable, keep, recall } from './cached-variants.ts'

const variant = (size: number) => ({ facts: { size, modified: new Date(0) }, bytes: Buffer.alloc(size) })
const mebibyte = 1024 ** 2

test('small variants are cached by storage and key', () => {
  const [one, another] = [createMemoryStorage(), createMemoryStorage()]
  const small = variant(10)
  keep(one, 'a', small)
  expect([recall(one, 'a'), recall(one, 'b'), recall(another, 'a')]).toEqual([small, undefined, undefined])
  expect([isKeepable({ size: 65_536 }), isKeepable({ size: 65_537 })]).toEqual([true, false])
})

test('a cached variant keeps no memory but its own', () => {
  const storage = createMemoryStorage()
  const around = Buffer.alloc(mebibyte, 'xy')
  keep(storage, 'part', { ...variant(10), bytes: around.subarray(100, 110) })
  const bytes = recall(storage, 'part')?.bytes
  expect([bytes?.toString(), bytes?.buffer.byteLength]).toEqual(['xyxyxyxyxy', 10])
})

test('the least recently used variant is evicted first', () => {
  const storage = createMemoryStorage()
  for (let n = 0; n < 16; n += 1) keep(storage, `v${n}`, variant(mebibyte))
  recall(storage, 'v0')
  keep(storage, 'further', variant(mebibyte))
  expect(['v0', 'v1', 'v2', 'further'].map((key) => recall(storage, key) !== undefined)).toEqual([
    true,
    false,
    true,
    true,
  ])
})

test('a variant that is cached twice counts once', () => {
  const storage = createMemoryStorage()
  for (let n = 0; n < 100; n += 1) keep(storage, 'same', variant(mebibyte))
  keep(storage, 'other', variant(mebibyte))
  expect(recall(storage, 'same')).toBeDefined()
})
