/** Files through the SDK, with the real server and with the mock. */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  createCurrentClient,
  type FileRecord,
  type Files,
  files as fileResource,
  type Progress,
  type Transform,
} from '@tandem/sdk/current'
import { createLegacyClient } from '@tandem/sdk/legacy'
import { setupServer } from 'msw/node'
import { afterAll, beforeAll, beforeEach, describe, expect, expectTypeOf, test } from 'vitest'
import { createValidate } from '../verify/src/spec/validate.ts'
import { mockHandlers } from './mock.ts'
import { specs } from './spec.ts'
import { openWorld, type World } from './world.ts'
import { picture } from './world-data.ts'

const bytes = randomBytes(300_000)
const pictureId = '00000000-0000-4000-8000-0000000000f5'

const streamOf = (contents: Buffer): ReadableStream<Uint8Array> => new Blob([contents as BlobPart]).stream()

describe('files of the real server', () => {
  let world: World
  let files: Files
  const headers = () => ({ authorization: `Bearer ${world.tokens.admin}` })
  const contentsOf = async (id: string): Promise<Buffer> => {
    const response = await fetch(files.assetUrl(id), { headers: headers() })
    expect(response.status).toBe(200)
    return Buffer.from(await response.arrayBuffer())
  }

  beforeAll(async () => {
    world = await openWorld()
    files = createCurrentClient<object>({ url: world.url, token: world.tokens.admin ?? '' }).with({
      files: fileResource,
    }).files
  })
  beforeEach(() => world.reset())
  afterAll(() => world.close())

  const folder = mkdtempSync(join(tmpdir(), 'tandem-sdk-'))
  const path = join(folder, 'noise.bin')
  beforeAll(() => writeFileSync(path, bytes))
  afterAll(() => rmSync(folder, { recursive: true }))

  test.each([
    ['a File', () => new File([bytes], 'noise.bin'), {}],
    ['a Blob', () => new Blob([bytes]), { filename: 'noise.bin' }],
    ['a stream', () => streamOf(bytes), { filename: 'noise.bin' }],
    ['a path', () => ({ path }), {}],
  ])('%s is uploaded with what is said of it', async (_, contents, options) => {
    const said = { title: 'Noise "1"', tags: ['a', 'b'], description: null, focal_point_x: 3 }
    const file = await files.upload(contents(), said, options)
    expectTypeOf(file).toEqualTypeOf<FileRecord | undefined>()
    expect(file).toMatchObject({ ...said, filename_download: 'noise.bin', filesize: '300000' })
    expect((await contentsOf(file?.id ?? '')).equals(bytes)).toBe(true)
  })

  test.each([
    ['a File', () => new File([bytes], 'é 1.bin'), 300_000],
    ['a stream', () => streamOf(bytes), null],
  ])('the progress of %s ends with all of it', async (_, contents, total) => {
    const seen: Progress[] = []
    const options = { filename: 'é 1.bin', onProgress: (progress: Progress) => void seen.push(progress) }
    const file = await files.upload(contents(), { title: 'x' }, options)
    expect(file).toMatchObject({ title: 'x', filename_download: 'é 1.bin', filesize: '300000' })
    expect(seen.length).toBeGreaterThan(1)
    expect(seen.at(-1)).toEqual({ sent: 300_000, total })
  })

  test('contents without a name, and contents that cannot be resent, are rejected by the SDK', async () => {
    await expect(files.upload(new Blob(['x']))).rejects.toThrow('filename')
    await expect(files.uploadResumable(streamOf(bytes) as never, {}, { filename: 'a' })).rejects.toThrow('again')
  })

  test('contents are replaced and imported', async () => {
    const file = await files.replace(pictureId, new File(['text'], 'a.txt', { type: 'text/plain' }))
    expect(file).toMatchObject({ id: pictureId, type: 'text/plain', filesize: '4' })
    const imported = await files.import('https://example.com/sea.jpg', { title: 'The sea' })
    expect(imported).toMatchObject({ title: 'The sea', filename_download: 'sea.jpg' })
  })

  test('an upload is resumed after a failure and by another process', async () => {
    let broken = 0
    const failing: typeof fetch = (url, init) =>
      init?.method === 'PATCH' && broken++ === 1 ? Promise.reject(new TypeError('gone')) : fetch(url, init)
    const client = createCurrentClient<object>({
      url: world.url,
      token: world.tokens.admin ?? '',
      fetch: failing,
    }).with({ files: fileResource })
    const stop = new AbortController()
    const upload = Promise.withResolvers<string>()
    const options = { chunkSize: 65_536, signal: stop.signal, onStart: upload.resolve }
    const onProgress = ({ sent }: Progress): void => {
      if (sent === 131_072) stop.abort(new Error('stopped'))
    }
    const first = client.files.uploadResumable({ path }, { title: 'Noise' }, { ...options, onProgress })
    await expect(first).rejects.toThrow('stopped')
    expect(broken).toBe(3)
    const seen: number[] = []
    const id = await files.uploadResumable(
      { path },
      {},
      { resume: await upload.promise, onProgress: ({ sent }) => void seen.push(sent) },
    )
    expect(seen).toEqual([131_072, 300_000])
    expect((await contentsOf(id)).equals(bytes)).toBe(true)
  })

  test('an upload survives a temporary outage of the server, but not a permanent one', async () => {
    let away = 0
    let isFirst = true
    const failing: typeof fetch = (url, init) => (away-- > 0 ? Promise.reject(new TypeError('away')) : fetch(url, init))
    const client = createCurrentClient<object>({
      url: world.url,
      token: world.tokens.admin ?? '',
      fetch: failing,
    }).with({ files: fileResource })
    const onProgress = ({ sent }: Progress): void => {
      if (sent < 131_072 || !isFirst) return
      isFirst = false
      away = 6
    }
    const id = await client.files.uploadResumable({ path }, {}, { chunkSize: 65_536, onProgress })
    expect((await contentsOf(id)).equals(bytes)).toBe(true)
    const options = { retries: 1, onStart: () => void (away = 1000) }
    await expect(client.files.uploadResumable({ path }, {}, options)).rejects.toThrow('away')
  })

  test('an upload without permission fails immediately', async () => {
    const stranger = createCurrentClient<object>({ url: world.url, token: world.tokens.nobody ?? '' }).with({
      files: fileResource,
    }).files
    await expect(stranger.uploadResumable({ path })).rejects.toMatchObject({ status: 403, codes: ['FORBIDDEN'] })
  })

  test.each<readonly [string, Transform, string]>([
    ['as it is', {}, 'image/png'],
    ['a preset', { key: 'thumbnail' }, 'image/webp'],
    ['a preset of the system', { key: 'system-small-cover', format: 'jpg' }, 'image/jpeg'],
    [
      'members',
      { width: 12, height: 8, fit: 'cover', focalPoint: { x: 1, y: 2 }, quality: 50, format: 'webp' },
      'image/webp',
    ],
    [
      'operations',
      {
        transforms: [
          ['rotate', 90],
          ['blur', 3],
          ['tint', 'red'],
          ['toFormat', 'webp'],
        ],
      },
      'image/webp',
    ],
  ])('the address of %s leads there', async (_, transform, type) => {
    const token = world.tokens.admin ?? ''
    const response = await fetch(files.assetUrl(pictureId, transform, { filename: 'a b.png', download: true, token }))
    expect([response.status, response.headers.get('content-type')]).toEqual([200, type])
    expect(response.headers.get('content-disposition')).toMatch(/^attachment; filename="a b\.\w+"/)
    await response.arrayBuffer()
    expect(picture.bytes.length).toBeGreaterThan(0)
  })
})

