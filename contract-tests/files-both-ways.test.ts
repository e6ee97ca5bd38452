/** Files across generations: uploaded by a client of one generation, and read and transformed by a client of the other. */
import { createHash, randomBytes } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { mp4Of, opusOf } from '../src/metadata/test-media.ts'
import { openWorld, type UserKind, type World } from './world.ts'

/** One server per settings; a test that names none gets the first one. */
const kinds = {
  plain: { TUS_ENABLED: 'true' },
  checksums: { FILES_CHECKSUMS: 'true' },
  openHashes: { ASSETS_PRIVATE_HASH: 'open' },
  openNames: { ASSETS_FILE_NAMES: 'open' },
} as const
const worlds = new Map<keyof typeof kinds, World>()
let world: World

async function enter(kind: keyof typeof kinds): Promise<void> {
  world = worlds.get(kind) ?? (await openWorld(kinds[kind]))
  worlds.set(kind, world)
  await world.reset()
}

beforeAll(async () => {
  for (const kind of Object.keys(kinds)) await enter(kind as keyof typeof kinds)
})
beforeEach(() => enter('plain'))
afterAll(async () => {
  for (const each of worlds.values()) await each.close()
})

const jpeg = (): Promise<Buffer> =>
  sharp({ create: { width: 600, height: 400, channels: 3, background: '#369' } })
    .jpeg()
    .toBuffer()

const ask = (
  path: string,
  as: UserKind = 'admin',
  init: Omit<RequestInit, 'headers'> & { readonly headers?: { readonly [name: string]: string } } = {},
): Promise<Response> => {
  const token = world.tokens[as]
  const headers = { ...(token === null ? {} : { authorization: `Bearer ${token}` }), ...init.headers }
  return fetch(new URL(path, world.url), { ...init, headers })
}

type Row = {
  readonly id: string | number
  readonly data?: Links
  readonly title: string
  readonly width: number
  readonly duration: number | null
}
type Links = { readonly full_url: string; readonly asset_url: string; readonly thumbnails: readonly { url: string }[] }

const rowOf = async (response: Response): Promise<Row> => ((await response.json()) as { readonly data: Row }).data

const upload = async (path: string): Promise<Row> => {
  const body = new FormData()
  body.set('title', 'A sea')
  body.set('file', new Blob([new Uint8Array(await jpeg())], { type: 'image/jpeg' }), 'sea.jpg')
  return rowOf(await ask(path, 'admin', { method: 'POST', body }))
}

const pixelsOf = async (response: Response) => {
  const { format, width, height } = await sharp(Buffer.from(await response.arrayBuffer())).metadata()
  return [response.status, format, width, height]
}

test('an image that a legacy client uploads is a transformed asset of the current generation', async () => {
  const file = await upload('/_/files')
  expect(file.id).toEqual(expect.any(Number))
  const listed = await ask('/files?filter[title][_eq]=A sea&fields=id,title,width,type')
  const { data } = (await listed.json()) as { readonly data: readonly [Row] }
  expect(data).toMatchObject([{ title: 'A sea', width: 600, type: 'image/jpeg' }])
  const transformed = await ask(`/assets/${data[0].id}?width=90&height=90&format=webp`)
  expect(await pixelsOf(transformed)).toEqual([200, 'webp', 90, 90])
  expect(await pixelsOf(await ask(`/assets/${data[0].id}?width=60`))).toEqual([200, 'jpeg', 60, 40])
})

test('an image that a current client uploads has all legacy URLs', async () => {
  const { id } = await upload('/files')
  const listed = await ask('/_/files?filter[title]=A sea&single=1')
  const { data: links } = await rowOf(listed)
  if (links === undefined) throw new Error('Expected addresses')
  expect(await pixelsOf(await ask(links.full_url))).toEqual([200, 'jpeg', 600, 400])
  expect(await pixelsOf(await ask(links.asset_url))).toEqual([200, 'jpeg', 600, 400])
  expect(await pixelsOf(await ask(`/_/assets/${id}`))).toEqual([200, 'jpeg', 600, 400])
  const [crop, contain] = links.thumbnails
  expect(await pixelsOf(await ask(crop?.url ?? ''))).toEqual([200, 'jpeg', 64, 64])
  expect(await pixelsOf(await ask(contain?.url ?? ''))).toEqual([200, 'jpeg', 64, 43])
  const own = await ask(`${links.asset_url}?w=100&h=50&f=crop&q=30&format=png`)
  expect(await pixelsOf(own)).toEqual([200, 'png', 100, 50])
})

