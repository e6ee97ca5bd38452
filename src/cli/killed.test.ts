/** Kills the server while it replaces and deletes contents: afterwards everything is consistent, in every storage. */
import { readdirSync, utimesSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Storage } from '../domain/ports/storage.ts'
import { createLocalStorage } from '../storage/local.ts'
import { createS3Storage } from '../storage/s3.ts'
import { openTestBucket } from '../storage/test-bucket.ts'
import { listAll } from '../storage/test-storage.ts'
import { adminToken, createPlace, type Place, type Settings, startServer } from './test-program.ts'

type Store = {
  readonly settings: Settings
  readonly storage: Storage
  readonly directory: string
  readonly close: () => Promise<void>
}

const openFolder = async (place: Place): Promise<Store> => {
  const directory = join(place.settings['DATA_DIR'] as string, 'uploads')
  return { settings: {}, storage: createLocalStorage(directory), directory, close: async () => {} }
}

const openBucket = async (): Promise<Store> => {
  const { options, directory, close } = await openTestBucket()
  const storage = createS3Storage(options)
  return {
    settings: {
      STORAGE_LOCAL_DRIVER: 's3',
      STORAGE_LOCAL_KEY: options.key ?? '',
      STORAGE_LOCAL_SECRET: options.secret ?? '',
      STORAGE_LOCAL_BUCKET: options.bucket,
      STORAGE_LOCAL_REGION: options.region,
      STORAGE_LOCAL_ENDPOINT: options.endpoint ?? '',
      STORAGE_LOCAL_FORCE_PATH_STYLE: 'true',
      STORAGE_LOCAL_ROOT: options.root,
    },
    storage,
    directory,
    async close() {
      storage.close()
      await close()
    },
  }
}

/** An image 100 wide whose height identifies its version, with extra bytes at the end. */
const picture = async (version: number, padding: number): Promise<Buffer> => {
  const image = sharp({ create: { width: 100, height: version, channels: 3, background: 'red' } })
  return Buffer.concat([await image.png().toBuffer(), Buffer.alloc(padding)])
}

const formOf = (bytes: Buffer): FormData => {
  const form = new FormData()
  form.set('file', new File([new Uint8Array(bytes)], 'a.png'))
  return form
}

const headers = { authorization: `Bearer ${adminToken}` }

type Row = {
  readonly id: string
  readonly filename_disk: string
  readonly filesize: string
  readonly height: number | null
}

const create = async (url: string, bytes: Buffer): Promise<string> => {
  const response = await fetch(`${url}/files`, { method: 'POST', headers, body: formOf(bytes) })
  return ((await response.json()) as { data: { id: string } }).data.id
}

/** The height of the contents and of their thumbnail. */
const heightsOf = async (url: string, row: Row): Promise<readonly (number | undefined)[]> => {
  const whole = await fetch(`${url}/assets/${row.id}`, { headers })
  const bytes = Buffer.from(await whole.arrayBuffer())
  expect(bytes.length).toBe(Number(row.filesize))
  const small = await fetch(`${url}/assets/${row.id}?width=50&format=webp`, { headers })
  const made = await sharp(await small.arrayBuffer()).metadata()
  return [(await sharp(bytes).metadata()).height, made.height === undefined ? undefined : made.height * 2]
}

