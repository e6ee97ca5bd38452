import { PassThrough, Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import sharp from 'sharp'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { deleteObject } from '../../core/objects/stored-objects.ts'
import { is, openTestWorld, userWith } from '../../core/testing/test-context.ts'
import type { Context } from '../../domain/ports/context.ts'
import type { Outgoing, Storage } from '../../domain/ports/storage.ts'
import type { Actor } from '../../domain/rights/actor.ts'
import { TandemError } from '../../domain/rights/errors.ts'
import type { Reply } from '../../http/reply/reply.ts'
import { halves } from '../../images/test-images.ts'
import { createMemoryStorage, listAll } from '../../storage/test-storage.ts'
import { toErrorBody } from '../wire/errors.ts'
import { assets } from './assets.ts'

const id = '00000000-0000-4000-8000-00000000a551'
const anybody: Actor = {
  kind: 'public',
  access: { admin: false, app: false, policies: [], rules: [], fingerprint: 'p' },
} as never
const reader = userWith([{ collection: 'platform_files', fields: ['title'] }])
let ctx: Context
let storage: Storage

const world = await openTestWorld()
const photo = await halves().jpeg().toBuffer()
afterAll(() => world.close())

beforeEach(async () => {
  storage = createMemoryStorage()
  ctx = { ...world.ctx, storage: { locations: new Map([['local', storage]]), primary: 'local' } }
  await put(photo, {})
  await configure('all')
})

async function put(
  bytes: Buffer | string,
  columns: { readonly [name: string]: string | number | null },
): Promise<void> {
  await storage.write(`${id}.jpg`, Readable.from([Buffer.from(bytes as string)]))
  const row = {
    id,
    storage: 'local',
    filename_disk: `${id}.jpg`,
    filename_download: 'tandem.jpg',
    type: 'image/jpeg',
    ...columns,
  }
  const values = Object.values(row).map((value) =>
    typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value),
  )
  await world.rowsOf(`update platform_settings set project_logo = null`)
  await world.rowsOf(`delete from platform_files where id = '${id}'`)
  await world.rowsOf(`insert into platform_files (${Object.keys(row).join(', ')}) values (${values.join(', ')})`)
}

const configure = (mode: string, presets: unknown = []) =>
  world.rowsOf(
    `update platform_settings set storage_asset_transform = '${mode}', storage_asset_presets = '${JSON.stringify(presets)}'`,
  )

type Ask = {
  readonly query?: object
  readonly headers?: object
  readonly as?: Actor
  readonly id?: string
  readonly name?: string
}
type Answer = {
  readonly status: number
  readonly headers: { readonly [name: string]: string }
  readonly bytes: Buffer
  readonly body: unknown
}

/** The answer to a request, with its contents read. */
async function get({ query = {}, headers = {}, as = ctx.actor, ...path }: Ask = {}): Promise<Answer> {
  const input = {
    path: { id: path.id ?? id, filename: path.name },
    query,
    body: undefined,
    request: { method: 'GET', headers },
  } as never
  const handle = path.name === undefined ? assets.readAsset : assets.readNamedAsset
  try {
    const reply: Reply = await handle({ ...ctx, actor: as }, input)
    const stream = reply.body?.kind === 'stream' ? reply.body : null
    const bytes = stream === null ? Buffer.alloc(0) : await bytesOf(await stream.open())
    if (stream !== null) expect(bytes.length).toBe(stream.size)
    return { status: reply.status, headers: { ...reply.headers, type: stream?.type ?? '' }, bytes, body: null }
  } catch (error) {
    if (!(error instanceof TandemError)) throw error
    const { status, body, headers = {} } = toErrorBody(error)
    return { status, headers, bytes: Buffer.alloc(0), body: (body as { error: object }).error }
  }
}

async function bytesOf(opened: Readable | Outgoing): Promise<Buffer> {
  if (opened instanceof Readable) return buffer(opened)
  const sink = new PassThrough()
  const [bytes] = await Promise.all([buffer(sink), opened.sendTo(sink)])
  return bytes
}

const sizeOf = async ({ bytes }: Answer) => {
  const { format, width, height } = await sharp(bytes).metadata()
  return [format, width, height]
}
/** The dominant color of a 50 × 50 crop. */
const colour = async (query: object) => {
  const { bytes } = await get({ query: { width: 50, height: 50, format: 'png', ...query } })
  const { dominant } = await sharp(bytes).stats()
  return dominant.r > dominant.b ? 'red' : 'blue'
}

