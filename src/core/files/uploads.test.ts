import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import sharp from 'sharp'
import { afterAll, beforeEach, expect, test } from 'vitest'
import type { Context } from '../../domain/ports/context.ts'
import type { Storage } from '../../domain/ports/storage.ts'
import type { UploadStore } from '../../domain/ports/uploads.ts'
import type { Actor } from '../../domain/rights/actor.ts'
import { createMemoryLocations, createMemoryStorage, listAll } from '../../storage/test-storage.ts'
import { writeAlone } from '../batch/received.ts'
import { keeperOf, repairObjects } from '../objects/stored-objects.ts'
import { sweepFiles } from '../objects/sweep-files.ts'
import { changesOf, failuresOf, openTestWorld, userWith } from '../testing/test-context.ts'
import { receiveIncoming } from './files.ts'
import { openUploads } from './uploads.ts'

const id = '00000000-0000-4000-8000-0000000000aa'
const settings = { segment: 4, expiration: 60_000, most: 3 }

/** A caller without a token. */
const publicWith = (...rights: Parameters<typeof userWith>): Actor => {
  const { access } = userWith(...rights) as Extract<Actor, { kind: 'user' }>
  return { kind: 'public', access }
}
let ctx: Context

const world = await openTestWorld()
afterAll(() => world.close())
beforeEach(async () => {
  for (const table of ['uploads', 'files', 'stored_objects']) await world.rowsOf(`delete from platform_${table}`)
  const ids = { uuid: () => crypto.randomUUID(), token: () => crypto.randomUUID().slice(0, 8) }
  const actor = publicWith([], { admin: true })
  ctx = { ...world.ctx, actor, ids, storage: createMemoryLocations() }
})

const open = (of: Context = ctx): UploadStore =>
  openUploads(of, settings, { read: (said) => changesOf(said), named: () => {} })

const begin = async (length = 10, metadata = {}): Promise<void> =>
  open().create(id, {
    length,
    metadata: { filename_download: 'a.txt', title: 'Mine', type: 'text/plain', ...metadata },
  })

const append = (offset: number, contents: string, of: Context = ctx): Promise<number> =>
  open(of).append(id, { offset, stream: Readable.from([Buffer.from(contents)]), checksum: null })

const objects = async (): Promise<readonly string[]> =>
  (await listAll(ctx.storage.locations.get('local') as never, '')).map(({ key }) => key)

type Row = { readonly title: string; readonly filename_disk: string; readonly filesize: string }

const filesNow = async (): Promise<readonly Row[]> =>
  (await world.rowsOf('select * from platform_files')) as readonly Row[]

test('bytes received before a broken stream stay, and the rest completes the file', async () => {
  await begin()
  let given = false
  const cut: Readable = new Readable({
    highWaterMark: 1,
    read() {
      // When more is requested, the part before has been processed.
      if (given) cut.destroy(new Error('gone'))
      else cut.push('012345')
      given = true
    },
  })
  expect(await open().append(id, { offset: 0, stream: cut, checksum: null })).toBe(6)
  expect((await open().read(id)).offset).toBe(6)
  expect(await append(6, '6789')).toBe(10)
  const [file] = await filesNow()
  expect(file).toMatchObject({ title: 'Mine', filesize: '10' })
  expect(await objects()).toEqual([file?.filename_disk])
  expect(
    await text(
      await (ctx.storage.locations.get('local') as never as { read: (key: string) => Promise<Readable> }).read(
        file?.filename_disk as string,
      ),
    ),
  ).toBe('0123456789')
  expect((await open().read(id)).offset).toBe(10)
})

test('a single piece becomes the file itself, several are put together', async () => {
  const memory = createMemoryStorage()
  const done: string[] = []
  const counted: Storage = {
    ...memory,
    write: (key, stream) => {
      done.push('write')
      return memory.write(key, stream)
    },
    move: (from, to) => {
      done.push('move')
      return memory.move(from, to)
    },
  }
  const into: Context = { ...ctx, storage: { primary: 'local', locations: new Map([['local', counted]]) } }
  await begin(4)
  expect(await append(0, '0123', into)).toBe(4)
  expect(done.splice(0)).toEqual(['write', 'move'])
  const [file] = await filesNow()
  expect(file).toMatchObject({ filesize: '4', type: 'text/plain' })
  expect((await listAll(memory, '')).map(({ key }) => key)).toEqual([file?.filename_disk])
  expect(await world.rowsOf('select * from platform_stored_objects')).toEqual([])
  await world.rowsOf('delete from platform_uploads')
  await begin(8)
  await append(0, '01234567', into)
  expect(done).toEqual(['write', 'write', 'write'])
})

test('a single piece can be sent again too, whether the file could not be made or the server died before', async () => {
  await begin(4, { folder: crypto.randomUUID() })
  expect(await failuresOf(append(0, '0123'))).toHaveLength(1)
  expect([(await open().read(id)).offset, await filesNow(), await objects()]).toEqual([0, [], []])
  await world.rowsOf(`update platform_uploads set metadata = '{"filename_download":"a.txt"}'`)
  const { db } = ctx
  const dead: Context = {
    ...ctx,
    db: {
      ...db,
      transaction: () => Promise.reject(new Error('dead')),
      run: (said) => diesAfterwards(db.run(said), said),
    },
  }
  await expect(append(0, '0123', dead)).rejects.toThrow('dead')
  expect([(await open().read(id)).offset, await filesNow(), (await objects()).length]).toEqual([0, [], 1])
  expect(await append(0, '0123')).toBe(4)
  await world.rowsOf(`update platform_stored_objects set since = '2000-01-01'`)
  await repairObjects(keeperOf(ctx), new Date())
  expect(await objects()).toEqual([(await filesNow())[0]?.filename_disk])
})

