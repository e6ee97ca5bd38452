/** Kills the server while it receives, replaces and deletes contents: afterwards all is consistent, in every storage. */
import { readdirSync, utimesSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listAll } from '../storage/test-storage.ts'
import {
  adminToken,
  createDatabase,
  type OpenServer,
  openServer,
  type ProgramDatabase,
  type Settings,
  startServer,
} from './test-program.ts'
import { openBucket, openFolder, type Store } from './test-stores.ts'
import { beginUpload } from './test-upload.ts'

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
  let database: ProgramDatabase
  let store: Store
  let settings: Settings
  /** The program after the kill, in this process. */
  let next: OpenServer

  beforeAll(async () => {
    database = await createDatabase({ isMigrated: true })
    store = await open(database)
    settings = {
      ...database.settings,
      ...store.settings,
      ADMIN_TOKEN: adminToken,
      LOG_LEVEL: 'error',
      TUS_ENABLED: 'true',
      TUS_CHUNK_SIZE: '256kb',
    }
  })
  afterAll(async () => {
    await store.close()
    await database.remove()
  })

  /** Ages everything by a day, so that leftovers are old enough to be removed. */
  const ageEverything = async (): Promise<void> => {
    await database.onDatabase((db) =>
      db.run({ text: `update platform_stored_objects set since = since - interval '1 day'`, values: [] }),
    )
    const yesterday = Date.now() / 1000 - 86_400
    for (const entry of readdirSync(store.directory, { recursive: true, withFileTypes: true })) {
      if (entry.isFile()) utimesSync(join(entry.parentPath, entry.name), yesterday, yesterday)
    }
  }

  /** The rows of files, and the number of objects in the journal. */
  const rowsNow = (): Promise<{ readonly rows: readonly Row[]; readonly left: number }> =>
    database.onDatabase(async (db) => {
      const text = 'select id, filename_disk, filesize, height from platform_files'
      const rows = (await db.run({ text, values: [] })).rows as readonly Row[]
      return { rows, left: (await db.run({ text: 'select 1 from platform_stored_objects', values: [] })).count }
    })

  test('a kill amid replacements, deletions and an upload leaves old or new contents, and the upload continues', async () => {
    const first = await startServer(settings)
    const upload = await beginUpload(first.url, await picture(40, 3_000_000), headers)
    const doomed = await createEach(first.url, 6, await picture(20, 1000))
    for (const id of doomed) await thumbnailOf(first.url, id)
    const acknowledged = new Map((await createEach(first.url, 3, await picture(10, 0))).map((id) => [id, 10]))
    const gone = new Set<string>()
    const replaced = countTo(4)
    const deleted = countTo(2)
    let version = 10
    const replaceUntilGone = async (id: string, padding: number): Promise<void> => {
      for (;;) {
        const height = (version += 2)
        try {
          await thumbnailOf(first.url, id)
          const body = formOf(await picture(height, padding))
          const response = await fetch(`${first.url}/files/${id}`, { method: 'PATCH', headers, body })
          await response.json()
          acknowledged.set(id, height)
          replaced.add()
        } catch {
          return
        }
      }
    }
    const remove = async (id: string): Promise<void> => {
      const response = await fetch(`${first.url}/files/${id}`, { method: 'DELETE', headers }).catch(() => null)
      if (response?.status !== 204) return
      gone.add(id)
      deleted.add()
    }
    // A body of 9 MB is cut while it is sent, a small one between the steps that follow.
    const replacements = [...acknowledged.keys()].map((id, at) => replaceUntilGone(id, at === 0 ? 9_000_000 : 0))
    await replaced.reached
    const deletions = doomed.map(remove)
    await deleted.reached
    await first.stop('SIGKILL')
    await Promise.all([...replacements, ...deletions, upload.sent])

    next = await openServer(settings)
    const rows = await readAll(next.url)
    for (const row of rows) expect(await heightsOf(next.url, row)).toEqual([row.height, row.height])
    const heights = new Map(rows.map(({ id, height }) => [id, height]))
    for (const [id, height] of acknowledged) expect(heights.get(id), id).toBeGreaterThanOrEqual(height)
    expect(rows.filter(({ id }) => gone.has(id))).toEqual([])
    await upload.finish(next.url)
  }, 120_000)

  test('an upload aborted at any point leaves nothing', async () => {
    const before = (await readAll(next.url)).length
    const objects = await objectsNow()
    const request = new Request(next.url, { method: 'POST', body: formOf(await picture(30, 200_000)) })
    const type = request.headers.get('content-type') ?? ''
    const body = Buffer.from(await request.arrayBuffer())
    const start = body.indexOf('\r\n\r\n') + 4
    for (const end of [0, 10, start - 2, start, start + 1, start + 5000, body.length - 60, body.length - 1]) {
      await sendPart(next.url, { type, body, end })
    }
    const nothing = async (): Promise<boolean> =>
      (await readAll(next.url)).length === before && (await objectsNow()) === objects
    while (!(await nothing())) await new Promise((resolve) => setTimeout(resolve, 50))
    expect(await create(next.url, await picture(30, 0))).toMatch(/^[0-9a-f-]{36}$/)
  }, 120_000)

  test('the next start removes what the kill left, and each file has its object', async () => {
    await next.close()
    await ageEverything()
    await (await openServer(settings)).close()
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
  }, 120_000)

  /** The number of original contents: variants may still be made. */
  const objectsNow = async (): Promise<number> =>
    (await listAll(store.storage, '')).filter(({ key }) => !key.includes('__')).length
})

/** Resolves `reached` at the given number of calls. */
function countTo(enough: number): { readonly add: () => void; readonly reached: Promise<void> } {
  const { promise, resolve } = Promise.withResolvers<void>()
  let count = 0
  const add = (): void => {
    count += 1
    if (count === enough) resolve()
  }
  return { add, reached: promise }
}

async function createEach(url: string, count: number, bytes: Buffer): Promise<readonly string[]> {
  const ids: string[] = []
  while (ids.length < count) ids.push(await create(url, bytes))
  return ids
}

const thumbnailOf = async (url: string, id: string): Promise<ArrayBuffer> =>
  (await fetch(`${url}/assets/${id}?width=50&format=webp`, { headers })).arrayBuffer()

const readAll = async (url: string): Promise<readonly Row[]> => {
  const response = await fetch(`${url}/files?limit=-1`, { headers })
  return ((await response.json()) as { readonly data: readonly Row[] }).data
}

type Cut = { readonly type: string; readonly body: Buffer; readonly end: number }

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