const variants = () => listAll(storage, `${id}__/`)
const forbidden = { status: 403, body: { code: 'FORBIDDEN', message: "You don't have permission to access this." } }

describe('the file as it is', () => {
  test('has the headers that caches and browsers need', async () => {
    const { status, headers, bytes } = await get()
    expect([status, bytes.equals(photo)]).toEqual([200, true])
    expect(headers).toMatchObject({
      type: 'image/jpeg',
      'cache-control': 'private, max-age=60',
      vary: 'Origin',
      'accept-ranges': 'bytes',
      'content-disposition': `inline; filename="tandem.jpg"; filename*=UTF-8''tandem.jpg`,
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'cross-origin',
    })
    expect(headers['etag']).toMatch(/^"[0-9a-f]{16}"$/)
    expect(headers['content-security-policy']).toMatch(/default-src 'none'.*sandbox$/)
  })

  test('supports ranges and conditional requests', async () => {
    const { headers } = await get()
    const part = await get({ headers: { range: 'bytes=2-5' } })
    expect([part.status, part.headers['content-range'], part.bytes.equals(photo.subarray(2, 6))]).toEqual([
      206,
      `bytes 2-5/${photo.length}`,
      true,
    ])
    const again = await get({ headers: { 'if-none-match': headers['etag'] } })
    expect([again.status, again.headers['etag'], again.headers['cache-control']]).toEqual([
      304,
      headers['etag'],
      'private, max-age=60',
    ])
    const beyond = await get({ headers: { range: 'bytes=999999-' } })
    expect(beyond).toMatchObject({ status: 416, headers: { 'content-range': `bytes */${photo.length}` } })
  })

  test('has a new tag after its contents change', async () => {
    const before = (await get()).headers['etag']
    await put(await halves(50, 50).jpeg().toBuffer(), {})
    expect((await get()).headers['etag']).not.toBe(before)
  })

  test('is saved under its name, or the name in the URL', async () => {
    expect((await get({ query: { download: '' } })).headers['content-disposition']).toMatch(
      /^attachment; filename="tandem.jpg"/,
    )
    expect((await get({ query: { download: 'false' } })).headers['content-disposition']).toMatch(/^inline/)
    const odd = '../a/Rad "ü"\r\n\ud800.jpg'
    expect((await get({ name: odd })).headers['content-disposition']).toBe(
      `inline; filename="Rad ______.jpg"; filename*=UTF-8''Rad%20%22%C3%BC%22%0D%0A%EF%BF%BD.jpg`,
    )
  })

  test.each([
    ['text/html', 'text/html', /^attachment/],
    ['application/xhtml+xml', 'application/xhtml+xml', /^attachment/],
    ['image/svg+xml', 'image/svg+xml', /^inline/],
    ['text/plain\r\nx: y', 'application/octet-stream', /^inline/],
    [null, 'application/octet-stream', /^inline/],
  ])('of the type %j is no page of ours', async (stored, type, shown) => {
    await put('<script>alert(1)</script>', { type: stored })
    const { headers } = await get()
    expect(headers['type']).toBe(type)
    expect(headers['content-disposition']).toMatch(shown)
    expect(headers['content-security-policy']).toContain('sandbox')
  })

  test('an extension after the id is ignored', async () => {
    expect((await get({ id: `${id}.jpg` })).status).toBe(200)
  })
})

describe('rights', () => {
  test('row rules decide, field rules do not', async () => {
    expect((await get({ as: reader })).status).toBe(200)
    const filtered = userWith([{ collection: 'platform_files', filter: is('title', 'another') }])
    expect(await get({ as: filtered })).toMatchObject(forbidden)
    expect(await get({ as: userWith([]) })).toMatchObject(forbidden)
    expect(await get({ as: anybody })).toMatchObject(forbidden)
  })

  test('a missing file is forbidden', async () => {
    expect(await get({ id: '00000000-0000-4000-8000-00000000ffff' })).toMatchObject(forbidden)
    expect(await get({ id: 'x' })).toMatchObject(forbidden)
    await put(photo, { storage: 'elsewhere' })
    expect(await get()).toMatchObject(forbidden)
    await put(photo, { filename_disk: 'gone.jpg' })
    expect(await get()).toMatchObject(forbidden)
    await put(photo, { filename_disk: null })
    expect(await get()).toMatchObject(forbidden)
  })

  test('nothing is rendered for a caller without permission', async () => {
    await get({ as: anybody, query: { width: 10 } })
    expect(await variants()).toEqual([])
  })

  test('files in public settings are readable by all and cacheable by shared caches', async () => {
    await world.rowsOf(`update platform_settings set project_logo = '${id}'`)
    const { status, headers } = await get({ as: anybody })
    expect([status, headers['cache-control']]).toEqual([200, 'public, max-age=60'])
    expect((await get({ as: userWith([]) })).headers['cache-control']).toBe('private, max-age=60')
  })

  test('caches can be told to revalidate', async () => {
    ctx = { ...ctx, assets: { ...ctx.assets, revalidate: true } }
    expect((await get()).headers['cache-control']).toBe('private, max-age=0, must-revalidate')
  })
})