test('a related file has its URLs too', async () => {
  const file = await upload('/_/files')
  const { data } = (await (await ask('/users?filter[email][_eq]=admin@example.com&fields=id')).json()) as {
    readonly data: readonly [Row]
  }
  const { data: files } = (await (await ask('/files?filter[title][_eq]=A sea&fields=id')).json()) as typeof data & {
    readonly data: readonly [Row]
  }
  const body = JSON.stringify({ avatar: files[0].id })
  const headers = { 'content-type': 'application/json' }
  await ask(`/users/${data[0].id}`, 'admin', { method: 'PATCH', body, headers })
  const answer = await ask(`/_/files/${file.id}?fields=uploaded_by.avatar.*`)
  const row = (await answer.json()) as { data: { uploaded_by: { avatar: Row } } }
  expect(row.data.uploaded_by.avatar).toMatchObject({ id: file.id, data: { asset_url: file.data?.asset_url } })
})

test('the duration of a film is in milliseconds in one generation and in seconds in the other, and can be filtered', async () => {
  const send = async (path: string, contents: Buffer, name: string) => {
    const body = new FormData()
    body.set('file', new Blob([new Uint8Array(contents)]), name)
    return rowOf(await ask(path, 'admin', { method: 'POST', body }))
  }
  const film = { duration: 12_250, width: 640, height: 360, type: 'video/mp4' }
  expect(await send('/files', mp4Of(12.25, film), 'film.mp4')).toMatchObject(film)
  expect(await send('/_/files', opusOf(3), 'song.opus')).toMatchObject({ duration: 3, type: 'audio/ogg' })
  const found = await ask('/_/files?filter[duration]=12&fields=duration,title')
  expect(((await found.json()) as { data: unknown }).data).toEqual([{ duration: 12, title: 'Film' }])
  expect((await upload('/_/files')).duration).toBe(0)
  const written = await ask('/_/files?filter[duration][gt]=1&fields=id')
  const { id } = ((await written.json()) as { data: readonly [Row] }).data[0]
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify({ duration: 1 })
  expect((await ask(`/_/files/${id}`, 'admin', { method: 'PATCH', body, headers })).status).toBe(400)
})

/** Requests that delete the file: its id and its number, and the tag of its current representation. */
const deletions: { readonly [door: string]: (id: string, number: number, tag: string) => Promise<Response> } = {
  'DELETE /files/:id': (id) => ask(`/files/${id}`, 'admin', { method: 'DELETE' }),
  'DELETE /files/:id with If-Match': (id, _number, tag) =>
    ask(`/files/${id}`, 'admin', { method: 'DELETE', headers: { 'if-match': tag } }),
  'DELETE /files by keys': (id) => sendJson('/files', 'DELETE', [id]),
  'DELETE /files by query': () => sendJson('/files', 'DELETE', { query: { filter: { title: { _eq: 'A sea' } } } }),
  'GraphQL, one': (id) =>
    sendJson('/graphql/system', 'POST', { query: `mutation { delete_files_item(id: "${id}") { id } }` }),
  'GraphQL, several': (id) =>
    sendJson('/graphql/system', 'POST', { query: `mutation { delete_files_items(ids: ["${id}"]) { ids } }` }),
  'legacy DELETE /_/files/:id': (_id, number) => ask(`/_/files/${number}`, 'admin', { method: 'DELETE' }),
}

const sendJson = (path: string, method: string, body: object): Promise<Response> =>
  ask(path, 'admin', { method, body: JSON.stringify(body), headers: { 'content-type': 'application/json' } })

test('the object of a deleted file is deleted, for every way to delete it', async () => {
  for (const [door, remove] of Object.entries(deletions)) {
    const { id: number } = await upload('/_/files')
    const { data } = (await (await ask('/files?filter[title][_eq]=A sea&fields=id')).json()) as { data: readonly [Row] }
    const [{ id }] = data
    const tag = (await ask(`/files/${id}`)).headers.get('etag') ?? ''
    const stored = () => readdirSync(join(world.folder, 'uploads')).filter((name) => name.startsWith(String(id)))
    expect([door, stored()]).toMatchObject([door, [expect.any(String)]])
    expect([door, (await remove(String(id), Number(number), tag)).ok]).toEqual([door, true])
    expect([door, stored()]).toEqual([door, []])
  }
})

