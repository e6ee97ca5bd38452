import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { array, assert, asyncProperty, constantFrom, integer, nat, tuple } from 'fast-check'
import { afterAll, afterEach, expect, test, vi } from 'vitest'
import { readMedia } from './media-metadata.ts'
import { detectType } from './media-type.ts'
import { readInSideProcess } from './side-process.ts'
import { aacOf, mp3Of, mp4Of, opusOf, wavOf, webmOf } from './test-media.ts'

const folder = mkdtempSync(join(tmpdir(), 'tandem-media-'))
afterAll(() => rmSync(folder, { recursive: true }))
afterEach(() => void vi.useRealTimers())

const put = (contents: Buffer, size = contents.length): string => {
  const path = join(folder, crypto.randomUUID())
  writeFileSync(path, contents)
  truncateSync(path, size)
  return path
}

const picture = { width: 640, height: 360 }
const unknown = { width: null, height: null, duration: null }

test.each([
  ['sound', 'audio/wav', wavOf(2.5), { ...unknown, duration: 2_500 }],
  ['compressed sound', 'audio/ogg', opusOf(4), { ...unknown, duration: 4_000 }],
  ['a film', 'video/mp4', mp4Of(12.25, picture), { ...picture, duration: 12_250 }],
  ['a film for the web', 'video/webm', webmOf(3.5, picture), { ...picture, duration: 3_500 }],
] as const)('%s tells its type and how long it plays', async (_what, type, contents, expected) => {
  expect(await detectType(contents.subarray(0, 4100), 'application/octet-stream')).toBe(type)
  expect(await readInSideProcess({ path: put(contents), type, allow: [] })).toEqual({ ...expected, metadata: {} })
})

test.each([
  ['sound that says it were longer', 'audio/wav', wavOf(1, 4e9), { ...unknown, duration: 1_000 }],
  ['a film without its end', 'video/mp4', mp4Of(9, picture).subarray(0, 200), unknown],
  ['what plays for longer than a column holds', 'video/webm', webmOf(1e9, picture), { ...picture, duration: null }],
  ['a type that nobody reads', 'video/mp2t', wavOf(1), { ...unknown, duration: 1_000 }],
  ['nothing', 'audio/flac', Buffer.alloc(0), unknown],
] as const)('%s says what can be known', async (_what, type, contents, expected) => {
  expect(await readMedia({ path: put(contents), type })).toEqual(expected)
})

test('a film that goes on for two gigabytes is not read to its end', async () => {
  const path = put(mp4Of(3, picture), 2e9)
  expect(await readMedia({ path, type: 'video/mp4' })).toEqual({ ...picture, duration: 3_000 })
})

/** Milliseconds of so many samples. */
const lasting = (samples: number) => ({ ...unknown, duration: Math.round(samples / 44.1) })

/** The beginning and the end of contents, as they are looked at where copying all of them would cost too much. */
function endsOf(contents: Buffer, size: number): string {
  const ends = Buffer.from(contents)
  ends.fill(0, size, contents.length - size)
  return put(ends)
}

test('a long Ogg is read at its beginning and its end alone', async () => {
  const song = opusOf(4_000, 200)
  expect(await readMedia({ path: endsOf(song, 2 * 1024 ** 2), type: 'audio/ogg', hasHole: true })).toEqual({
    ...unknown,
    duration: 4_000_000,
  })
  const cut = put(song.subarray(0, -300))
  expect(await readMedia({ path: cut, type: 'audio/ogg' })).toEqual({ ...unknown, duration: 198_000 })
})

test('frames that no header counts are counted, and never those of the ends alone', async () => {
  const [song, speech] = [mp3Of(2_000), aacOf(2_000)]
  expect(await readMedia({ path: put(song), type: 'audio/mpeg' })).toEqual(lasting(2_000 * 1_152))
  expect(await readMedia({ path: put(speech), type: 'audio/aac' })).toEqual(lasting(2_000 * 1_024))
  for (const [contents, type] of [
    [song, 'audio/mpeg'],
    [speech, 'audio/aac'],
  ] as const) {
    expect(await readMedia({ path: endsOf(contents, 200_000), type, hasHole: true })).toEqual(unknown)
  }
})

/** Two gigabytes that begin like sound. */
const endless = (): string => put(Buffer.from([0xff, 0xf1, 0x50, 0x80, 0, 0x1f, 0xfc]), 2e9)

/** Waits until a timer is set, and passes its time. */
async function passTime(milliseconds: number): Promise<void> {
  await expect.poll(() => vi.getTimerCount()).toBe(1)
  await vi.advanceTimersByTimeAsync(milliseconds)
}

test('an endless stream is read for three seconds', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  let isRead = false
  const read = readMedia({ path: endless(), type: 'audio/aac' }).finally(() => (isRead = true))
  await passTime(2_900)
  expect(isRead).toBe(false)
  await vi.advanceTimersByTimeAsync(100)
  expect(await read).toEqual(unknown)
})

test('a reader that takes longer is ended, and the next file is read', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const read = readInSideProcess({ path: endless(), type: 'audio/aac', allow: [] })
  const next = readInSideProcess({ path: put(wavOf(1)), type: 'audio/wav', allow: [] })
  await passTime(5_000)
  expect([await read, await next]).toMatchObject([unknown, { duration: 1_000 }])
})

test('damaged media never do more than tell less', async () => {
  const sources = [wavOf(0.1), opusOf(4), mp4Of(12, picture), webmOf(3, picture)]
  const damage = array(tuple(nat(), integer({ min: 0, max: 255 })), { maxLength: 20 })
  const types = ['audio/wav', 'audio/ogg', 'video/mp4', 'video/webm', 'audio/mpeg', 'audio/flac', 'video/x-ms-asf']
  await assert(
    asyncProperty(
      constantFrom(...sources),
      constantFrom(...types),
      damage,
      nat(),
      async (source, type, changes, end) => {
        const contents = Buffer.from(source.subarray(0, (end % source.length) + 1))
        for (const [at, byte] of changes) contents[at % contents.length] = byte
        for (const fact of Object.values(await readMedia({ path: put(contents), type }))) {
          expect(fact === null || (Number.isInteger(fact) && fact >= 0 && fact < 2 ** 31)).toBe(true)
        }
      },
    ),
    { numRuns: 300 },
  )
}, 30_000)
