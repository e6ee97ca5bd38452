/** Resumable uploads with the official tus client. */
import { createHash, randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createServer, type Server, Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { Upload, type UploadOptions } from 'tus-js-client'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { type App, createApp } from '../src/app.ts'
import { loadConfig } from '../src/config/config.ts'
import { createTestDatabase, silentLog } from '../src/sql/testing/test-database.ts'
import { hashToken } from '../src/tokens/opaque.ts'

const secret = 'a-secret-that-only-these-tests-know'
const segment = 65_536
const contents = randomBytes(10 * segment + 17)

const folder = mkdtempSync(join(tmpdir(), 'tandem-uploads-'))
const settings = {
  HOST: '127.0.0.1',
  PORT: '0',
  SECRET: secret,
  ADMIN_EMAIL: 'first@example.com',
  ADMIN_PASSWORD: 'correct-horse-42',
  DATA_DIR: folder,
  PRESSURE_LIMITER_ENABLED: 'false',
  TUS_ENABLED: 'true',
  TUS_CHUNK_SIZE: String(segment),
}
let app: App
let url: string

const start = async (): Promise<void> => {
  const db = { ...database.db, close: async () => {} }
  app = await createApp(loadConfig(settings, folder), { log: silentLog, db })
  url = (await app.listen()).replace(/\/$/, '')
}

/** Two administrators with different tokens. */
const peopleSql = ['anna', 'berta'].map(
  (
    name,
  ) => `insert into platform_users (id, email, token, role, status) select gen_random_uuid(), '${name}@example.com',
    '${hashToken(name, secret)}', role, 'active' from platform_users where email = 'first@example.com'`,
)

const database = await createTestDatabase({})
await start()
for (const text of peopleSql) await database.db.run({ text, values: [] })
afterEach(async () => {
  for (const table of ['files', 'uploads']) await database.db.run({ text: `delete from platform_${table}`, values: [] })
})
afterAll(async () => {
  await app.close()
  await database.close()
  rmSync(folder, { recursive: true })
})

const asked = (token = 'anna') => ({ authorization: `Bearer ${token}` })

/** Runs the upload to its end. */
const send = (options: UploadOptions, bytes: Buffer | Readable = contents): Promise<Upload> =>
  new Promise((resolve, reject) => {
    const upload: Upload = new Upload(bytes as never, {
      endpoint: `${url}/files/tus`,
      headers: asked(),
      metadata: { filename_download: 'noise.bin', title: 'Noise', type: 'application/x-noise' },
      retryDelays: [0, 50, 100, 200],
      ...options,
      onSuccess: () => resolve(upload),
      onError: reject,
    })
    upload.start()
  })

type FileFacts = { readonly id: string; readonly filesize: string; readonly title: string; readonly type: string }

const filesNow = async (): Promise<readonly FileFacts[]> => {
  const response = await fetch(`${url}/files`, { headers: asked() })
  return ((await response.json()) as { data: readonly FileFacts[] }).data
}

/** Checks the contents of the only file, and that nothing remains of the upload. */
const expectFile = async (facts: object = {}, bytes: Buffer = contents): Promise<void> => {
  const files = await filesNow()
  expect(files).toMatchObject([
    { title: 'Noise', type: 'application/x-noise', filesize: String(bytes.length), ...facts },
  ])
  const asset = await fetch(`${url}/assets/${files[0]?.id}`, { headers: asked() })
  expect(Buffer.from(await asset.arrayBuffer()).equals(bytes)).toBe(true)
  expect(readdirSync(join(folder, 'uploads'))).toHaveLength(1)
}

const offsetOf = async (address: string, token = 'anna'): Promise<readonly [number, string | null]> => {
  const headers = { ...asked(token), 'tus-resumable': '1.0.0' }
  const response = await fetch(address, { method: 'HEAD', headers })
  return [response.status, response.headers.get('upload-offset')]
}

const untilReceived = async (bytes: number): Promise<void> => {
  for (;;) {
    const text = 'select 1 from platform_uploads where received >= $1'
    if ((await database.db.run({ text, values: [bytes] })).count > 0) return
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

/** A proxy that cuts the connection once after a number of bytes. */
const openProxy = async (cutAfter: number): Promise<{ readonly url: string; readonly server: Server }> => {
  let left: number | null = cutAfter
  const server = createServer((client) => {
    const upstream = new Socket().connect(Number(new URL(url).port), '127.0.0.1')
    const end = (): void => [client, upstream].forEach((socket) => socket.destroy())
    for (const socket of [client, upstream]) socket.on('error', end).on('close', end)
    client.on('data', (chunk: Buffer) => {
      upstream.write(chunk)
      if (left === null) return
      left -= chunk.length
      if (left > 0) return
      left = null
      client.pause()
      void untilReceived(5 * segment).then(end)
    })
    upstream.pipe(client)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(server.address() as { port: number }).port}`, server }
}

/** Creates an upload and sends only its beginning. */
const begin = async (bytes: number): Promise<string> => {
  const headers = { ...asked(), 'tus-resumable': '1.0.0' }
  const made = await fetch(`${url}/files/tus`, {
    method: 'POST',
    headers: {
      ...headers,
      'upload-length': String(contents.length),
      'upload-metadata': `filename_download ${btoa('noise.bin')},title ${btoa('Noise')},type ${btoa('application/x-noise')}`,
    },
  })
  expect(made.status).toBe(201)
  const address = made.headers.get('location') as string
  const type = { 'content-type': 'application/offset+octet-stream', 'upload-offset': '0' }
  const body = contents.subarray(0, bytes)
  expect((await fetch(address, { method: 'PATCH', headers: { ...headers, ...type }, body })).status).toBe(204)
  return address
}

test.each([
  ['at once', {}],
  ['in pieces', { chunkSize: 100_000 }],
  ['with its first bytes in the request that begins it', { uploadDataDuringCreation: true }],
  ['with its first piece in the request that begins it', { uploadDataDuringCreation: true, chunkSize: 100_000 }],
])('a file %s', async (_, options) => {
  let file: string | undefined
  await send({
    ...options,
    onAfterResponse: (_request, response) => void (file ??= response.getHeader('platform-file-id')),
  })
  await expectFile({ id: file })
})

test('an empty file', async () => {
  await send({}, Buffer.alloc(0))
  await expectFile({}, Buffer.alloc(0))
})

test('is resumed after a broken connection', async () => {
  const proxy = await openProxy(6 * segment)
  const offsets: number[] = []
  await send({
    endpoint: `${proxy.url}/files/tus`,
    onBeforeRequest: (request) => {
      const offset = request.getHeader('Upload-Offset')
      if (request.getMethod() === 'PATCH' && offset !== undefined) offsets.push(Number(offset))
    },
  })
  proxy.server.close()
  await expectFile()
  expect(offsets[0]).toBe(0)
  expect(offsets.at(-1)).toBeGreaterThanOrEqual(5 * segment)
})

test('is resumed after a restart of the server', async () => {
  const address = await begin(3 * segment + 5)
  await app.close()
  await start()
  const now = address.replace(/^http:\/\/[^/]+/, url)
  expect(await offsetOf(now)).toEqual([200, String(3 * segment + 5)])
  const offsets: string[] = []
  await send({
    uploadUrl: now,
    onBeforeRequest: (request) => void offsets.push(`${request.getMethod()} ${request.getHeader('Upload-Offset')}`),
  })
  expect(offsets).toEqual(['HEAD undefined', `PATCH ${3 * segment + 5}`])
  await expectFile()
})

/** A client that does not know the length in advance. */
const patch = (address: string, offset: number, bytes: Buffer, more = {}): Promise<Response> =>
  fetch(address, {
    method: 'PATCH',
    headers: {
      ...asked(),
      'tus-resumable': '1.0.0',
      'content-type': 'application/offset+octet-stream',
      'upload-offset': String(offset),
      ...more,
    },
    body: new Uint8Array(bytes),
  })

const beginOpen = async (): Promise<string> => {
  const metadata = `filename_download ${btoa('noise.bin')},title ${btoa('Noise')},type ${btoa('application/x-noise')}`
  const headers = { ...asked(), 'tus-resumable': '1.0.0', 'upload-metadata': metadata, 'upload-defer-length': '1' }
  const made = await fetch(`${url}/files/tus`, { method: 'POST', headers })
  expect(made.status).toBe(201)
  return made.headers.get('location') as string
}

describe('a deferred length', () => {
  const whole = { 'upload-length': String(contents.length) }

  test('by the client library, of a stream', async () => {
    const stream = Readable.from([contents.subarray(0, 300_000), contents.subarray(300_000)], { objectMode: false })
    await send({ uploadLengthDeferred: true, chunkSize: 200_000 }, stream)
    await expectFile()
  })

  test.each([
    ['beside the last bytes', async (address: string) => patch(address, 100_000, contents.subarray(100_000), whole)],
    [
      'behind the last bytes',
      async (address: string) => {
        expect((await patch(address, 100_000, contents.subarray(100_000))).status).toBe(204)
        expect(await filesNow()).toEqual([])
        return patch(address, contents.length, Buffer.alloc(0), whole)
      },
    ],
  ])('%s', async (_, end) => {
    const address = await beginOpen()
    expect((await patch(address, 0, contents.subarray(0, 100_000))).status).toBe(204)
    const head = await fetch(address, { method: 'HEAD', headers: { ...asked(), 'tus-resumable': '1.0.0' } })
    expect([head.headers.get('upload-defer-length'), head.headers.get('upload-length')]).toEqual(['1', null])
    expect((await end(address)).status).toBe(204)
    await expectFile()
    expect((await patch(address, contents.length, Buffer.alloc(0), whole)).status).toBe(400)
  })

  test('is at least the number of received bytes, and can be declared once', async () => {
    const address = await beginOpen()
    expect((await patch(address, 0, contents.subarray(0, 1000))).status).toBe(204)
    expect((await patch(address, 1000, Buffer.alloc(0), { 'upload-length': '999' })).status).toBe(400)
    expect((await patch(address, 1000, Buffer.alloc(0), { 'upload-length': '2000' })).status).toBe(204)
    expect((await patch(address, 1000, Buffer.alloc(0), { 'upload-length': '3000' })).status).toBe(400)
    const tooMuch = await patch(address, 1000, contents.subarray(0, 1001))
    expect(await tooMuch.json()).toMatchObject({
      error: {
        code: 'CONTENT_TOO_LARGE',
        message: 'Expected a body of at most 1000 bytes but received a larger one.',
      },
    })
  })
})

const sumOf = (algorithm: string, bytes: Buffer): string =>
  `${algorithm} ${createHash(algorithm).update(bytes).digest('base64')}`

/** The number of entries in the storage folder: objects and running writes. */
const stored = (): number => readdirSync(join(folder, 'uploads')).length

describe('a checksum', () => {
  const [first, rest] = [contents.subarray(0, 2 * segment + 100), contents.subarray(2 * segment + 100)]

  test.each(['sha1', 'sha256', 'md5'])('%s stores the whole body or nothing', async (algorithm) => {
    const address = await begin(0)
    const wrong = await patch(address, 0, first, { 'upload-checksum': sumOf(algorithm, rest) })
    expect([wrong.status, wrong.headers.get('tus-resumable')]).toEqual([460, '1.0.0'])
    expect(await wrong.json()).toMatchObject({ error: { code: 'CHECKSUM_MISMATCH' } })
    expect([await offsetOf(address), stored()]).toEqual([[200, '0'], 0])
    expect((await patch(address, 0, first, { 'upload-checksum': sumOf(algorithm, first) })).status).toBe(204)
    expect([await offsetOf(address), stored()]).toEqual([[200, String(first.length)], 1])
    const last = await patch(address, first.length, rest, { 'upload-checksum': sumOf(algorithm, first) })
    expect([last.status, await filesNow()]).toEqual([460, []])
    expect((await patch(address, first.length, rest, { 'upload-checksum': sumOf(algorithm, rest) })).status).toBe(204)
    await expectFile()
  })

  test('is checked for the bytes in the creation request', async () => {
    const metadata = `filename_download ${btoa('noise.bin')},title ${btoa('Noise')},type ${btoa('application/x-noise')}`
    const made = (sum: string): Promise<Response> =>
      fetch(`${url}/files/tus`, {
        method: 'POST',
        headers: {
          ...asked(),
          'tus-resumable': '1.0.0',
          'upload-length': String(contents.length),
          'upload-metadata': metadata,
          'content-type': 'application/offset+octet-stream',
          'upload-checksum': sum,
        },
        body: new Uint8Array(contents),
      })
    expect([(await made(sumOf('sha1', first))).status, stored()]).toEqual([460, 0])
    expect((await made(sumOf('sha1', contents))).status).toBe(201)
    await expectFile()
  })

  test('of an incomplete body stores nothing', async () => {
    const address = await begin(0)
    const { hostname, port, pathname } = new URL(address)
    const socket = new Socket().connect(Number(port), hostname)
    const headers = {
      ...asked(),
      host: 'localhost',
      'tus-resumable': '1.0.0',
      'content-type': 'application/offset+octet-stream',
      'upload-offset': '0',
      'upload-checksum': sumOf('sha1', contents),
      'content-length': contents.length,
    }
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
    socket.write(`PATCH ${pathname} HTTP/1.1\r\n${lines.join('')}\r\n`)
    socket.write(first)
    await expect.poll(stored).toBe(1)
    socket.destroy()
    await expect.poll(stored).toBe(0)
    expect(await offsetOf(address)).toEqual([200, '0'])
  })

  test.each(['sha512 qvTGHdzF6KLavt4PO0gs2a6pQ00=', 'sha1 nonsense', 'sha1', 'sha1 0000'])(
    '%s is refused',
    async (sum) => {
      const address = await begin(0)
      const refused = await patch(address, 0, first, { 'upload-checksum': sum })
      expect([refused.status, await refused.text()]).toEqual([400, expect.stringMatching(/Upload-Checksum/i)])
      expect((await offsetOf(address))[1]).toBe('0')
    },
  )
})

test('cannot be seen, continued or deleted by other users', async () => {
  const address = await begin(100)
  const headers = { ...asked('berta'), 'tus-resumable': '1.0.0' }
  const type = { 'content-type': 'application/offset+octet-stream', 'upload-offset': '100' }
  const patch = await fetch(address, {
    method: 'PATCH',
    headers: { ...headers, ...type },
    body: contents.subarray(100),
  })
  const gone = await fetch(address, { method: 'DELETE', headers })
  expect([(await offsetOf(address, 'berta'))[0], patch.status, gone.status]).toEqual([403, 403, 403])
  expect([await filesNow(), await offsetOf(address)]).toEqual([[], [200, '100']])
})

test('one of two concurrent writers is rejected', async () => {
  const address = await begin(100)
  const headers = {
    ...asked(),
    'tus-resumable': '1.0.0',
    'content-type': 'application/offset+octet-stream',
    'upload-offset': '100',
  }
  const body = contents.subarray(100)
  const answers = await Promise.all([1, 2].map(() => fetch(address, { method: 'PATCH', headers, body })))
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([204, 409]))
  // The second writer asks the first one to stop, possibly in the middle.
  await send({ uploadUrl: address })
  await expectFile()
})

test('replaces the contents of a file when it is complete', async () => {
  await send({}, Buffer.from('before'))
  const [file] = await filesNow()
  await send({ metadata: { id: file?.id ?? '', filename_download: 'noise.bin', type: 'application/x-noise' } })
  await expectFile({ id: file?.id })
})

test('leaves nothing behind when it is deleted', async () => {
  const address = await begin(2 * segment)
  expect(readdirSync(join(folder, 'uploads')).length).toBeGreaterThan(1)
  const response = await fetch(address, { method: 'DELETE', headers: { ...asked(), 'tus-resumable': '1.0.0' } })
  expect([response.status, (await offsetOf(address))[0]]).toEqual([204, 403])
  expect(readdirSync(join(folder, 'uploads'))).toEqual([])
})

test('reports its metadata and its expiry', async () => {
  const options = await fetch(`${url}/files/tus`, { method: 'OPTIONS' })
  expect([options.status, options.headers.get('tus-version'), options.headers.get('tus-extension')]).toEqual([
    204,
    '1.0.0',
    'creation,creation-with-upload,creation-defer-length,termination,expiration,checksum',
  ])
  expect(options.headers.get('tus-checksum-algorithm')).toBe('sha1,sha256,md5')
  expect(options.headers.get('access-control-allow-origin')).toBeNull()
  const info = (await (await fetch(`${url}/server/info`, { headers: asked() })).json()) as { data: object }
  expect(info.data).toMatchObject({ uploads: { chunkSize: segment } })
})