const noise = randomBytes(200_001)
const sumOf = (bytes: Uint8Array): string => createHash('md5').update(bytes).digest('hex')

/** The checksums of all files, as the legacy generation shows them. */
const sums = async (): Promise<readonly unknown[]> => {
  const { data } = (await (await ask('/_/files?fields=checksum&sort=id')).json()) as {
    readonly data: readonly { readonly checksum: string | null }[]
  }
  return data.map(({ checksum }) => checksum)
}

const sendNoise = (path: string, bytes: Uint8Array<ArrayBuffer>, method = 'POST'): Promise<Response> => {
  const body = new FormData()
  body.set('file', new Blob([bytes]), 'noise.bin')
  return ask(path, 'admin', { method, body })
}

/** Uploads in pieces of that size, with one request each. */
const resume = async (size: number): Promise<void> => {
  const headers = { 'tus-resumable': '1.0.0' }
  const metadata = `filename_download ${btoa('noise.bin')}`
  const said = { ...headers, 'upload-length': String(noise.length), 'upload-metadata': metadata }
  const made = await ask('/files/tus', 'admin', { method: 'POST', headers: said })
  const address = made.headers.get('location') as string
  for (let at = 0; at < noise.length; at += size) {
    const type = { 'content-type': 'application/offset+octet-stream', 'upload-offset': String(at) }
    const body = new Uint8Array(noise.subarray(at, at + size))
    const { status } = await ask(address, 'admin', { method: 'PATCH', headers: { ...headers, ...type }, body })
    expect(status).toBe(204)
  }
}

describe('checksums of uploads through the current generation', () => {
  test('are computed if configured, for every kind of upload', async () => {
    await enter('checksums')
    const before = await sums()
    const other = new Uint8Array(noise.subarray(7))
    const { id } = await rowOf(await sendNoise('/files', other))
    await resume(noise.length)
    await resume(90_000)
    await sendNoise('/files', new Uint8Array())
    const whole = sumOf(noise)
    expect((await sums()).slice(before.length)).toEqual([sumOf(other), whole, whole, sumOf(Buffer.alloc(0))])
    await sendNoise(`/files/${id}`, new Uint8Array(noise), 'PATCH')
    expect((await sums()).at(before.length)).toBe(whole)
  })

  test('are absent otherwise, also after contents are replaced', async () => {
    const before = await sums()
    await resume(noise.length)
    await upload('/_/files')
    expect((await sums()).slice(before.length)).toEqual([null, sumOf(await jpeg())])
    const listed = await ask('/files?filter[title][_eq]=A sea&fields=id')
    const [file] = ((await listed.json()) as { readonly data: readonly [Row] }).data
    await sendNoise(`/files/${file.id}`, new Uint8Array(noise), 'PATCH')
    expect((await sums()).slice(before.length)).toEqual([null, null])
  })
})

describe('private hashes', () => {
  test('do not give access by default', async () => {
    const { data } = await upload('/_/files')
    const refused = await ask(data?.asset_url ?? '', 'public')
    expect([refused.status, await refused.json()]).toEqual([
      401,
      { error: { code: 3, message: 'Unauthorized request' } },
    ])
    expect((await ask(data?.asset_url ?? '', 'nobody')).status).toBe(403)
    const read = await ask(data?.asset_url ?? '', 'editor')
    expect([read.status, read.headers.get('cache-control')]).toEqual([200, expect.stringMatching(/^private/)])
  })

  test('give access to their file if configured; ids and storage names do not', async () => {
    await enter('openHashes')
    const { data } = await upload('/_/files')
    const open = await ask(`${data?.asset_url}?key=platform-small-crop`, 'public')
    expect(open.headers.get('cache-control')).toMatch(/^public/)
    expect(await pixelsOf(open)).toEqual([200, 'jpeg', 64, 64])
    expect((await ask(data?.full_url ?? '', 'public')).status).toBe(401)
    expect((await ask('/_/assets/00000000-0000-4000-8000-0000000000f5', 'public')).status).toBe(401)
    expect((await ask('/_/assets/nothing', 'public')).status).toBe(401)
  })

  test('give access to their file, but not to inputs of a preset', async () => {
    await enter('openHashes')
    const { data } = await upload('/_/files')
    const [{ id }] = ((await (await ask('/files?filter[title][_eq]=A sea&fields=id')).json()) as { data: [Row] }).data
    const preset = { key: 'laid', width: 600, height: 400, transforms: [['composite', [{ input: id, blend: 'add' }]]] }
    const body = JSON.stringify({ storage_asset_presets: [preset] })
    const headers = { 'content-type': 'application/json' }
    expect((await ask('/settings', 'admin', { method: 'PATCH', body, headers })).status).toBe(200)
    const shown = await ask(`${data?.asset_url}?key=laid`)
    expect(shown.status).toBe(200)
    const { dominant } = await sharp(Buffer.from(await shown.arrayBuffer())).stats()
    expect([dominant.r, dominant.g, dominant.b].map((value) => value > 95)).toEqual([true, true, true])
    expect((await ask(`${data?.asset_url}?key=laid`, 'public')).status).toBe(404)
    expect((await ask(`${data?.asset_url}?key=platform-small-crop`, 'public')).status).toBe(200)
  })
})