describe('a transformed file', () => {
  test('is rendered once', async () => {
    const first = await get({ query: { width: 100, format: 'webp' } })
    expect([first.status, first.headers['type'], await sizeOf(first)]).toEqual([200, 'image/webp', ['webp', 100, 50]])
    expect(first.headers['content-disposition']).toContain('filename="tandem.webp"')
    const [made] = await variants()
    const second = await get({ query: { width: 100, format: 'webp' } })
    expect([second.bytes.equals(first.bytes), second.headers['etag']]).toEqual([true, first.headers['etag']])
    expect(await variants()).toEqual([made])
    expect(made?.key).toMatch(new RegExp(`^${id}__/[0-9a-f]{40}\\.webp$`))
  })

  test('is rendered once for concurrent requests', async () => {
    let writes = 0
    const counting: Storage = { ...storage, write: (...args) => ((writes += 1), storage.write(...args)) }
    ctx = { ...ctx, storage: { locations: new Map([['local', counting]]), primary: 'local' } }
    const all = await Promise.all(Array.from({ length: 8 }, () => get({ query: { width: 77 } })))
    expect([new Set(all.map(({ status }) => status)), writes]).toEqual([new Set([200]), 1])
  })

  test('supports ranges and conditional requests too', async () => {
    const whole = await get({ query: { width: 100 } })
    const part = await get({ query: { width: 100 }, headers: { range: 'bytes=0-9' } })
    expect([part.status, part.bytes.equals(whole.bytes.subarray(0, 10))]).toEqual([206, true])
    expect((await get({ query: { width: 100 }, headers: { 'if-none-match': whole.headers['etag'] } })).status).toBe(304)
  })

  test('is rendered anew when the contents are replaced, and deleted with the file', async () => {
    await get({ query: { width: 100 } })
    await put(await halves(90, 90).jpeg().toBuffer(), { uploaded_on: '2026-01-02T03:04:05Z' })
    expect(await sizeOf(await get({ query: { width: 100 } }))).toEqual(['jpeg', 100, 100])
    expect(await variants()).toHaveLength(2)
    await deleteObject(ctx.storage, { storage: 'local', key: `${id}.jpg` })
    expect(await variants()).toEqual([])
    expect(await get()).toMatchObject(forbidden)
  })

  test('is not left behind when the file is deleted during rendering', async () => {
    const vanishing: Storage = {
      ...storage,
      async write(key, stream) {
        await storage.delete(`${id}.jpg`)
        return storage.write(key, stream)
      },
    }
    ctx = { ...ctx, storage: { locations: new Map([['local', vanishing]]), primary: 'local' } }
    expect(await get({ query: { width: 66 } })).toMatchObject(forbidden)
    expect(await variants()).toEqual([])
  })

  test('is cropped around the focal point of the file or of the request', async () => {
    await put(photo, { focal_point_x: 380, focal_point_y: 10 })
    expect([await colour({}), await colour({ focal_point_x: 5 })]).toEqual(['blue', 'red'])
  })

  test('a file that cannot be transformed is returned unchanged', async () => {
    const svg = '<svg xmlns="http://www.w3.org/2000/svg"/>'
    await put(svg, { type: 'image/svg+xml' })
    const { status, bytes } = await get({ query: { width: 10, format: 'webp' } })
    expect([status, bytes.toString()]).toEqual([200, svg])
  })

  test('text that claims to be an image is refused and leaves nothing behind', async () => {
    await put('I am a picture', { type: 'image/png' })
    expect(await get({ query: { width: 10 } })).toMatchObject({
      status: 400,
      body: { code: 'ILLEGAL_ASSET_TRANSFORMATION' },
    })
    expect(await variants()).toEqual([])
  })

  test.each([
    ['image/avif,image/webp,*/*', 'heif'],
    ['image/webp,*/*', 'webp'],
    ['*/*', 'jpeg'],
    ['image/avif;q=0, Image/WebP ; q=0.5', 'webp'],
    ['image/avif; q=0.0,image/webp;q=0,image/avif-sequence', 'jpeg'],
  ])('accept %s', async (accept, format) => {
    const answer = await get({ query: { width: 20, format: 'auto' }, headers: { accept } })
    expect([await sizeOf(answer), answer.headers['vary']]).toEqual([[format, 20, 10], 'Origin, Accept'])
  })

  test('a GIF is made where it is asked for', async () => {
    expect(await sizeOf(await get({ query: { width: 20, format: 'gif' } }))).toEqual(['gif', 20, 10])
  })

  test.each(['image/webp', 'image/tiff', 'image/avif'])(
    'auto makes a PNG of %s where nothing better is shown',
    async (type) => {
      const format = type.slice('image/'.length) as 'webp'
      await put(await halves(20, 20).toFormat(format, { effort: 0 }).toBuffer(), { type })
      expect((await sizeOf(await get({ query: { width: 10, format: 'auto' } })))[0]).toBe('png')
    },
  )

  test('single parameters are checked', async () => {
    const wrong = { width: 6001, height: 7000, focal_point_x: 2e6, transforms: '[["nothing"]]' }
    for (const [name, value] of Object.entries(wrong)) {
      const { status, body } = await get({ query: { [name]: value } })
      expect([status, JSON.stringify(body).includes(name)], name).toEqual([400, true])
    }
    for (const transforms of ['[[', 'null'])
      expect(await get({ query: { transforms } })).toMatchObject({ status: 400, body: { code: 'INVALID_QUERY' } })
  })
})

