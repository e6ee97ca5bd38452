/** Further input images: only for callers who may read both images. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import sharp from 'sharp'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import type { Context } from '../../domain/ports/context.ts'
import type { Storage } from '../../domain/ports/storage.ts'
import type { Actor } from '../../domain/rights/actor.ts'
import { TandemError } from '../../domain/rights/errors.ts'
import { halves, pixel } from '../../images/test-images.ts'
import { createLocalStorage } from '../../storage/local.ts'
import { createMemoryStorage, listAll } from '../../storage/test-storage.ts'
import { is, openTestWorld, userWith } from '../testing/test-context.ts'
import { readAsset } from './assets.ts'

const base = '00000000-0000-4000-8000-00000000a561'
const mark = '00000000-0000-4000-8000-00000000a562'
const missing = '00000000-0000-4000-8000-00000000a56f'

const laid = (input: string) => ({ transforms: [['composite', [{ input }]]] })
const joined = (input: string) => ({ transforms: [['boolean', input, 'or']] })

const world = await openTestWorld()
afterAll(() => world.close())

const patch = (background: string, width = 10, height = 10): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background } })
    .png()
    .toBuffer()

/** Storages whose objects are files, and storages whose objects are not. */
const kinds = {
  local: () => {
    const root = mkdtempSync(join(tmpdir(), 'tandem-inputs-'))
    return { storage: createLocalStorage(root), end: () => rmSync(root, { recursive: true }) }
  },
  memory: () => ({ storage: createMemoryStorage(), end: () => {} }),
}