test('names of files give access to them if configured; ids and hashes do not', async () => {
  await enter('openNames')
  const file = await upload('/_/files')
  const original = await ask(file.data?.full_url ?? '', 'public')
  expect([original.status, original.headers.get('cache-control')]).toEqual([200, expect.stringMatching(/^public/)])
  expect(await ask(file.data?.full_url ?? '', 'public', { headers: { range: 'bytes=0-1' } })).toMatchObject({
    status: 206,
  })
  expect((await ask('/uploads/_/originals/other.jpg', 'public')).status).toBe(404)
  expect((await ask(file.data?.asset_url ?? '', 'public')).status).toBe(401)
  expect((await ask('/_/files', 'public')).status).toBe(401)
  const [{ id }] = ((await (await ask('/files?filter[title][_eq]=A sea&fields=id')).json()) as { data: [Row] }).data
  expect((await ask(`/assets/${id}`, 'public')).status).toBe(403)
  const body = JSON.stringify({ asset_url_naming: 'filename_download' })
  const headers = { 'content-type': 'application/json' }
  expect((await ask('/settings', 'admin', { method: 'PATCH', body, headers })).status).toBe(200)
  expect(await pixelsOf(await ask('/_/assets/sea.jpg?key=platform-small-crop', 'public'))).toEqual([
    200,
    'jpeg',
    64,
    64,
  ])
  expect((await ask(`/_/assets/${id}`, 'public')).status).toBe(401)
})

test('a project that allows only presets refuses other sizes', async () => {
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify({ storage_asset_transform: 'presets' })
  expect((await ask('/settings', 'admin', { method: 'PATCH', body, headers })).status).toBe(200)
  const { data } = await upload('/_/files')
  const statusOf = async (query: string): Promise<number> => (await ask(`${data?.asset_url}?${query}`)).status
  expect(await statusOf('w=64&h=64&f=crop&q=80')).toBe(200)
  expect(await statusOf('key=thumbnail')).toBe(200)
  expect(await statusOf('w=8&h=8&f=crop&q=60')).toBe(200)
  expect(await statusOf('w=9&h=8&f=crop&q=60')).toBe(422)
})

/** A form that names a field of no file. */
function looseForm(): FormData {
  const form = new FormData()
  form.append('title', 'Kept')
  form.append('source', 'a camera')
  form.append('file', new Blob(['x']), 'x.txt')
  return form
}

const told = async (path: string, as: UserKind, init: NonNullable<Parameters<typeof ask>[2]>) => {
  const { status, headers } = await ask(path, as, init)
  return [status, headers.get('ignored-fields')]
}

test('what an administrator says of a file and no field is for is ignored and told', async () => {
  const created = await ask('/files', 'admin', { method: 'POST', body: looseForm() })
  expect([created.status, created.headers.get('ignored-fields')]).toEqual([200, 'source'])
  const { id, title } = await rowOf(created)
  expect(title).toBe('Kept')
  expect(await told(`/files/${id}`, 'admin', { method: 'PATCH', body: looseForm() })).toEqual([200, 'source'])
  const metadata = `filename_download ${btoa('x.txt')},source ${btoa('a camera')}`
  const headers = { 'tus-resumable': '1.0.0', 'upload-length': '1', 'upload-metadata': metadata }
  expect(await told('/files/tus', 'admin', { method: 'POST', headers })).toEqual([201, 'source'])
  expect(await told('/files', 'editor', { method: 'POST', body: looseForm() })).toEqual([403, null])
})
