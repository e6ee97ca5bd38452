import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeEach, expect, test } from 'vitest'
import type { Context } from '../../domain/ports/context.ts'
import type { ByteRange, Storage } from '../../domain/ports/storage.ts'
import { TandemError } from '../../domain/rights/errors.ts'
import { halves } from '../../images/test-images.ts'
import { createLocalStorage } from '../../storage/local.ts'
import { listAll } from '../../storage/test-storage.ts'
import { deleteObject } from '../objects/stored-objects.ts'
import { openTestWorld } from '../testing/test-context.ts'
import type { AssetParameters } from './asset-options.ts'
import { readAsset } from './assets.ts'

const id = '00000000-0000-4000-8000-00000000a552'
let root: string
let local: Storage

const world = await openTestWorld()
const photo = await halves().jpeg().toBuffer()
await world.rowsOf(`insert into platform_files (id, storage, filename_disk, filename_download, type, uploaded_on)
    values ('${id}', 'local', '${id}.jpg', 'photo.jpg', 'image/jpeg', now())`)
afterAll(() => world.close())

beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'tandem-variants-'))
  local = createLocalStorage(root)
  await local.write(`${id}.jpg`, Readable.from([photo]))
  await world.rowsOf('delete from platform_variants')
  return () => rmSync(root, { recursive: true })
})

const over = (storage: Storage, maxVariants = 100): Context => ({
  ...world.ctx,
  storage: { locations: new Map([['local', storage]]), primary: 'local' },
  assets: { ...world.ctx.assets, maxVariants },
})

async function get(ctx: Context, own: AssetParameters, range?: ByteRange): Promise<Buffer> {
  const asset = await readAsset(ctx, id, { key: null, own, accept: '' })
  const opened = await asset.open(range)
  if (opened instanceof Readable) return buffer(opened)
  const sink = new PassThrough()
  const [bytes] = await Promise.all([buffer(sink), opened.sendTo(sink)])
  return bytes
}

const variantsNow = async (): Promise<readonly string[]> => {
  const remaining = await listAll(local, `${id}__/`)
  return remaining.toSorted((a, b) => a.modified.getTime() - b.modified.getTime()).map(({ key }) => key)
}

test('a further variant takes the place of the oldest where a file has as many as it may', async () => {
  const ctx = over(local, 3)
  const made: string[] = []
  for (const width of [30, 32, 34, 36, 38]) {
    await get(ctx, { width })
    made.push((await variantsNow()).find((key) => !made.includes(key)) as string)
  }
  expect(new Set(await variantsNow())).toEqual(new Set(made.slice(2)))
  // A process without the variant in memory makes it again.
  expect((await get(over({ ...local }, 3), { width: 30 })).length).toBeGreaterThan(100)
  expect(new Set(await variantsNow())).toEqual(new Set([made[0], ...made.slice(3)]))
})

test('the variants of a file are forgotten with its row', async () => {
  const other = id.replace('a552', 'a553')
  await world.rowsOf(`insert into platform_files (id, storage, filename_download) values ('${other}', 'local', 'x')`)
  await world.rowsOf(`insert into platform_variants (file, key) values ('${other}', 'x__1.png')`)
  await world.rowsOf(`delete from platform_files where id = '${other}'`)
  expect(await world.rowsOf(`select * from platform_variants where file = '${other}'`)).toEqual([])
})

test('a file of a folder is transformed where it lies, and what was made comes from memory', async () => {
  const read: string[] = []
  const counting: Storage = { ...local, read: (key, range) => (read.push(key), local.read(key, range)) }
  const first = await get(over(counting), { width: 44 })
  expect((await get(over(counting), { width: 44 })).equals(first)).toBe(true)
  expect((await get(over(counting), { width: 44 }, { start: 3, end: 9 })).equals(first.subarray(3, 10))).toBe(true)
  expect([read, (await variantsNow()).length]).toEqual([[], 1])
})

test('a large variant is read from its storage each time, and in part', async () => {
  const own: AssetParameters = {
    width: 400,
    height: 400,
    format: 'png',
    transforms: [['png', { compressionLevel: 0 }]],
  }
  const first = await get(over(local), own)
  expect(first.length).toBeGreaterThan(65_536)
  expect((await get(over(local), own)).equals(first)).toBe(true)
  expect((await get(over(local), own, { start: 70_000, end: 70_009 })).equals(first.subarray(70_000, 70_010))).toBe(
    true,
  )
  expect(await variantsNow()).toHaveLength(1)
})

test('an empty variant counts as missing', async () => {
  await local.delete(`${id}.jpg`)
  const missing = expect.objectContaining({ failures: [expect.objectContaining({ kind: 'item-not-found' })] })
  await expect(get(over(local), { width: 45 })).rejects.toEqual(missing)
  await expect(get(over(local), {})).rejects.toBeInstanceOf(TandemError)
  expect(await variantsNow()).toEqual([])
})

test('contents that are replaced while somebody asks for them are delivered, the old or the new ones', async () => {
  const other = await halves().jpeg({ quality: 10 }).toBuffer()
  const replaced = async (key: string): Promise<void> => {
    await local.write('other.jpg', Readable.from([other]))
    await world.rowsOf(`update platform_files set filename_disk = 'other.jpg' where id = '${id}'`)
    await local.delete(key)
  }
  const before = async (): Promise<void> => {
    await local.write(`${id}.jpg`, Readable.from([photo]))
    await world.rowsOf(`update platform_files set filename_disk = '${id}.jpg' where id = '${id}'`)
  }
  const late: Storage = {
    ...local,
    async stat(key) {
      if (key === `${id}.jpg`) await replaced(key)
      return local.stat(key)
    },
  }
  expect((await get(over(late), {})).equals(other)).toBe(true)
  await before()
  expect((await get(over(late), { width: 21 })).length).toBeGreaterThan(100)
  await before()
  const asset = await readAsset(over(local), id, { key: null, own: {}, accept: '' })
  await replaced(`${id}.jpg`)
  await expect(asset.open()).rejects.toMatchObject({ failures: [{ kind: 'unavailable', retryAfter: 1 }] })
  await before()
})

test('a variant that is stored while its file is deleted goes with it', async () => {
  const late: Storage = {
    ...local,
    async delete(key) {
      if (!key.includes('__')) await local.write(`${id}__/late.webp`, Readable.from([Buffer.from('made before')]))
      await local.delete(key)
    },
  }
  await deleteObject(
    { locations: new Map([['local', late]]), primary: 'local' },
    { storage: 'local', key: `${id}.jpg` },
  )
  expect(await listAll(local, id)).toEqual([])
})

test('a file whose stored name leaves no room for that of a variant is delivered as it is, and not transformed', async () => {
  const key = `${'n'.repeat(251)}.jpg`
  await local.write(key, Readable.from([photo]))
  await world.rowsOf(`update platform_files set filename_disk = '${key}' where id = '${id}'`)
  expect((await get(over(local), {})).equals(photo)).toBe(true)
  await expect(get(over(local), { width: 20 })).rejects.toMatchObject({
    failures: [{ kind: 'illegal-transformation' }],
  })
  await world.rowsOf(`update platform_files set filename_disk = '${id}.jpg' where id = '${id}'`)
})
