/** The test suite for every kind of storage; specifics of one kind are tested beside it. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer, text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ObjectMissing, type Storage } from '../domain/ports/storage.ts'
import { createLocalStorage } from './local.ts'
import { createS3Storage } from './s3.ts'
import { openTestBucket } from './test-bucket.ts'
import { listAll } from './test-storage.ts'

type Opened = { readonly storage: Storage; readonly close: () => Promise<void> | void }

const openLocal = (): Opened => {
  const root = mkdtempSync(join(tmpdir(), 'tandem-storage-'))
  return { storage: createLocalStorage(root), close: () => rmSync(root, { recursive: true }) }
}

const openS3 = async (): Promise<Opened> => {
  const bucket = await openTestBucket()
  const storage = createS3Storage(bucket.options)
  return {
    storage,
    async close() {
      storage.close()
      await bucket.close()
    },
  }
}

const keysOf = async (storage: Storage, prefix: string): Promise<readonly string[]> =>
  (await listAll(storage, prefix)).map(({ key }) => key).toSorted()

/** A stream that never ends: `onMore` is called when its one chunk has been taken. */
function givesOnce(chunk: Buffer, onMore: () => void): Readable {
  let given = false
  return new Readable({
    highWaterMark: 1,
    read() {
      if (given) return onMore()
      given = true
      this.push(chunk)
    },
  })
}

describe.each([
  ['local', openLocal],
  ['s3', openS3],
] as const)('%s', (_kind, open) => {
  let opened: Opened
  beforeAll(async () => {
    opened = await open()
  })
  afterAll(() => opened.close())
  const at = (): Storage => opened.storage

  test('written objects are read, whole and in ranges', async () => {
    expect(await at().write('a.txt', Readable.from([Buffer.from('hello '), Buffer.from('world')]))).toEqual({
      size: 11,
    })
    expect(await text(await at().read('a.txt'))).toBe('hello world')
    expect(await text(await at().read('a.txt', { start: 6, end: 8 }))).toBe('wor')
    expect(await text(await at().read('a.txt', { start: 10, end: 10 }))).toBe('d')
    expect((await at().stat('a.txt'))?.size).toBe(11)
    expect(Math.abs(Date.now() - Number((await at().stat('a.txt'))?.modified))).toBeLessThan(60_000)
  })

  test('a second write replaces the first', async () => {
    await at().write('b.txt', Readable.from([Buffer.from('first')]))
    await at().write('b.txt', Readable.from([Buffer.from('2')]))
    expect(await text(await at().read('b.txt'))).toBe('2')
  })

  test('empty objects can be stored', async () => {
    expect(await at().write('empty', Readable.from([]))).toEqual({ size: 0 })
    expect(await at().stat('empty')).toMatchObject({ size: 0 })
    expect(await text(await at().read('empty'))).toBe('')
  })

  test('many megabytes travel unchanged', async () => {
    const piece = Buffer.alloc(1_000_003, 'abcdefghij')
    const pieces = Array.from({ length: 20 }, () => piece)
    expect(await at().write('big', Readable.from(pieces))).toEqual({ size: 20_000_060 })
    expect((await buffer(await at().read('big'))).equals(Buffer.concat(pieces))).toBe(true)
    await at().delete('big')
  })

  test('an absent object is null, missing, or fine to delete', async () => {
    expect(await at().stat('absent')).toBeNull()
    await expect(at().read('absent')).rejects.toBeInstanceOf(ObjectMissing)
    await expect(at().move('absent', 'elsewhere')).rejects.toBeInstanceOf(ObjectMissing)
    await at().delete('absent')
    expect(await keysOf(at(), 'absent')).toEqual([])
  })

  test('delete and move leave nothing where the object was', async () => {
    await at().write('c', Readable.from([Buffer.from('moved')]))
    await at().write('d', Readable.from([Buffer.from('replaced')]))
    await at().move('c', 'd')
    expect(await at().stat('c')).toBeNull()
    expect(await text(await at().read('d'))).toBe('moved')
    await at().delete('d')
    expect(await at().stat('d')).toBeNull()
  })

  test('a list contains the keys with the prefix', async () => {
    for (const key of ['l/1', 'l/2', 'l2', 'm ä.txt']) await at().write(key, Readable.from([Buffer.from(key)]))
    expect(await keysOf(at(), 'l')).toEqual(['l/1', 'l/2', 'l2'])
    expect(await keysOf(at(), 'l/')).toEqual(['l/1', 'l/2'])
    expect(await keysOf(at(), 'm')).toEqual(['m ä.txt'])
    expect((await listAll(at(), 'l2'))[0]?.size).toBe(2)
  })

  test('a failed or aborted write leaves the old object', async () => {
    await at().write('kept', Readable.from([Buffer.from('kept')]))
    const failing = Readable.from(
      (function* () {
        yield Buffer.alloc(9_000_000)
        throw new Error('the source broke')
      })(),
    )
    await expect(at().write('kept', failing)).rejects.toThrow()
    const taken = new AbortController()
    const endless = givesOnce(Buffer.alloc(9_000_000), () => taken.abort())
    await expect(at().write('kept', endless, { signal: taken.signal })).rejects.toThrow()
    expect(endless.destroyed).toBe(true)
    expect(await text(await at().read('kept'))).toBe('kept')
    const early: Readable = givesOnce(Buffer.from('begun'), () => early.destroy())
    await expect(at().write('kept', early)).rejects.toThrow()
    expect(await text(await at().read('kept'))).toBe('kept')
    expect(await at().discardUnfinished(new Date(Date.now() + 60_000))).toBe(0)
  })

  test.each([
    '',
    '..',
    '../a',
    'a/../../b',
    '/etc/passwd',
    'a\0b',
    'a\\b',
    '.hidden',
    'a//b',
    'a/',
    'x'.repeat(256),
    '\ud800',
  ])('%j is no key', async (key) => {
    await expect(at().read(key)).rejects.toThrow('Not a key')
    await expect(at().stat(key)).rejects.toThrow('Not a key')
    await expect(at().delete(key)).rejects.toThrow('Not a key')
    await expect(at().move('kept', key)).rejects.toThrow('Not a key')
    await expect(at().write(key, Readable.from([Buffer.from('x')]))).rejects.toThrow('Not a key')
  })
})
