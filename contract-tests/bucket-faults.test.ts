/** Files in a bucket that is slow, refuses, loses and changes bytes: what is acknowledged is there, and nothing else. */
import { createHash } from 'node:crypto'
import { afterAll, afterEach, expect, test } from 'vitest'
import { type Fault, openFaultyBucket } from './faulty-bucket.ts'
import { openOwnDatabase } from './own-database.ts'

const bucket = await openFaultyBucket()
const { endpoint } = bucket.options
const own = await openOwnDatabase(
  'select 1',
  {
    STORAGE_LOCATIONS: 'far',
    STORAGE_FAR_DRIVER: 's3',
    STORAGE_FAR_KEY: 'S3RVER',
    STORAGE_FAR_SECRET: 'S3RVER',
    STORAGE_FAR_BUCKET: 'files',
    STORAGE_FAR_REGION: 'us-east-1',
    STORAGE_FAR_ENDPOINT: endpoint as string,
    STORAGE_FAR_FORCE_PATH_STYLE: 'true',
    FILES_CHECKSUMS: 'true',
    VALIDATE_RESPONSES: 'false',
  },
  { error: () => {}, warn: () => {}, info: () => {}, debug: () => {} },
)
afterAll(async () => {
  await own.close()
  await bucket.close()
})
afterEach(() => {
  bucket.faultOf = () => null
})

const small = Buffer.from('a small file\n'.repeat(50))
const large = Buffer.alloc(8 * 1024 ** 2 + 1000, 'some of many bytes ')
const authorization = () => ({ authorization: `Bearer ${own.adminToken}` })

/** Uploads; the id of the file, or the status and the code of the refusal. */
async function upload(contents: Buffer): Promise<string | readonly [number, unknown]> {
  const form = new FormData()
  form.set('file', new Blob([new Uint8Array(contents)], { type: 'text/plain' }), 'a.txt')
  const answer = await fetch(`${own.url}/files`, { method: 'POST', headers: authorization(), body: form })
  const body = (await answer.json()) as { data?: { id: string }; errors?: { extensions: { code: string } }[] }
  return body.data?.id ?? [answer.status, body.errors?.[0]?.extensions.code]
}

const download = (id: string, headers: object = {}): Promise<Response> =>
  fetch(`${own.url}/assets/${id}`, { headers: { ...authorization(), ...headers } })

const bytesOf = async (id: string): Promise<Buffer> => Buffer.from(await (await download(id)).arrayBuffer())

const countFiles = async (): Promise<number> =>
  Number((await own.rows('select count(*) as n from platform_files'))[0]?.['n'])

/** Makes the fault for requests with one of these names: for all, or for the first few. */
function plan(names: readonly string[], fault: Fault, times = Number.POSITIVE_INFINITY): void {
  let left = times
  bucket.faultOf = (asked) => (names.includes(asked) && left-- > 0 ? fault : null)
}

const half = (body: Buffer): Buffer => body.subarray(0, body.length / 2)
const damaged = (body: Buffer): Buffer => Buffer.concat([Buffer.from([(body[0] ?? 0) ^ 1]), body.subarray(1)])
const writes = ['PUT', 'PUT partNumber', 'POST uploads', 'POST uploadId']

const passing: readonly (readonly [string, Fault, number])[] = [
  ['slow', { delay: 30 }, 9],
  ['refusing twice', { status: 503 }, 2],
  ['closing connections twice', { status: 0 }, 2],
]
test.each(passing)('an upload to a bucket that is %s is stored', async (_name, fault, times) => {
  for (const contents of [small, large]) {
    plan(writes, fault, times)
    const id = await upload(contents)
    expect(id).toBeTypeOf('string')
    expect((await bytesOf(id as string)).equals(contents)).toBe(true)
    expect(await own.rows('select checksum from platform_files where id = $1', [id])).toEqual([
      { checksum: createHash('md5').update(contents).digest('hex') },
    ])
  }
})

const lasting: readonly (readonly [string, readonly string[], Fault])[] = [
  ['refuses', writes, { status: 500 }],
  ['refuses the last parts', ['PUT', 'POST uploadId'], { status: 500 }],
  ['closes connections', writes, { status: 0 }],
  ['stores half of it', ['PUT', 'PUT partNumber'], { sent: half }],
  ['stores other bytes', ['PUT', 'PUT partNumber'], { sent: damaged }],
  ['names another tag', ['PUT', 'PUT partNumber'], { etag: `"${'0'.repeat(32)}"` }],
  [
    'fails after it has said 200',
    ['PUT', 'POST uploadId'],
    { received: () => Buffer.from('<Error><Code>InternalError</Code></Error>'), etag: `"${'0'.repeat(32)}"` },
  ],
]
test.each(lasting)('an upload to a bucket that %s is 503, and no file', async (_name, names, fault) => {
  const before = await countFiles()
  for (const contents of [small, large]) {
    plan(names, fault)
    bucket.asked()
    expect(await upload(contents)).toEqual([503, 'SERVICE_UNAVAILABLE'])
    // Three attempts for each of two parts, for beginning, ending and giving up.
    expect(bucket.asked().length).toBeLessThan(25)
  }
  expect(await countFiles()).toBe(before)
  bucket.faultOf = () => null
  expect((await bytesOf((await upload(small)) as string)).equals(small)).toBe(true)
})

test('contents that come shorter, longer or not at all break the connection, or are 503', async () => {
  const id = (await upload(small)) as string
  for (const fault of [
    { received: half },
    { cut: 20 },
    { received: (body) => Buffer.concat([body, body]) },
  ] as Fault[]) {
    plan(['GET'], fault)
    // The connection ends before the contents do, or even before the head is sent.
    for (const headers of [{}, { range: 'bytes=10-59' }]) {
      await expect(download(id, headers).then((answer) => answer.arrayBuffer())).rejects.toThrow()
    }
  }
  for (const names of [['GET'], ['HEAD'], ['GET', 'HEAD']]) {
    for (const status of [500, 503, 0]) {
      plan(names, { status })
      bucket.asked()
      expect((await download(id)).status).toBe(503)
      expect(bucket.asked().length).toBeLessThan(5)
      plan(names, { status }, 2)
      expect((await bytesOf(id)).equals(small)).toBe(true)
    }
  }
})

test('what is replaced or deleted by a bucket with faults stays readable or is gone', async () => {
  const id = (await upload(small)) as string
  plan(writes, { status: 500 })
  const form = new FormData()
  form.set('file', new Blob(['other contents'], { type: 'text/plain' }), 'b.txt')
  const replaced = await fetch(`${own.url}/files/${id}`, { method: 'PATCH', headers: authorization(), body: form })
  expect(replaced.status).toBe(503)
  expect((await bytesOf(id)).equals(small)).toBe(true)

  plan(['DELETE'], { status: 500 })
  expect((await own.ask(`DELETE /files/${id}`)).status).toBe(204)
  expect((await download(id)).status).toBe(403)
})
