import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterAll, expect, test } from 'vitest'
import { ObjectMissing, type Outgoing, type Storage } from '../domain/ports/storage.ts'
import { createLocalStorage } from './local.ts'

/** Larger than one read, and not a multiple of it. */
const bytes = Buffer.from(Uint8Array.from({ length: 600_001 }, (_, n) => (n * 7 + (n >> 9)) & 255))

const root = mkdtempSync(join(tmpdir(), 'tandem-outgoing-'))
const storage = createLocalStorage(root) as Required<Storage>
writeFileSync(join(root, 'file'), bytes)
writeFileSync(join(root, 'empty'), '')
afterAll(() => rmSync(root, { recursive: true }))

const sent = async (file: Outgoing): Promise<Buffer> => {
  const sink = new PassThrough()
  const [all] = await Promise.all([buffer(sink), file.sendTo(sink)])
  return all
}

/** Open files of this process below the root. */
const openFiles = (): number => readdirSync('/proc/self/fd').filter((name) => pathOf(name).startsWith(root)).length

/** A descriptor may close during the check. */
function pathOf(descriptor: string): string {
  try {
    return readlinkSync(`/proc/self/fd/${descriptor}`)
  } catch {
    return ''
  }
}

test.each([
  ['whole', undefined],
  ['from the beginning', { start: 0, end: 0 }],
  ['across pieces', { start: 262_100, end: 524_300 }],
  ['to the end', { start: 600_000, end: 600_000 }],
])('a file is sent %s', async (_, range) => {
  const wanted = range === undefined ? bytes : bytes.subarray(range.start, range.end + 1)
  expect((await sent(await storage.open('file', range))).equals(wanted)).toBe(true)
})

test('concurrent reads do not interfere, and all files are closed', async () => {
  const starts = Array.from({ length: 40 }, (_, n) => n * 1000)
  const all = await Promise.all(starts.map(async (start) => sent(await storage.open('file', { start, end: 599_999 }))))
  expect(all.map((each, n) => each.equals(bytes.subarray(n * 1000, 600_000)))).toEqual(starts.map(() => true))
  expect(openFiles()).toBe(0)
})

test('an empty file is sent, and an unsent one is closed', async () => {
  expect(await sent(await storage.open('empty'))).toHaveLength(0)
  const file = await storage.open('file')
  file.destroy()
  expect(openFiles()).toBe(0)
})

test('a file that shrinks fails the answer', async () => {
  writeFileSync(join(root, 'shrinking'), bytes)
  const file = await storage.open('shrinking')
  truncateSync(join(root, 'shrinking'), 300_000)
  const sink = new PassThrough().resume()
  await expect(file.sendTo(sink)).rejects.toThrow('shorter')
  expect(openFiles()).toBe(0)
})

test('links, folders and pipes are not opened, and have no path', async () => {
  symlinkSync('/etc/hostname', join(root, 'link'))
  mkdirSync(join(root, 'folder'))
  execFileSync('mkfifo', [join(root, 'pipe')])
  for (const key of ['link', 'folder', 'pipe', 'nothing']) {
    await expect(storage.open(key)).rejects.toBeInstanceOf(ObjectMissing)
    await expect(storage.pathOf(key)).rejects.toBeInstanceOf(ObjectMissing)
  }
  expect([await storage.pathOf('file'), openFiles()]).toEqual([join(root, 'file'), 0])
})

test('after a disconnect sending stops and the file is closed', async () => {
  writeFileSync(join(root, 'large'), Buffer.alloc(50_000_000))
  const answered: Promise<unknown>[] = []
  const server = createServer((_req, res) => {
    answered.push(storage.open('large').then((file) => file.sendTo(res)))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  for (let n = 0; n < 3; n += 1) {
    const download = request({ port, host: '127.0.0.1' }, (answer) => answer.once('data', () => download.destroy()))
    download.on('error', () => undefined).end()
    await once(download, 'close')
  }
  await expect.poll(() => answered.length).toBe(3)
  expect(await Promise.all(answered)).toEqual([undefined, undefined, undefined])
  expect([openFiles(), readdirSync(root).includes('large')]).toEqual([0, true])
  server.close()
})
