/** Tests every parameter of assets and files in the current generation with real images. */
import { createHash } from 'node:crypto'
import { afterAll, describe, expect, test } from 'vitest'
import { ask, colourAt, detailed, formOf, type Measured, measure, twoHalves, withIptc } from './pictures.ts'
import { openWorld } from './world.ts'

type Row = { readonly [field: string]: unknown } & { readonly id: string }

const rowOf = async (answer: Promise<Response>): Promise<Row> => {
  const response = await answer
  const text = await response.text()
  if (!response.ok) throw new Error(`Expected a file but received ${response.status}: ${text}`)
  return (JSON.parse(text) as { readonly data: Row }).data
}

const upload = (bytes: Buffer, filename: string, values = {}): Promise<Row> =>
  rowOf(ask(world, 'POST /files', { body: formOf(bytes, filename, values) }))

const world = await openWorld()
let halves = (await upload(await twoHalves().png().toBuffer(), 'halves.png')).id
let detail = (await upload(await detailed().jpeg({ quality: 95 }).toBuffer(), 'detail.jpg')).id
afterAll(() => world.close())

const get = (query: string, { id = halves, accept = '*/*', name = '' } = {}): Promise<Measured> =>
  measure(ask(world, `GET /assets/${id}${name}?${query}`, { headers: { accept } }))

const shown = async (transforms: unknown): Promise<Measured> =>
  get(`transforms=${encodeURIComponent(JSON.stringify(transforms))}&format=png`)

describe('fit, width, height, withoutEnlargement', () => {
  test.each([
    ['', [400, 200]],
    ['width=100', [100, 50]],
    ['height=50', [100, 50]],
    ['width=100&height=100', [100, 100]],
    ['width=100&height=100&fit=cover', [100, 100]],
    ['width=100&height=100&fit=contain', [100, 100]],
    ['width=100&height=100&fit=inside', [100, 50]],
    ['width=100&height=100&fit=outside', [200, 100]],
    ['width=800', [800, 400]],
    ['width=800&withoutEnlargement', [400, 200]],
    ['width=800&withoutEnlargement=true', [400, 200]],
    ['width=800&withoutEnlargement=false', [800, 400]],
  ] as const)('%s', async (query, size) => {
    expect(await get(query)).toMatchObject({ status: 200, format: 'png', size })
  })

  test('cover cuts both sides, contain leaves bars above and below', async () => {
    const cover = await get('width=100&height=100&fit=cover')
    expect([await colourAt(cover, 5, 5), await colourAt(cover, 95, 95)]).toEqual(['red', 'blue'])
    const contain = await get('width=100&height=100&fit=contain')
    const seen = [await colourAt(contain, 5, 5), await colourAt(contain, 5, 50), await colourAt(contain, 95, 50)]
    expect(seen).toEqual(['black', 'red', 'blue'])
  })
})

describe('focal_point_x, focal_point_y', () => {
  test.each([
    ['focal_point_x=0&focal_point_y=0', 'red', 'red'],
    ['focal_point_x=399&focal_point_y=100', 'blue', 'blue'],
    ['focal_point_x=200&focal_point_y=100', 'red', 'blue'],
  ])('%s', async (query, left, right) => {
    const cut = await get(`width=50&height=50&${query}`)
    expect([cut.size, await colourAt(cut, 5, 25), await colourAt(cut, 45, 25)]).toEqual([[50, 50], left, right])
  })

  test('of the file itself', async () => {
    const { id } = await upload(await twoHalves().png().toBuffer(), 'right.png', {
      focal_point_x: '399',
      focal_point_y: '0',
    })
    expect(await colourAt(await get('width=50&height=50', { id }), 5, 25)).toBe('blue')
  })
})

describe('format', () => {
  test.each([
    ['jpg', 'jpeg', 'image/jpeg', 'halves.jpg'],
    ['jpeg', 'jpeg', 'image/jpeg', 'halves.jpg'],
    ['png', 'png', 'image/png', 'halves.png'],
    ['webp', 'webp', 'image/webp', 'halves.webp'],
    ['tiff', 'tiff', 'image/tiff', 'halves.tiff'],
    ['avif', 'avif', 'image/avif', 'halves.avif'],
  ])('%s', async (asked, format, type, filename) => {
    const made = await get(`format=${asked}&width=80`)
    expect(made).toMatchObject({ format, size: [80, 40] })
    expect(made.headers.get('content-type')).toBe(type)
    expect(made.headers.get('content-disposition')).toContain(`filename="${filename}"`)
  })

  test.each([
    ['image/avif,image/webp,*/*', 'avif'],
    ['image/webp,*/*', 'webp'],
    ['*/*', 'png'],
  ])('auto where %s is accepted', async (accept, format) => {
    const made = await get('format=auto&width=80', { accept })
    expect([made.format, made.headers.get('vary')]).toEqual([format, expect.stringContaining('Accept')])
  })
})

