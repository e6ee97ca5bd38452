import { Readable } from 'node:stream'
import { afterAll, expect, test } from 'vitest'
import type { Context } from '../../domain/ports/context.ts'
import type { Storage } from '../../domain/ports/storage.ts'
import { aacOf, mp4Of, opusOf, wavOf } from '../../metadata/test-media.ts'
import { createMemoryStorage } from '../../storage/test-storage.ts'
import { openTestWorld } from '../testing/test-context.ts'
import { describeContents } from './described-contents.ts'

const world = await openTestWorld()
afterAll(() => world.close())

const address = { storage: 'local', key: 'a' }
const inStorage = (storage: Storage): Context => ({
  ...world.ctx,
  storage: { locations: new Map([['local', storage]]), primary: 'local' },
})

const describeStored = async (contents: Buffer, type: string, more: Partial<Storage> = {}) => {
  const storage = { ...createMemoryStorage(), ...more }
  await storage.write('a', Readable.from([contents]))
  return describeContents(inStorage(storage), { address, type, size: contents.length })
}

test('a large film that is no file on disk is known by its beginning and its end', async () => {
  const read: { start: number; end: number }[] = []
  const contents = mp4Of(7, { width: 320, height: 240 }, 9_000_000)
  const counted = createMemoryStorage()
  const described = await describeStored(contents, 'video/mp4', {
    write: counted.write,
    read: (key, range) => {
      if (range !== undefined) read.push(range)
      return counted.read(key, range)
    },
  })
  expect(described).toEqual({ width: 320, height: 240, duration: 7_000, metadata: null })
  expect(read.map(({ start, end }) => end - start + 1)).toEqual([2 * 1024 ** 2, 2 * 1024 ** 2])
})

test.each([
  ['a long song says at its end how long it plays', opusOf(4_000, 200), 'audio/ogg', 4_000_000],
  ['frames of the ends alone are not counted', aacOf(30_000), 'audio/aac', null],
] as const)('%s, where it is no file on disk', async (_what, contents, type, duration) => {
  expect(contents.length).toBeGreaterThan(8 * 1024 ** 2)
  expect(await describeStored(contents, type)).toMatchObject({ duration })
})

test.each([
  ['a small one is known whole', wavOf(1.5), 'audio/wav', { duration: 1_500, metadata: null }],
  ['of an empty one nothing is known', Buffer.alloc(0), 'video/mp4', { duration: null, metadata: null }],
  ['an image does not play', Buffer.from('no image'), 'image/png', { duration: null, metadata: {} }],
  ['other contents are not looked at', Buffer.from('text'), 'text/plain', { duration: null, metadata: null }],
] as const)('%s', async (_what, contents, type, expected) => {
  expect(await describeStored(contents, type)).toEqual({ width: null, height: null, ...expected })
})

test('a storage that cannot be read says nothing', async () => {
  const gone = { read: () => Promise.reject(new Error('gone')) }
  expect(await describeStored(wavOf(1), 'audio/wav', gone)).toMatchObject({ duration: null })
})