describe('files of the mock', () => {
  const url = 'http://mock.example'
  const server = setupServer(
    ...mockHandlers(
      url,
      specs.map((spec) => ({ spec, validate: createValidate(spec) })),
    ),
  )
  const { files } = createCurrentClient<object>({ url, token: 't' }).with({ files: fileResource })

  beforeAll(() => server.listen())
  afterAll(() => server.close())

  test('uploads, replaces and imports', async () => {
    const contents = new File(['x'], 'x.txt')
    const done = [
      await files.upload(contents),
      await files.replace('1', contents),
      await files.import('https://a.example/b'),
    ]
    expect(done.map((file) => file?.type)).toEqual(['text/plain', 'text/plain', 'text/plain'])
    const nothing = fetch(`${url}/files`, { method: 'POST', body: new FormData() })
    expect((await nothing).status).toBe(400)
  })

  test('takes an upload in pieces', async () => {
    const seen: number[] = []
    const onProgress = ({ sent }: Progress): void => void seen.push(sent)
    const id = await files.uploadResumable(new File(['0123456789'], 'x.txt'), {}, { chunkSize: 4, onProgress })
    expect(id).toBe('00000000-0000-4000-8000-0000000000ff')
    expect(seen.at(-1)).toBe(10)
  })
})

describe('addresses', () => {
  const legacy = createLegacyClient<object>({ url: 'http://a.example/', token: 't', project: 'shop' })

  test('of the legacy generation', () => {
    expect(legacy.assetUrl('h4sh')).toBe('http://a.example/shop/assets/h4sh')
    expect(legacy.assetUrl('h4sh', { key: 'thumbnail' })).toBe('http://a.example/shop/assets/h4sh?key=thumbnail')
    expect(legacy.assetUrl('h4sh', { w: 100, h: 50, f: 'crop', q: 80, format: 'webp' })).toBe(
      'http://a.example/shop/assets/h4sh?w=100&h=50&f=crop&q=80&format=webp',
    )
  })

  test('of what does not exist are refused where they are written', () => {
    const { files } = createCurrentClient<object>({ url: 'http://a.example', token: 't' }).with({ files: fileResource })
    void (() => [
      // @ts-expect-error no such fit
      files.assetUrl('1', { fit: 'fill' }),
      // @ts-expect-error no such operation
      files.assetUrl('1', { transforms: [['composite', 1]] }),
      // @ts-expect-error an operation with other arguments
      files.assetUrl('1', { transforms: [['rotate', 'left']] }),
      // @ts-expect-error a width alone
      legacy.assetUrl('1', { w: 100 }),
      // @ts-expect-error both a key and a size
      legacy.assetUrl('1', { key: 'a', w: 100, h: 100 }),
      // @ts-expect-error a stream cannot be sent again
      files.uploadResumable(new Blob([]).stream()),
    ])
    expect(files.assetUrl('a b', { transforms: [['flip']] })).toBe(
      'http://a.example/assets/a%20b?transforms=%5B%5B%22flip%22%5D%5D',
    )
  })
})
