/** Tests every parameter of assets and files in the legacy generation with real images. */
import { createHash } from 'node:crypto'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { ask, colourAt, detailed, formOf, type Measured, measure, twoHalves, withIptc } from './pictures.ts'
import { openWorld } from './world.ts'

type Links = {
  readonly url: string
  readonly full_url: string
  readonly asset_url: string
  readonly thumbnails: readonly { readonly key: string; readonly url: string; readonly relative_url: string }[] | null
}
type Row = { readonly [field: string]: unknown } & {
  readonly id: number
  readonly filename_disk: string
  readonly data: Links
}

const rowOf = async (answer: Promise<Response>): Promise<Row> => {
  const response = await answer
  const text = await response.text()
  if (!response.ok) throw new Error(`Expected a row but received ${response.status}: ${text}`)
  const { data } = JSON.parse(text) as { readonly data: Row | readonly [Row] }
  return Array.isArray(data) ? (data as readonly [Row])[0] : (data as Row)
}

const codeOf = async (answer: Promise<Response>): Promise<readonly [number, number | undefined]> => {
  const response = await answer
  const { error } = (await response.json()) as { readonly error?: { readonly code: number } }
  return [response.status, error?.code]
}

const upload = (bytes: Buffer, filename: string, values = {}): Promise<Row> =>
  rowOf(ask(world, 'POST /_/files', { body: formOf(bytes, filename, values) }))

const noPicture = (): FormData => formOf(Buffer.from('no picture'), 'a.png')
const form = (size: number, values = {}): FormData => formOf(Buffer.alloc(size, 'a'), 'a.txt', values)

const configure = async (settings: object): Promise<void> => {
  expect((await ask(world, 'PATCH /settings', { body: settings })).status).toBe(200)
}

const world = await openWorld()
const halves = (await upload(await twoHalves().png().toBuffer(), 'halves.png')).data.asset_url
const detail = (await upload(await detailed().jpeg({ quality: 95 }).toBuffer(), 'detail.jpg')).data.asset_url
afterEach(() =>
  configure({
    storage_asset_transform: 'all',
    file_naming: 'uuid',
    asset_url_naming: 'private_hash',
    file_mimetype_whitelist: null,
  }),
)
afterAll(() => world.close())

const get = (query: string, address = halves): Promise<Measured> => measure(ask(world, `GET ${address}?${query}`))

describe('w, h, f', () => {
  test.each([
    ['', [400, 200]],
    ['w=100&h=100&f=crop&q=80', [100, 100]],
    ['w=100&h=100&f=contain&q=80', [100, 50]],
    ['w=100', [100, 50]],
    ['h=50', [100, 50]],
    ['w=800&h=800&f=contain', [800, 400]],
  ] as const)('%s', async (query, size) => {
    expect(await get(query)).toMatchObject({ status: 200, format: 'png', size })
  })

  test('crop cuts both sides', async () => {
    const cut = await get('w=100&h=100&f=crop&q=80')
    expect([await colourAt(cut, 5, 50), await colourAt(cut, 95, 50)]).toEqual(['red', 'blue'])
  })
})

test('a higher q costs bytes', async () => {
  const sizes: number[] = []
  for (const q of [1, 50, 100]) sizes.push((await get(`q=${q}`, detail)).bytes.length)
  const [low = 0, middle = 0, high = 0] = sizes
  expect(low * 1.5).toBeLessThan(middle)
  expect(middle * 1.5).toBeLessThan(high)
})

describe('format', () => {
  test.each([
    ['jpg', 'jpeg', 'halves.jpg'],
    ['jpeg', 'jpeg', 'halves.jpg'],
    ['png', 'png', 'halves.png'],
    ['gif', 'gif', 'halves.gif'],
    ['webp', 'webp', 'halves.webp'],
  ])('%s', async (asked, format, filename) => {
    const made = await get(`w=80&h=40&f=crop&q=80&format=${asked}`)
    expect(made).toMatchObject({ format, size: [80, 40] })
    expect(made.headers.get('content-type')).toBe(`image/${format}`)
    expect(made.headers.get('content-disposition')).toContain(`filename="${filename}"`)
  })

  test.each([
    ['gif', 'gif'],
    ['tiff', 'jpeg'],
    ['webp', 'webp'],
    ['jpeg', 'jpeg'],
  ] as const)('without it a %s becomes a %s', async (source, format) => {
    const { data } = await upload(await twoHalves().toFormat(source).toBuffer(), `a.${source}`)
    const made = await get('w=80&h=40&f=crop&q=80', data.asset_url)
    expect(made).toMatchObject({ format, size: [80, 40] })
    expect([await colourAt(made, 5, 20), await colourAt(made, 75, 20)]).toEqual(['red', 'blue'])
    expect(await get('', data.asset_url)).toMatchObject({ format: source, size: [400, 200] })
  })
})

