import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { takeLock } from './lock.ts'

let folder = ''
let path = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tandem-lock-'))
  path = join(folder, 'database.lock')
})
afterEach(() => rm(folder, { recursive: true, force: true }))

test('of many takers at once exactly one gets the lock', async () => {
  const takers = await Promise.allSettled(Array.from({ length: 8 }, () => takeLock(path)))
  expect(takers.filter((taker) => taker.status === 'fulfilled')).toHaveLength(1)
})

test('of many takers of a dead lock exactly one gets it', async () => {
  await writeFile(path, JSON.stringify({ pid: 4_000_000, started: '1' }))
  const takers = await Promise.allSettled(Array.from({ length: 8 }, () => takeLock(path)))
  expect(takers.filter((taker) => taker.status === 'fulfilled')).toHaveLength(1)
})

test('a lock of an earlier process with the same id is taken over', async () => {
  await writeFile(path, JSON.stringify({ pid: process.pid, started: '1' }))
  const release = await takeLock(path)
  await release()
  expect(await readdir(folder)).toEqual([])
})

test('a lock file that nobody can read is taken over', async () => {
  await writeFile(path, '')
  const release = await takeLock(path)
  await release()
  expect(await readdir(folder)).toEqual([])
})

test('a released lock can be taken again and leaves nothing behind', async () => {
  await (await takeLock(path))()
  await (await takeLock(path))()
  expect(await readdir(folder)).toEqual([])
})
