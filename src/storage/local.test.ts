import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { afterAll, expect, test } from 'vitest'
import { type Draft, ObjectMissing } from '../domain/ports/storage.ts'
import { createLocalStorage } from './local.ts'
import { listAll } from './test-storage.ts'

const outside = mkdtempSync(join(tmpdir(), 'tandem-outside-'))
const root = join(outside, 'root')
mkdirSync(root)
const storage = createLocalStorage(root)
writeFileSync(join(outside, 'secret'), 'secret')
afterAll(() => rmSync(outside, { recursive: true }))

const of = (value: string): Readable => Readable.from([Buffer.from(value)])

test('a link is neither read nor listed, and a write replaces it instead of following it', async () => {
  symlinkSync(join(outside, 'secret'), join(root, 'link'))
  await expect(storage.read('link')).rejects.toBeInstanceOf(ObjectMissing)
  expect(await storage.stat('link')).toBeNull()
  expect(await listAll(storage, 'link')).toEqual([])
  await storage.write('link', of('mine'))
  expect(await text(await storage.read('link'))).toBe('mine')
  expect(execFileSync('cat', [join(outside, 'secret')], { encoding: 'utf8' })).toBe('secret')
})

test('a folder that is a link is not entered', async () => {
  symlinkSync(outside, join(root, 'folder'))
  await expect(storage.read('folder/secret')).rejects.toBeInstanceOf(ObjectMissing)
  expect(await storage.stat('folder/secret')).toBeNull()
  await storage.delete('folder/secret')
  await expect(storage.write('folder/new', of('x'))).rejects.toBeInstanceOf(ObjectMissing)
  await expect(storage.write('folder/deeper/new', of('x'))).rejects.toBeInstanceOf(ObjectMissing)
  expect(readdirSync(outside).toSorted()).toEqual(['root', 'secret'])
  rmSync(join(root, 'folder'))
})

test('a link within the storage does not give a file a second key', async () => {
  mkdirSync(join(root, 'real'))
  writeFileSync(join(root, 'real', 'own'), 'own')
  symlinkSync('.', join(root, 'self'))
  symlinkSync(join(root, 'real'), join(root, 'other'))
  for (const key of ['self/link', 'other/own', 'self/real/own']) {
    expect(await storage.stat(key)).toBeNull()
    await storage.delete(key)
    await expect(storage.read(key)).rejects.toBeInstanceOf(ObjectMissing)
  }
  expect(await text(await storage.read('real/own'))).toBe('own')
  for (const name of ['real', 'self', 'other']) rmSync(join(root, name), { recursive: true })
})

test('the root folder of a storage may be a link', async () => {
  symlinkSync(root, join(outside, 'alias'))
  const alias = createLocalStorage(join(outside, 'alias'))
  await alias.write('below/x', of('x'))
  expect(await text(await storage.read('below/x'))).toBe('x')
  await alias.delete('below/x')
  rmSync(join(outside, 'alias'))
})

test('folders and pipes are not objects, and reading them does not block', async () => {
  mkdirSync(join(root, 'dir'))
  execFileSync('mkfifo', [join(root, 'pipe')])
  for (const key of ['dir', 'pipe']) {
    await expect(storage.read(key)).rejects.toBeInstanceOf(ObjectMissing)
    expect(await storage.stat(key)).toBeNull()
  }
})

test('a draft is invisible until it is kept, and a discarded one leaves nothing', async () => {
  const [kept, discarded] = [storage.draft?.(), storage.draft?.()] as [Draft, Draft]
  for (const { path } of [kept, discarded]) {
    writeFileSync(path, 'drawn', { flag: 'wx' })
    utimesSync(path, 1, 1)
  }
  expect(await listAll(storage, '')).not.toContain('drawn.webp')
  // Another writer is still active.
  expect(await storage.discardUnfinished(new Date())).toBe(0)
  await discarded.discard()
  await expect(kept.keep('../drawn.webp')).rejects.toThrow('Not a key')
  await kept.keep('sub/drawn.webp')
  expect(await text(await storage.read('sub/drawn.webp'))).toBe('drawn')
  expect(readdirSync(root).filter((name) => name.startsWith('.'))).toEqual([])
})

test('a folder ends with its last object, and a folder that is a link has no objects', async () => {
  for (const key of ['variants__/a', 'variants__/b']) await storage.write(key, of(key))
  await storage.delete('variants__/a')
  expect((await listAll(storage, 'variants__/')).map(({ key }) => key)).toEqual(['variants__/b'])
  await storage.delete('variants__/b')
  expect(readdirSync(root)).not.toContain('variants__')
  writeFileSync(join(outside, 'secret'), 'x')
  symlinkSync(outside, join(root, 'linked__'))
  expect(await listAll(storage, 'linked__/')).toEqual([])
})

test('a list of a folder does not read the folders beside it', async () => {
  await storage.write('one__/a', of('x'))
  const wide = Array.from({ length: 3000 }, (_, number) => join(root, `beside-${number}`))
  for (const path of wide) writeFileSync(path, '')
  const timeOf = async (prefix: string): Promise<number> => {
    const start = performance.now()
    await listAll(storage, prefix)
    return performance.now() - start
  }
  const [folder, all] = [await timeOf('one__/'), await timeOf('')]
  for (const path of wide) rmSync(path)
  expect(folder).toBeLessThan(all / 3)
})

test('leftovers of killed processes are discarded, active writes are not', async () => {
  const old = join(root, '.unfinished-11111111-1111-4111-8111-111111111111')
  writeFileSync(old, 'half')
  utimesSync(old, 1, 1)
  const slow = new Readable({ read() {} })
  const write = storage.write('slow', slow)
  slow.push('first half, ')
  await expect.poll(() => readdirSync(root).filter((name) => name.startsWith('.')).length).toBe(2)
  expect(await storage.discardUnfinished(new Date(Date.now() + 60_000))).toBe(1)
  slow.push('second half')
  slow.push(null)
  await write
  expect(await text(await storage.read('slow'))).toBe('first half, second half')
  expect(readdirSync(root).filter((name) => name.startsWith('.'))).toEqual([])
})

test('a missing root folder is created', async () => {
  const fresh = createLocalStorage(join(outside, 'a', 'b'))
  expect(await fresh.stat('x')).toBeNull()
  expect(await listAll(fresh, '')).toEqual([])
  expect(await fresh.discardUnfinished(new Date())).toBe(0)
  await fresh.write('x', of('x'))
  expect(await text(await fresh.read('x'))).toBe('x')
})