describe('key', () => {
  test.each([
    ['platform-small-crop', [64, 64]],
    ['platform-small-contain', [64, 32]],
    ['platform-medium-crop', [300, 300]],
    ['platform-medium-contain', [300, 150]],
    ['platform-large-crop', [800, 600]],
    ['platform-large-contain', [800, 400]],
    ['thumbnail', [8, 8]],
  ])('%s', async (key, size) => {
    expect((await get(`key=${key}`)).size).toEqual(size)
  })

  test('a preset with fit contain has the same size as `f=contain`', async () => {
    const { data } = (await (await ask(world, 'GET /settings')).json()) as { data: { storage_asset_presets: unknown } }
    const fitted = { key: 'fitted', fit: 'contain', width: 120, height: 120, quality: 70 }
    await configure({ storage_asset_presets: [fitted], storage_asset_transform: 'presets' })
    expect((await get('key=fitted')).size).toEqual([120, 60])
    expect((await get('w=120&h=120&f=contain&q=70')).size).toEqual([120, 60])
    await configure({ storage_asset_presets: data.storage_asset_presets })
  })

  test('each thumbnail of the row has the size of its key', async () => {
    const { data } = await upload(await twoHalves().jpeg().toBuffer(), 'a.jpg')
    expect(data.thumbnails?.map(({ key }) => key)).toEqual([
      'platform-small-crop',
      'platform-small-contain',
      'platform-medium-crop',
      'platform-medium-contain',
      'platform-large-crop',
      'platform-large-contain',
      'thumbnail',
    ])
    for (const { key, url, relative_url: relative } of data.thumbnails ?? []) {
      expect(url, key).toBe(`${world.url}${relative}`)
      expect((await measure(ask(world, `GET ${relative}`))).bytes, key).toEqual(
        (await get(`key=${key}`, data.asset_url)).bytes,
      )
    }
  })
})

describe('the whitelist', () => {
  test.each([
    ['all', 'w=33&h=33&f=crop&q=33', 200],
    ['all', 'key=nothing', 422],
    ['presets', 'w=64&h=64&f=crop&q=80', 200],
    ['presets', 'w=64&h=64&f=contain&q=80', 200],
    ['presets', 'w=8&h=8&f=crop&q=60', 200],
    ['presets', 'key=thumbnail', 200],
    ['presets', 'w=33&h=33&f=crop&q=33', 422],
    ['presets', 'w=64&h=64&f=crop&q=81', 422],
    ['presets', 'w=64', 422],
    ['none', 'w=64&h=64&f=crop&q=80', 200],
    ['none', 'key=thumbnail', 422],
    ['none', '', 200],
  ])('%s: %s', async (mode, query, status) => {
    await configure({ storage_asset_transform: mode })
    const answer = await ask(world, `GET ${halves}?${query}`)
    expect(answer.status).toBe(status)
    if (status === 422) expect(await answer.json()).toMatchObject({ error: { code: 12 } })
  })

  test.each([
    ['key', ''],
    ['w', '0'],
    ['h', '-1'],
    ['f', 'cover'],
    ['q', '0'],
    ['q', '101'],
    ['format', 'tiff'],
  ])('%s=%s is refused by its name', async (name, value) => {
    const answer = await ask(world, `GET ${halves}?${name}=${value}`)
    expect(answer.status).toBe(400)
    expect(((await answer.json()) as { error: { message: string } }).error.message).toContain(name)
  })
})

test('the row of a photo is complete', async () => {
  const photo = withIptc(await twoHalves().withIccProfile('p3').jpeg().toBuffer(), [
    [105, 'By the sea'],
    [120, 'Waves'],
    [25, 'water'],
    [90, 'Brest'],
    [101, 'France'],
  ])
  const folder = (await rowOf(ask(world, 'POST /_/folders', { body: { name: 'Photos' } }))).id
  const file = await upload(photo, 'my_sea-photo.JPG', { folder: String(folder) })
  expect(file).toMatchObject({
    storage: 'local',
    filename: file.filename_disk,
    filename_download: 'my_sea-photo.JPG',
    title: 'By the sea',
    type: 'image/jpeg',
    uploaded_by: expect.any(Number) as number,
    uploaded_on: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/) as string,
    charset: 'binary',
    filesize: photo.length,
    width: 400,
    height: 200,
    duration: 0,
    embed: null,
    folder,
    description: 'Waves',
    location: 'Brest, France',
    tags: ['water'],
    checksum: createHash('md5').update(photo).digest('hex'),
    metadata: { icc: { colorSpace: 'RGB' } },
  })
  const whole = await measure(ask(world, `GET ${file.data.url}`))
  expect([whole.bytes.equals(photo), file.data.full_url]).toEqual([true, `${world.url}${file.data.url}`])
})

test.each([
  ['plain', 'us-ascii'],
  ['señor', 'utf-8'],
  ['\u0000\u0001', 'binary'],
])('%j reads as %s', async (text, charset) => {
  const data = `data:text/plain;base64,${Buffer.from(text).toString('base64')}`
  const body = { data, filename_disk: 'a.txt', filename_download: 'a.txt' }
  const file = await rowOf(ask(world, 'POST /_/files', { body }))
  expect(file).toMatchObject({ charset, checksum: createHash('md5').update(text).digest('hex') })
})

