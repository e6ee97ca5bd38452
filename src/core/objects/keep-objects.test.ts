import { Readable } from 'node:stream'
import { afterAll, expect, test, vi } from 'vitest'
import { parseSchedule, type Schedule } from '../../domain/ports/schedule.ts'
import { listAll } from '../../storage/test-storage.ts'
import { openTestWorld } from '../testing/test-context.ts'
import { keepObjects } from './keep-objects.ts'
import { deleteDoomed, deleteReleased, keeperOf, writeGrace } from './stored-objects.ts'

const world = await openTestWorld()
afterAll(() => world.close())

const silent = { on: () => () => {}, close: () => Promise.resolve() }

test('objects interrupted shortly before the start are removed soon after it', async () => {
  const { ctx } = world
  const storage = ctx.storage.locations.get('local')
  if (storage === undefined) throw new Error('There is no storage')
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] })
  try {
    const schedule = parseSchedule('0 0 29 2 *') as Schedule
    const keeping = keepObjects(keeperOf(ctx), { announcements: silent, schedule })
    await storage.write('cut', Readable.from([Buffer.from('x')]))
    await world.rowsOf(`insert into platform_stored_objects (storage, key, since)
      values ('local', 'cut', now() - interval '4 minutes')`)
    vi.advanceTimersByTime(writeGrace)
    await world.rowsOf(`update platform_stored_objects set since = now() - interval '6 minutes'`)
    expect(await listAll(storage, '')).toHaveLength(1)
    vi.advanceTimersByTime(60_000)
    while ((await listAll(storage, '')).length > 0) await new Promise((resolve) => setImmediate(resolve))
    await keeping.close()
  } finally {
    vi.useRealTimers()
  }
})

test('uploads that have rested too long go at the start, and again when it is time', async () => {
  const { ctx } = world
  const storage = ctx.storage.locations.get('local')
  if (storage === undefined) throw new Error('There is no storage')
  const leave = async (key: string): Promise<void> => {
    await storage.write(key, Readable.from([Buffer.from('x')]))
    const id = crypto.randomUUID()
    await world.rowsOf(`insert into platform_uploads (id, file, replaces, length, metadata, touched, expires)
      values ('${id}', '${id}', false, 9, '{}', now(), '2000-01-01')`)
    await world.rowsOf(
      `insert into platform_upload_segments (upload, start, storage, key) values ('${id}', 0, 'local', '${key}')`,
    )
  }
  const untilGone = async (): Promise<void> => {
    while ((await listAll(storage, '')).length > 0) await new Promise((resolve) => setImmediate(resolve))
  }
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'], now: new Date('2026-01-31T10:00:30Z') })
  try {
    await leave('before')
    const schedule = parseSchedule('2 * * * *') as Schedule
    const keeping = keepObjects(keeperOf(ctx), { announcements: silent, schedule })
    await untilGone()
    await leave('later')
    vi.advanceTimersByTime(60_000)
    expect(await listAll(storage, '')).toHaveLength(1)
    vi.advanceTimersByTime(60_000)
    await untilGone()
    await keeping.close()
  } finally {
    vi.useRealTimers()
  }
  expect(await world.rowsOf('select 1 from platform_uploads')).toEqual([])
})

test('an object that another cleanup is deleting is gone when a later one ends', async () => {
  const { ctx } = world
  const local = ctx.storage.locations.get('local')
  if (local === undefined) throw new Error('There is no storage')
  const [begun, allowed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const slow = {
    ...local,
    async delete(key: string) {
      begun.resolve()
      await allowed.promise
      await local.delete(key)
    },
  }
  const keeper = { ...keeperOf(ctx), storage: { ...ctx.storage, locations: new Map([['local', slow]]) } }
  await local.write('shared', Readable.from([Buffer.from('x')]))
  await world.rowsOf(`insert into platform_stored_objects (storage, key, doomed) values ('local', 'shared', true)`)
  const first = deleteDoomed(keeper)
  await begun.promise
  let isThere = true
  const second = deleteDoomed(keeper).then(async (count) => {
    isThere = (await listAll(local, '')).length > 0
    return count
  })
  // The second one has looked at the journal, in which nothing is due.
  await world.rowsOf('select 1')
  allowed.resolve()
  expect(await Promise.all([first, second])).toEqual([1, 0])
  expect(isThere).toBe(false)
})

test('a request waits for its own objects, and a cleanup deletes all, however many they are', async () => {
  const { ctx } = world
  const local = ctx.storage.locations.get('local')
  if (local === undefined) throw new Error('There is no storage')
  const keys = Array.from({ length: 1001 }, (_, number) => `many-${number}`)
  await Promise.all(['newest', ...keys].map((key) => local.write(key, Readable.from([Buffer.from('x')]))))
  await world.rowsOf(`insert into platform_stored_objects (storage, key, doomed, since)
    values ${keys.map((key) => `('local', '${key}', true, now() - interval '1 minute')`).join(', ')}`)
  await world.rowsOf(`insert into platform_stored_objects (storage, key, doomed) values ('local', 'newest', true)`)
  await deleteReleased(ctx)
  expect(await local.stat('newest')).toBeNull()
  expect(await listAll(local, '')).toHaveLength(902)
  expect(await deleteDoomed(keeperOf(ctx))).toBe(902)
  expect(await listAll(local, '')).toEqual([])
})
