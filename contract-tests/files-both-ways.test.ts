/** One store, two generations: what a client of one uploads, a client of the other gets, transformed. */
import sharp from 'sharp'
import { afterEach, describe, expect, test } from 'vitest'
import { mp4Of, opusOf } from '../src/metadata/test-media.ts'
import { openWorld, type UserKind, type World } from './world.ts'

let world: World
afterEach(() => world.close())

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
  world = await openWorld()
  const file = await upload('/_/files')
  expect(file.id).toEqual(expect.any(Number))
  const listed = await ask('/files?filter[title][_eq]=A sea&fields=id,title,width,type')
  const { data } = (await listed.json()) as { readonly data: readonly [Row] }
  expect(data).toMatchObject([{ title: 'A sea', width: 600, type: 'image/jpeg' }])
  const transformed = await ask(`/assets/${data[0].id}?width=90&height=90&format=webp`)
  expect(await pixelsOf(transformed)).toEqual([200, 'webp', 90, 90])
  expect(await pixelsOf(await ask(`/assets/${data[0].id}?width=60`))).toEqual([200, 'jpeg', 60, 40])
})

test('an image that a current client uploads has all addresses of the legacy generation', async () => {
  world = await openWorld()
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

test('a file within another row has its addresses too', async () => {
  world = await openWorld()
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

test('a film plays for milliseconds in one generation and for whole seconds in the other, by which it is found', async () => {
  world = await openWorld()
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

describe('private hashes', () => {
  test('open nothing by themselves', async () => {
    world = await openWorld()
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

  test('open their file where the server is set to that, which ids and names on disk do not', async () => {
    world = await openWorld({ ASSETS_PRIVATE_HASH: 'open' })
    const { data } = await upload('/_/files')
    const open = await ask(`${data?.asset_url}?key=platform-small-crop`, 'public')
    expect(open.headers.get('cache-control')).toMatch(/^public/)
    expect(await pixelsOf(open)).toEqual([200, 'jpeg', 64, 64])
    expect((await ask(data?.full_url ?? '', 'public')).status).toBe(401)
    expect((await ask('/_/assets/00000000-0000-4000-8000-0000000000f5', 'public')).status).toBe(401)
    expect((await ask('/_/assets/nothing', 'public')).status).toBe(401)
  })
})

test('where the project allows presets alone, sizes have to be those of one', async () => {
  world = await openWorld()
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