test.each(['jpg', 'webp', 'avif', 'tiff'])('a higher quality of a %s costs bytes', async (format) => {
  const sizes: number[] = []
  for (const quality of [1, 50, 100]) {
    const made = await get(`quality=${quality}&format=${format}`, { id: detail })
    expect(made.size).toEqual([400, 200])
    sizes.push(made.bytes.length)
  }
  const [low = 0, middle = 0, high = 0] = sizes
  expect(low * 1.5).toBeLessThan(middle)
  expect(middle * 1.5).toBeLessThan(high)
})

test('quality alone keeps the format', async () => {
  const [whole, low] = [await get('', { id: detail }), await get('quality=10', { id: detail })]
  expect([low.format, low.size]).toEqual(['jpeg', [400, 200]])
  expect(low.bytes.length * 3).toBeLessThan(whole.bytes.length)
})

describe('key', () => {
  test.each([
    ['system-small-cover', [64, 64]],
    ['system-small-contain', [64, 32]],
    ['system-medium-cover', [300, 300]],
    ['system-medium-contain', [300, 150]],
    ['system-large-cover', [800, 800]],
    ['system-large-contain', [800, 400]],
  ])('%s', async (key, size) => {
    expect(await get(`key=${key}`)).toMatchObject({ format: 'png', size })
    expect(await get(`key=${key}`, { accept: 'image/webp' })).toMatchObject({ format: 'webp', size })
  })

  test('of the project, and parameters before it', async () => {
    expect(await get('key=thumbnail')).toMatchObject({ format: 'webp', size: [8, 8] })
    expect(await get('key=thumbnail&width=20&format=png')).toMatchObject({ format: 'png', size: [20, 8] })
  })

  test('a preset with all settings', async () => {
    const preset = {
      key: 'whole',
      fit: 'inside',
      width: 300,
      height: 300,
      quality: 20,
      withoutEnlargement: true,
      format: 'jpeg',
      transforms: [['flop']],
    }
    const settings = { storage_asset_presets: [preset] }
    expect((await ask(world, 'PATCH /settings', { body: settings })).status).toBe(200)
    const made = await get('key=whole')
    expect(made).toMatchObject({ format: 'jpeg', size: [300, 150] })
    expect([await colourAt(made, 10, 75), await colourAt(made, 290, 75)]).toEqual(['blue', 'red'])
    await world.reset()
    halves = (await upload(await twoHalves().png().toBuffer(), 'halves.png')).id
    detail = (await upload(await detailed().jpeg({ quality: 95 }).toBuffer(), 'detail.jpg')).id
  })
})

describe('transforms', () => {
  const white = { r: 255, g: 255, b: 255 }

  test.each([
    [[['rotate', 90]], [200, 400], [100, 10, 'red'], [100, 390, 'blue']],
    [[['flop']], [400, 200], [10, 100, 'blue'], [390, 100, 'red']],
    [[['flip']], [400, 200], [10, 100, 'red'], [390, 100, 'blue']],
    [[['expand', { right: 40, background: white }]], [440, 200], [10, 100, 'red'], [430, 100, 'white']],
    [[['extend', 10]], [420, 220], [2, 2, 'black'], [20, 100, 'red']],
    [[['extract', { left: 200, top: 0, width: 100, height: 50 }]], [100, 50], [1, 1, 'blue'], [99, 49, 'blue']],
    [[['resize', 40, 40, { fit: 'fill' }]], [40, 40], [1, 20, 'red'], [38, 20, 'blue']],
    [[['tint', '#00ff00']], [400, 200], [10, 100, 'green'], [390, 100, 'green']],
    [[['blur', 3]], [400, 200], [10, 100, 'red'], [390, 100, 'blue']],
    [[['negate', { alpha: false }]], [400, 200], [10, 100, 'green'], [390, 100, 'red']],
    [[['modulate', { hue: 120 }]], [400, 200], [10, 100, 'green'], [390, 100, 'red']],
    [[['threshold', 1]], [400, 200], [10, 100, 'white'], [390, 100, 'white']],
    [
      [['trim'], ['flop']],
      [200, 200],
      [5, 5, 'blue'],
      [190, 190, 'blue'],
    ],
  ] as const)('%j', async (transforms, size, [x, y, first], [u, v, second]) => {
    const made = await shown(transforms)
    expect([made.size, await colourAt(made, x, y), await colourAt(made, u, v)]).toEqual([size, first, second])
  })

  test('formats with their options, in order with the other parameters', async () => {
    const asked = encodeURIComponent(
      JSON.stringify([
        ['rotate', 90],
        ['webp', { quality: 10 }],
      ]),
    )
    expect(await get(`transforms=${asked}&width=50`)).toMatchObject({ format: 'webp', size: [50, 100] })
  })
})

