import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
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

test('a lock of a process that has ended, but of which its parent has not heard, is taken over', async () => {
  // The shell is replaced by a program that does not wait for its children.
  const parent = spawn('sh', ['-c', 'sleep 0.1 & echo $!; exec sleep 60'])
  try {
    const [said] = (await once(parent.stdout, 'data')) as [Buffer]
    const pid = Number(said.toString())
    const read = async (): Promise<string> => await readFile(`/proc/${pid}/stat`, 'utf8')
    await expect.poll(read).toContain(') Z ')
    const started = (await read()).split(') ')[1]?.split(' ')[19]
    expect(started).toMatch(/^\d+$/)
    await writeFile(path, JSON.stringify({ pid, started, id: 'ended' }))
    await (await takeLock(path))()
    expect(await readdir(folder)).toEqual([])
  } finally {
    parent.kill('SIGKILL')
  }
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