/** The cleanup of abandoned objects fails. */
const diesAfterwards = <T>(done: Promise<T>, { text }: { readonly text: string }): Promise<T> =>
  text.includes('set doomed = true') ? Promise.reject(new Error('dead')) : done

test('when the file cannot be made, the last piece can be sent again', async () => {
  await begin(10, { folder: crypto.randomUUID() })
  await append(0, '01234567')
  expect(await failuresOf(append(8, '89'))).toHaveLength(1)
  expect([(await open().read(id)).offset, await filesNow()]).toEqual([8, []])
  await world.rowsOf(`update platform_uploads set metadata = '{"filename_download":"a.txt"}'`)
  expect(await append(8, '89')).toBe(10)
  expect([(await filesNow()).length, (await objects()).length]).toEqual([1, 1])
})

test('pieces that a dead process was writing are not part of it', async () => {
  await begin()
  await append(0, '0123')
  const broken = { ...createMemoryStorage(), write: () => Promise.reject(new Error('dead')) }
  const dying: Context = { ...ctx, storage: { primary: 'local', locations: new Map([['local', broken]]) } }
  expect(await failuresOf(append(4, '4567', dying))).toMatchObject([{ kind: 'unavailable' }])
  expect((await open().read(id)).offset).toBe(4)
})

test('an upload cannot be completed after the right to create files is lost', async () => {
  await begin()
  const denied: Context = { ...ctx, actor: publicWith([]) }
  expect(await failuresOf(append(0, '0123456789', denied))).toMatchObject([{ kind: 'forbidden' }])
  expect(await filesNow()).toEqual([])
})

test('the sweep leaves the pieces of a running upload alone, and takes those of an expired one', async () => {
  await begin()
  await append(0, '0123456')
  const later = new Date(Date.now() + 86_400_000)
  const { orphans } = await sweepFiles(keeperOf(ctx), { now: later, dry: true })
  expect([orphans, (await objects()).length]).toEqual([[], 2])
  await world.rowsOf(`update platform_uploads set expires = '2000-01-01'`)
  expect(await failuresOf(open().read(id))).toMatchObject([{ kind: 'item-not-found' }])
  await repairObjects(keeperOf(ctx), new Date())
  expect([await objects(), await world.rowsOf('select * from platform_uploads')]).toEqual([[], []])
})

test.each([
  ['no name', { filename_download: '' }],
  ['a place', { filename_disk: 'x' }],
  ['a location that is not there', { storage: 'elsewhere' }],
  ['a file that is not there', { id: crypto.randomUUID() }],
])('is refused with %s before anything is sent', async (_, metadata) => {
  expect(await failuresOf(begin(10, metadata))).toHaveLength(1)
  expect(await world.rowsOf('select * from platform_uploads')).toEqual([])
})

test.each(['jpeg', 'png', 'webp', 'gif', 'tiff', 'avif'] as const)('the size of a picture as %s', async (format) => {
  const bytes = await sharp({ create: { width: 60, height: 40, channels: 3, background: 'red' } })
    .toFormat(format)
    .toBuffer()
  const stream = Readable.from([bytes])
  const incoming = { filename: `a.${format}`, type: `image/${format}`, stream }
  await writeAlone(ctx, receiveIncoming(ctx, incoming, { changes: new Map() }))
  expect(await filesNow()).toMatchObject([{ type: `image/${format}`, width: 60, height: 40 }])
})

test('a picture whose size cannot be read is stored without one', async () => {
  const bytes = await sharp({ create: { width: 60, height: 40, channels: 3, background: 'red' } })
    .tiff()
    .toBuffer()
  const busy: Context = { ...ctx, images: { ...ctx.images, describe: () => Promise.reject(new Error('busy')) } }
  const incoming = { filename: 'a.tiff', type: 'image/tiff', stream: Readable.from([bytes]) }
  await writeAlone(busy, receiveIncoming(busy, incoming, { changes: new Map() }))
  expect(await filesNow()).toMatchObject([{ width: null, height: null }])
})

const start = (of: Context) =>
  open(of).create(crypto.randomUUID(), { length: 10, metadata: { filename_download: 'a.txt' } })

test('a caller has a bounded number of unfinished uploads, others have their own, and expired ones make room', async () => {
  for (let at = 0; at < 3; at += 1) await start(ctx)
  expect(await failuresOf(start(ctx))).toMatchObject([
    {
      kind: 'invalid-payload',
      reason: expect.stringContaining('Expected at most 3 unfinished uploads (TUS_MAX_UPLOADS)'),
    },
  ])
  await start({ ...ctx, actor: userWith([], { admin: true }) })
  expect(await world.rowsOf('select count(*)::int as count from platform_uploads')).toEqual([{ count: 4 }])
  await world.rowsOf(`update platform_uploads set expires = '2000-01-01'`)
  await start(ctx)
  expect(await world.rowsOf('select count(*)::int as count from platform_uploads')).toEqual([{ count: 1 }])
})