describe.each(Object.keys(kinds) as (keyof typeof kinds)[])('in a %s storage', (kind) => {
  let storage: Storage
  let ctx: Context

  beforeEach(async () => {
    const made = kinds[kind]()
    storage = made.storage
    ctx = { ...world.ctx, storage: { locations: new Map([['local', storage]]), primary: 'local' } }
    await world.rowsOf('update platform_settings set project_logo = null')
    await world.rowsOf(`delete from platform_files where id in ('${base}', '${mark}')`)
    await put(base, await halves(40, 40).removeAlpha().png().toBuffer())
    await put(mark, await patch('#00ff00'))
    return made.end
  })

  async function put(id: string, bytes: Buffer | string, uploaded = '2026-01-01T00:00:00Z'): Promise<void> {
    await storage.write(`${id}.png`, Readable.from([Buffer.from(bytes as string)]))
    await world.rowsOf(`insert into platform_files (id, storage, filename_disk, filename_download, title, type, uploaded_on)
      values ('${id}', 'local', '${id}.png', 'x.png', '${id}', 'image/png', '${uploaded}')
      on conflict (id) do update set uploaded_on = excluded.uploaded_on`)
  }

  const get = async (own: object, actor: Actor = ctx.actor) => {
    const asset = await readAsset({ ...ctx, actor }, base, { key: null, own, accept: '' })
    const opened = await asset.open()
    const sink = new PassThrough()
    const [bytes] =
      opened instanceof Readable ? [await buffer(opened)] : await Promise.all([buffer(sink), opened.sendTo(sink)])
    return { version: asset.version, image: sharp(bytes) }
  }

  const failureOf = async (own: object, actor?: Actor): Promise<unknown> => {
    const error = await get(own, actor).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(TandemError)
    return (error as TandemError).failures
  }

  const variants = async () => (await listAll(storage, base)).filter(({ key }) => key.includes('__'))

  const both = userWith([{ collection: 'platform_files' }])
  const baseAlone = userWith([{ collection: 'platform_files', filter: is('title', base) }])

  test('a file is laid on another, once', async () => {
    const { image } = await get(laid(mark), both)
    expect([await pixel(image, 20, 20), await pixel(image, 3, 3), await pixel(image, 36, 3)]).toEqual([
      [0, 255, 0],
      [255, 0, 0],
      [0, 0, 255],
    ])
    await get(laid(mark), both)
    expect(await variants()).toHaveLength(1)
  })

  test('a file is joined with another', async () => {
    await put(mark, await patch('#00ff00', 40, 40))
    const { image } = await get(joined(mark), both)
    expect([await pixel(image, 3, 3), await pixel(image, 36, 3)]).toEqual([
      [255, 255, 0],
      [0, 255, 255],
    ])
  })

  test('without read rights on the other picture the answer is that of a missing one, also for a cached variant', async () => {
    const absent = await failureOf(laid(missing), both)
    expect(absent).toMatchObject([{ kind: 'item-not-found' }])
    expect(await failureOf(laid(mark), baseAlone)).toEqual(absent)
    expect(await variants()).toEqual([])
    await get(laid(mark), both)
    await put(mark, await patch('#00ff00', 40, 40), '2026-01-03T00:00:00Z')
    await get(joined(mark), both)
    for (const wish of [laid(mark), laid(mark.toUpperCase()), joined(mark), laid(missing), joined(missing)])
      expect(await failureOf(wish, baseAlone)).toEqual(absent)
    expect(await failureOf({ transforms: [['composite', [{ input: base }, { input: mark }]]] }, baseAlone)).toEqual(
      absent,
    )
    // Without the other the picture is theirs.
    expect(await pixel((await get({ transforms: [['flop']] }, baseAlone)).image, 3, 3)).toEqual([0, 0, 255])
  })

  test('a logo that everybody sees may be laid on by everybody who reads the picture', async () => {
    await world.rowsOf(`update platform_settings set project_logo = '${mark}'`)
    expect(await pixel((await get(laid(mark), baseAlone)).image, 20, 20)).toEqual([0, 255, 0])
  })

  test('other contents of the other file are another picture', async () => {
    const before = await get(laid(mark))
    await put(mark, await patch('#ffffff'), '2026-01-02T00:00:00Z')
    const after = await get(laid(mark))
    expect(await pixel(after.image, 20, 20)).toEqual([255, 255, 255])
    expect(after.version).not.toBe(before.version)
  })

  test('metadata of a picture under another id is not used', async () => {
    const other = mark.replace('a562', 'a563')
    await get(laid(mark))
    await put(other, await patch('#123456'))
    expect(await pixel((await get(laid(other))).image, 20, 20)).toEqual([0x12, 0x34, 0x56])
    await world.rowsOf(`delete from platform_files where id = '${other}'`)
  })

  test('lost contents and lost rows are as if there was no other file', async () => {
    await storage.delete(`${mark}.png`)
    const lost = await failureOf(laid(mark))
    expect(lost).toEqual(await failureOf(laid(missing)))
    await put(mark, await patch('#00ff00'))
    await get(laid(mark))
    await world.rowsOf(`delete from platform_files where id = '${mark}'`)
    expect(await failureOf(laid(mark))).toEqual(lost)
  })

  test('a file that is no picture is named, and leaves nothing', async () => {
    await put(mark, 'I am a picture, believe me')
    expect(await failureOf(laid(mark))).toEqual([
      {
        kind: 'illegal-transformation',
        reason: `Expected a jpeg, png, webp, tiff, avif or gif image for the input ${mark} but received another`,
      },
    ])
    expect(await variants()).toEqual([])
  })

  test('an overlay deleted during the transformation leaves no variant', async () => {
    const write = storage.write
    const vanishing: Storage = {
      ...storage,
      async write(key, stream) {
        await storage.delete(`${mark}.png`)
        return write(key, stream)
      },
      ...(storage.draft === undefined
        ? {}
        : {
            draft: () => {
              const draft = (storage.draft as NonNullable<Storage['draft']>)()
              return { ...draft, keep: async (key) => (await storage.delete(`${mark}.png`), draft.keep(key)) }
            },
          }),
    }
    ctx = { ...ctx, storage: { locations: new Map([['local', vanishing]]), primary: 'local' } }
    expect(await failureOf(laid(mark))).toMatchObject([{ kind: 'item-not-found' }])
    expect(await variants()).toEqual([])
  })
})