describe.each([
  ['a folder', openFolder],
  ['a bucket', openBucket],
] as const)('in %s', (_kind, open) => {
  let place: Place
  let store: Store
  let settings: Settings

  beforeAll(async () => {
    place = await createPlace({ isMigrated: true })
    store = await open(place)
    settings = {
      ...place.settings,
      ...store.settings,
      ADMIN_TOKEN: adminToken,
      LOG_LEVEL: 'error',
      TUS_ENABLED: 'true',
      TUS_CHUNK_SIZE: '256kb',
    }
  })
  afterAll(async () => {
    await store.close()
    await place.remove()
  })

  /** Ages everything by a day, so that leftovers are old enough to be removed. */
  const ageEverything = async (): Promise<void> => {
    await place.onDatabase((db) =>
      db.run({ text: `update platform_stored_objects set since = since - interval '1 day'`, values: [] }),
    )
    const yesterday = Date.now() / 1000 - 86_400
    for (const entry of readdirSync(store.directory, { recursive: true, withFileTypes: true })) {
      if (entry.isFile()) utimesSync(join(entry.parentPath, entry.name), yesterday, yesterday)
    }
  }

  /** The rows of files, and the number of objects in the journal. */
  const rowsNow = (): Promise<{ readonly rows: readonly Row[]; readonly left: number }> =>
    place.onDatabase(async (db) => {
      const text = 'select id, filename_disk, filesize, height from platform_files'
      const rows = (await db.run({ text, values: [] })).rows as readonly Row[]
      return { rows, left: (await db.run({ text: 'select 1 from platform_stored_objects', values: [] })).count }
    })

  /** Restarts the server, which cleans up, sends requests, and stops it. */
  const afterwards = async (look: (url: string) => Promise<void>): Promise<readonly Row[]> => {
    await ageEverything()
    const server = await startServer(settings)
    await look(server.url)
    await server.stop()
    const { rows, left } = await rowsNow()
    expect(left).toBe(0)
    const files = readdirSync(store.directory, { recursive: true }).map(String)
    expect(files.filter((name) => name.includes('.unfinished-'))).toEqual([])
    const bases = rows.map((row) => row.filename_disk.replace(/[.][^.]*$/, ''))
    const keys = (await listAll(store.storage, '')).map(({ key }) => key)
    expect(keys.filter((key) => !bases.some((base) => key.startsWith(base)))).toEqual([])
    expect(keys.filter((key) => !key.includes('__')).toSorted()).toEqual(
      rows.map((row) => row.filename_disk).toSorted(),
    )
    return rows
  }

  test('interrupted replacements leave the old or the new contents', async () => {
    const acknowledged = new Map<string, number>()
    let version = 10
    for (const padding of [0, 9_000_000]) {
      const server = await startServer(settings)
      if (acknowledged.size === 0) {
        for (let count = 0; count < 3; count += 1) acknowledged.set(await create(server.url, await picture(10, 0)), 10)
      }
      const enough = Promise.withResolvers<void>()
      let answers = 0
      const replaceUntilGone = async (id: string): Promise<void> => {
        for (;;) {
          const height = (version += 2)
          try {
            await fetch(`${server.url}/assets/${id}?width=50&format=webp`, { headers })
            const body = formOf(await picture(height, padding))
            const response = await fetch(`${server.url}/files/${id}`, { method: 'PATCH', headers, body })
            await response.json()
            acknowledged.set(id, height)
            answers += 1
            if (answers === 4) enough.resolve()
          } catch {
            return
          }
        }
      }
      const work = [...acknowledged.keys()].map(replaceUntilGone)
      await enough.promise
      await new Promise((resolve) => setTimeout(resolve, padding / 100_000))
      await server.stop('SIGKILL')
      await Promise.all(work)
      const rows = await afterwards(async (url) => {
        for (const row of await readAll(url)) expect(await heightsOf(url, row)).toEqual([row.height, row.height])
      })
      expect(rows).toHaveLength(3)
      for (const { id, height } of rows) expect(height, id).toBeGreaterThanOrEqual(acknowledged.get(id) ?? 0)
    }
  }, 300_000)

  test('interrupted deletions leave a file complete or remove it with its variants', async () => {
    const server = await startServer(settings)
    const bytes = await picture(20, 1000)
    const ids: string[] = []
    for (let count = 0; count < 12; count += 1) ids.push(await create(server.url, bytes))
    for (const id of ids) await (await fetch(`${server.url}/assets/${id}?width=50`, { headers })).arrayBuffer()
    const gone: string[] = []
    const enough = Promise.withResolvers<void>()
    const work = ids.map(async (id) => {
      const response = await fetch(`${server.url}/files/${id}`, { method: 'DELETE', headers }).catch(() => null)
      if (response?.status !== 204) return
      gone.push(id)
      if (gone.length === 2) enough.resolve()
    })
    await enough.promise
    await server.stop('SIGKILL')
    await Promise.all(work)
    const rows = await afterwards(async (url) => {
      for (const row of await readAll(url)) expect(await heightsOf(url, row)).toEqual([row.height, row.height])
    })
    expect(rows.filter(({ id }) => gone.includes(id))).toEqual([])
  }, 120_000)

  test('a resumable upload continues after the server was killed', async () => {
    const bytes = await picture(40, 3_000_000)
    const more = { ...headers, 'tus-resumable': '1.0.0' }
    const first = await startServer(settings)
    const metadata = `filename_download ${btoa('a.png')}`
    const begin = { ...more, 'upload-length': String(bytes.length), 'upload-metadata': metadata }
    const made = await fetch(`${first.url}/files/tus`, { method: 'POST', headers: begin })
    const [path = ''] = /\/files\/tus\/.*$/.exec(made.headers.get('location') ?? '') ?? []
    const offsetOf = async (url: string): Promise<number> => {
      const head = await fetch(`${url}${path}`, { method: 'HEAD', headers: more })
      return Number(head.headers.get('upload-offset'))
    }
    const send = (url: string, offset: number, body: ReadableStream | Uint8Array<ArrayBuffer>): Promise<Response> => {
      const type = { 'content-type': 'application/offset+octet-stream', 'upload-offset': String(offset) }
      return fetch(`${url}${path}`, { method: 'PATCH', headers: { ...more, ...type }, body, duplex: 'half' } as never)
    }
    // Two megabytes, then silence.
    const slow = new ReadableStream({ start: (to) => to.enqueue(new Uint8Array(bytes.subarray(0, 2_000_000))) })
    const sent = send(first.url, 0, slow).catch(() => null)
    while ((await offsetOf(first.url)) < 1_000_000) await new Promise((resolve) => setTimeout(resolve, 20))
    await first.stop('SIGKILL')
    await sent
    const second = await startServer(settings)
    const offset = await offsetOf(second.url)
    expect(offset).toBeGreaterThanOrEqual(1_000_000)
    const rest = new Uint8Array(bytes.subarray(offset))
    const done = await send(second.url, offset, rest)
    expect(done.status).toBe(204)
    const id = done.headers.get('platform-file-id')
    const asset = await fetch(`${second.url}/assets/${id}`, { headers })
    expect(Buffer.from(await asset.arrayBuffer()).equals(bytes)).toBe(true)
    await second.stop()
    const rows = await afterwards(async () => {})
    expect(rows.filter((row) => row.id === id)).toMatchObject([{ filesize: String(bytes.length), height: 40 }])
  }, 120_000)

  test('an upload aborted at any point leaves nothing', async () => {
    const server = await startServer(settings)
    const before = (await readAll(server.url)).length
    const kept = (await listAll(store.storage, '')).length
    const request = new Request(server.url, { method: 'POST', body: formOf(await picture(30, 200_000)) })
    const type = request.headers.get('content-type') ?? ''
    const body = Buffer.from(await request.arrayBuffer())
    const start = body.indexOf('\r\n\r\n') + 4
    for (const end of [0, 10, start - 2, start, start + 1, start + 5000, body.length - 60, body.length - 1]) {
      await sendPart(server.url, { type, body, end })
    }
    const nothing = async (): Promise<boolean> =>
      (await readAll(server.url)).length === before && (await listAll(store.storage, '')).length === kept
    while (!(await nothing())) await new Promise((resolve) => setTimeout(resolve, 50))
    expect(await create(server.url, await picture(30, 0))).toMatch(/^[0-9a-f-]{36}$/)
    await server.stop()
    const left = await place.onDatabase((db) => db.run({ text: 'select 1 from platform_stored_objects', values: [] }))
    expect(left.count).toBe(0)
  }, 120_000)
})

const readAll = async (url: string): Promise<readonly Row[]> => {
  const response = await fetch(`${url}/files?limit=-1`, { headers })
  return ((await response.json()) as { readonly data: readonly Row[] }).data
}

type Cut = { readonly type: string; readonly body: Buffer; readonly end: number }

/** Sends the beginning of the body and disconnects. */
async function sendPart(url: string, { type, body, end }: Cut): Promise<void> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => {})
  const head = [
    'POST /files HTTP/1.1',
    'Host: x',
    `Authorization: ${headers.authorization}`,
    `Content-Type: ${type}`,
    `Content-Length: ${body.length}`,
  ]
  socket.write(`${head.join('\r\n')}\r\n\r\n`)
  await new Promise<void>((resolve) => {
    socket.write(body.subarray(0, end), () => resolve())
  })
  await new Promise((resolve) => setTimeout(resolve, 100))
  socket.destroy()
}