test('replaced contents have a new checksum, size and thumbnails', async () => {
  const { id, data } = await upload(await twoHalves().png().toBuffer(), 'a.png')
  expect((await get('w=100', data.asset_url)).size).toEqual([100, 50])
  const other = await twoHalves().rotate(90).png().toBuffer()
  const body = { data: `data:image/png;base64,${other.toString('base64')}` }
  expect(await rowOf(ask(world, `PATCH /_/files/${id}`, { body }))).toMatchObject({
    id,
    checksum: createHash('md5').update(other).digest('hex'),
    width: 200,
    height: 400,
    data: { asset_url: data.asset_url },
  })
  expect((await get('w=100', data.asset_url)).size).toEqual([100, 200])
})

describe('settings of the project', () => {
  test('file_naming: objects have the name of the uploaded file, each a unique one', async () => {
    await configure({ file_naming: 'file_name' })
    const names = ['My  Señor__1.PNG', '../../etc/My señor_1.png', 'm.y.png']
    const files: Row[] = []
    for (const name of names) files.push(await upload(await twoHalves().png().toBuffer(), name))
    expect(files.map((each) => each.filename_disk)).toEqual(['my-senor_1.png', 'my-senor_1-1.png', 'm-y.png'])
    expect(files[0]?.data.url).toBe('/uploads/_/originals/my-senor_1.png')
    expect((await ask(world, `DELETE /_/files/${files[0]?.id}`)).status).toBe(204)
    expect((await upload(await twoHalves().png().toBuffer(), 'my-senor_1.png')).filename_disk).toBe('my-senor_1.png')
    for (const { data } of files.slice(1)) expect((await get('w=10', data.asset_url)).size).toEqual([10, 5])
  })

  test('file_naming: concurrent uploads with one name do not overwrite each other', async () => {
    await configure({ file_naming: 'file_name' })
    const contents = Array.from({ length: 8 }, (_, index) => `contents ${index}`)
    const files = await Promise.all(contents.map((each) => upload(Buffer.from(each), 'same.txt')))
    expect(new Set(files.map((each) => each.filename_disk)).size).toBe(8)
    const kept = files.map(async ({ data }) => (await ask(world, `GET ${data.url}`)).text())
    expect(await Promise.all(kept)).toEqual(contents)
  })

  test('asset_url_naming: URLs contain the name, and still need permission', async () => {
    await configure({ asset_url_naming: 'filename_download' })
    const older = await upload(await twoHalves().png().toBuffer(), 'a/b ö?.png')
    await upload(await detailed().png().toBuffer(), 'b ö?.png')
    expect(older.data.asset_url).toBe('/_/assets/b%20%C3%B6%3F.png')
    expect(await colourAt(await get('w=100', older.data.asset_url), 10, 10)).toBe('red')
    expect((await get('', `/_/assets/${String(older['private_hash'])}`)).size).toEqual([400, 200])
    expect(await codeOf(ask(world, `GET ${older.data.asset_url}`, { as: 'public' }))).toEqual([401, 3])
    expect(await codeOf(ask(world, `GET ${older.data.asset_url}`, { as: 'nobody' }))).toEqual([403, 300])
    await configure({ asset_url_naming: 'private_hash' })
    expect(await codeOf(ask(world, `GET ${older.data.asset_url}`))).toEqual([404, 203])
  })

  test('file_mimetype_whitelist: both generations reject other types', async () => {
    await configure({ file_mimetype_whitelist: ['image/*', 'text/csv'] })
    expect((await upload(await twoHalves().png().toBuffer(), 'a.png'))['type']).toBe('image/png')
    expect(await codeOf(ask(world, 'POST /_/files', { body: noPicture() }))).toEqual([400, 4])
    expect((await ask(world, 'POST /files', { body: noPicture() })).status).toBe(400)
  })

  test.each([
    ['file_naming', 'anything'],
    ['asset_url_naming', 'id'],
    ['storage_asset_transform', 'some'],
  ])('%s cannot be %s', async (name, value) => {
    expect((await ask(world, 'PATCH /settings', { body: { [name]: value } })).status).toBe(400)
  })
})

describe('uploads that fail', () => {
  test.each([
    ['larger than the server takes', form(1_100_000), 500, 601],
    ['larger than its form says', form(101, { MAX_FILE_SIZE: '100' }), 500, 602],
    ['a form with a size that is none', form(1, { MAX_FILE_SIZE: 'x' }), 400, 4],
    ['an empty file', form(0), 400, 4],
    ['no file', new FormData(), 500, 604],
  ])('%s', async (_what, body, status, code) => {
    if ([...body.keys()].length === 0) body.set('title', 'x')
    expect(await codeOf(ask(world, 'POST /_/files', { body }))).toEqual([status, code])
  })

  test('a file of the size that its form allows is stored', async () => {
    const body = form(100, { MAX_FILE_SIZE: '100' })
    expect(await rowOf(ask(world, 'POST /_/files', { body }))).toMatchObject({ filesize: 100 })
  })

  test('the upload folder cannot be created', async () => {
    const answer = world.withoutUploads(() => codeOf(ask(world, 'POST /_/files', { body: form(5) })))
    expect(await answer).toEqual([500, 606])
  })
})
