import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { receiveFile } from './incoming-file.ts'

let folder: string
let path: string
let file: FileHandle

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tandem-incoming-'))
  path = join(folder, 'file')
  file = await open(path, 'wx')
})
afterEach(() => {
  expect(file.fd).toBe(-1)
  rmSync(folder, { recursive: true })
})

/** A chunk with memory of its own, as from a socket. */
const piece = (fill: number, size = 65_536): Buffer => Buffer.from(new ArrayBuffer(size)).fill(fill)

test('the memory of owned chunks is released once a later chunk is written', async () => {
  const chunks = [1, 2, 3].map((fill) => piece(fill))
  const expected = Buffer.concat(chunks)
  expect(await receiveFile(file, { stream: Readable.from(chunks), owned: true })).toBe(expected.length)
  expect(readFileSync(path).equals(expected)).toBe(true)
  expect(chunks.map(({ length }) => length)).toEqual([0, 0, 65_536])
})

test('chunks that are not owned stay unchanged', async () => {
  const chunks = [piece(1), piece(2)]
  await receiveFile(file, { stream: Readable.from(chunks) })
  expect(chunks.map(({ length }) => length)).toEqual([65_536, 65_536])
})

test('chunks from the pool of small buffers are never released', async () => {
  const small = Array.from({ length: 2000 }, (_, n) => Buffer.from(`${n},`))
  const [before, after] = [Buffer.from('before'), Buffer.from('after')]
  await receiveFile(file, { stream: Readable.from([piece(1), ...small, piece(2), ...small]), owned: true })
  expect([String(before), String(after)]).toEqual(['before', 'after'])
  expect(small.map(String)).toEqual(Array.from({ length: 2000 }, (_, n) => `${n},`))
})

test('slices of one allocation arrive complete', async () => {
  const pieces = Array.from({ length: 40 }, (_, n) => piece(n + 1, 40_000 + n * 1000))
  const expected = Buffer.concat(pieces)
  const slices = pieces.flatMap((each, n) => {
    const cut = n % 2 === 0 ? 50 * n : each.length - 50 * n - 1
    return [each.subarray(0, cut), each.subarray(cut)]
  })
  expect(await receiveFile(file, { stream: Readable.from(slices), owned: true })).toBe(expected.length)
  expect(readFileSync(path).equals(expected)).toBe(true)
})

test('partial writes are continued', async () => {
  const chunks = [piece(1, 10), piece(2, 10)]
  const reluctant = new Proxy(file, {
    get(of, name) {
      if (name === 'writev') return ([first]: readonly Buffer[]) => of.writev([(first as Buffer).subarray(0, 3)])
      const value = Reflect.get(of, name) as unknown
      return typeof value === 'function' ? value.bind(of) : value
    },
  })
  expect(await receiveFile(reluctant, { stream: Readable.from(chunks) })).toBe(20)
  expect(readFileSync(path).equals(Buffer.concat(chunks))).toBe(true)
})

test('errors of stream and disk reject, and a signal aborts', async () => {
  const broken = new Readable({ read: () => broken.destroy(new Error('cut')) })
  await expect(receiveFile(file, { stream: broken })).rejects.toThrow('cut')
  const slow = await open(join(folder, 'slow'), 'wx')
  const waiting = receiveFile(slow, { stream: new Readable({ read() {} }), signal: AbortSignal.timeout(10) })
  await expect(waiting).rejects.toThrow('aborted')
  expect(slow.fd).toBe(-1)
  const closed = await open(join(folder, 'closed'), 'wx')
  await closed.close()
  await expect(receiveFile(closed, { stream: Readable.from([piece(1)]) })).rejects.toThrow()
})