describe('what the project allows', () => {
  const preset = {
    key: 'thumb',
    width: 30,
    height: 30,
    fit: 'cover',
    format: 'webp',
    quality: 50,
    withoutEnlargement: null,
  }

  test.each([
    ['all', { width: 10 }, 200],
    ['all', { key: 'thumb' }, 200],
    ['all', { key: 'thumb', width: 10 }, 200],
    ['all', { key: 'system-small-cover' }, 200],
    ['all', { key: 'nothing' }, 400],
    ['presets', { key: 'thumb' }, 200],
    ['presets', { key: 'system-large-contain' }, 200],
    ['presets', { key: 'thumb', width: 10 }, 400],
    ['presets', { width: 10 }, 400],
    ['presets', { transforms: '[]' }, 400],
    ['none', { key: 'thumb' }, 400],
    ['none', { key: 'system-medium-cover' }, 200],
    ['none', { key: 'system-medium-cover', quality: 1 }, 400],
    ['none', { quality: 1 }, 400],
    ['none', {}, 200],
    ['none', { download: '' }, 200],
  ])('%s: %j', async (mode, query, status) => {
    await configure(mode, [preset])
    expect((await get({ query })).status).toBe(status)
  })

  test('presets have their own sizes, which parameters override', async () => {
    await configure('all', [preset])
    expect(await sizeOf(await get({ query: { key: 'thumb' } }))).toEqual(['webp', 30, 30])
    expect(await sizeOf(await get({ query: { key: 'thumb', width: 10, format: 'png' } }))).toEqual(['png', 10, 30])
    expect(await sizeOf(await get({ query: { key: 'system-small-cover' } }))).toEqual(['jpeg', 64, 64])
    expect(await sizeOf(await get({ query: { key: 'system-medium-contain' } }))).toEqual(['jpeg', 300, 150])
  })

  test('the first of several presets with one key counts; an invalid preset is reported', async () => {
    await configure('all', [
      'junk',
      null,
      { key: 'a', width: 'wide' },
      { key: 'b', transforms: 'x' },
      { key: 'c', fit: 'x' },
    ])
    for (const [key, name] of [
      ['a', 'width'],
      ['b', 'transforms'],
      ['c', 'fit'],
    ] as const) {
      const { status, body } = await get({ query: { key } })
      expect([status, JSON.stringify(body).includes(name)], key).toEqual([400, true])
    }
    await configure('all', { no: 'list' })
    expect((await get({ query: { key: 'a' } })).status).toBe(400)
  })
})