describe('download, and the name in the address', () => {
  test.each([
    ['', '', 'inline', 'halves.png'],
    ['', 'download', 'attachment', 'halves.png'],
    ['/sea.png', '', 'inline', 'sea.png'],
    ['/sea.png', 'download=true', 'attachment', 'sea.png'],
    ['/sea.png', 'download=false', 'inline', 'sea.png'],
    ['/sea.webp', 'download&format=webp', 'attachment', 'sea.webp'],
  ])('%s?%s', async (name, query, kind, filename) => {
    const { headers } = await get(query, { name })
    expect(headers.get('content-disposition')).toBe(`${kind}; filename="${filename}"; filename*=UTF-8''${filename}`)
  })

  test('HEAD sends the same headers and no body', async () => {
    const head = await ask(world, `HEAD /assets/${halves}?width=100&format=webp`)
    const { headers, bytes } = await get('width=100&format=webp')
    for (const name of ['etag', 'content-type', 'content-length', 'content-disposition', 'cache-control'])
      expect(head.headers.get(name), name).toBe(headers.get(name))
    expect([head.headers.get('content-length'), await head.text()]).toEqual([String(bytes.length), ''])
  })
})

test('the file object of a photo is complete', async () => {
  const plain = await twoHalves()
    .withExif({ IFD0: { Make: 'Acme', Model: 'One' }, IFD2: { FNumber: '28/10' } })
    .withIccProfile('p3')
    .jpeg()
    .toBuffer()
  const photo = withIptc(plain, [
    [105, 'By the sea'],
    [120, 'Waves'],
    [25, 'water'],
    [25, 'summer'],
  ])
  const before = Date.now() - 1000
  const folder = (await rowOf(ask(world, 'POST /folders', { body: { name: 'Photos' } }))).id
  const file = await upload(photo, 'my_sea-photo.JPG', { folder, location: 'The coast' })
  const me = await rowOf(ask(world, 'GET /users/me?fields=id'))
  expect(file).toMatchObject({
    storage: 'local',
    filename_disk: `${file.id}.jpg`,
    filename_download: 'my_sea-photo.JPG',
    title: 'By the sea',
    type: 'image/jpeg',
    folder,
    uploaded_by: me.id,
    modified_by: null,
    filesize: String(photo.length),
    width: 400,
    height: 200,
    duration: null,
    description: 'Waves',
    location: 'The coast',
    tags: ['water', 'summer'],
    charset: 'binary',
    metadata: {
      ifd0: { Make: 'Acme', Model: 'One' },
      exif: { FNumber: 2.8 },
      icc: { colorSpace: 'RGB' },
      iptc: { headline: 'By the sea', caption: 'Waves', keywords: ['water', 'summer'] },
    },
  })
  expect(Date.parse(file['uploaded_on'] as string)).toBeGreaterThan(before)
  expect(file['modified_on']).toBe(file['uploaded_on'])
  const changed = await rowOf(ask(world, `PATCH /files/${file.id}`, { body: { title: 'Mine', tags: ['a'] } }))
  expect(changed).toMatchObject({ title: 'Mine', tags: ['a'], modified_by: me.id, width: 400 })
  expect(Date.parse(changed['modified_on'] as string)).toBeGreaterThan(before)
})

test('variants of replaced contents are no longer delivered', async () => {
  const { id } = await upload(await twoHalves().png().toBuffer(), 'a.png', { title: 'Kept' })
  const before = await get('width=100', { id })
  const other = await twoHalves().rotate(90).webp({ lossless: true }).toBuffer()
  const changed = await rowOf(ask(world, `PATCH /files/${id}`, { body: formOf(other, 'b.webp') }))
  expect(changed).toMatchObject({ id, title: 'Kept', type: 'image/webp', width: 200, height: 400 })
  const after = await get('width=100', { id })
  expect(after).toMatchObject({ format: 'webp', size: [100, 200] })
  expect(after.headers.get('etag')).not.toBe(before.headers.get('etag'))
  const whole = await get('', { id })
  expect(createHash('md5').update(whole.bytes).digest('hex')).toBe(createHash('md5').update(other).digest('hex'))
})

test('each file in a form has the properties before it', async () => {
  const form = new FormData()
  for (const name of ['first', 'second']) {
    form.append('title', name)
    form.append('file', new Blob([new Uint8Array(await twoHalves().png().toBuffer())]), `${name}.png`)
  }
  const rows = (await rowOf(ask(world, 'POST /files', { body: form }))) as unknown as readonly Row[]
  expect(rows.toSorted((a, b) => String(a['title']).localeCompare(String(b['title'])))).toMatchObject([
    { title: 'first', filename_download: 'first.png', width: 400 },
    { title: 'second', filename_download: 'second.png', width: 400 },
  ])
})
