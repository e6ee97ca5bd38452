/** Behavior that the usual S3 test server lacks: lists of unfinished uploads, and silence. */
import { createServer, type IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import type { Storage } from '../domain/ports/storage.ts'
import { createS3Storage } from './s3.ts'

const uploads = [
  { key: 'under/a', id: '1', initiated: '2020-01-01T00:00:00.000Z' },
  { key: 'under/b', id: '2', initiated: '2999-01-01T00:00:00.000Z' },
  { key: 'under/c', id: '3', initiated: '2020-01-01T00:00:00.000Z' },
]
const requests: string[] = []

/** Returns one upload per page. */
function answer({ method, url = '' }: IncomingMessage): readonly [status: number, body: string] {
  const { pathname, searchParams } = new URL(url, 'http://x')
  if (method === 'DELETE') requests.push(`${pathname} ${searchParams.get('uploadId')}`)
  if (method !== 'GET') return [204, '']
  const at = uploads.findIndex(({ key }) => key === searchParams.get('key-marker')) + 1
  const { key, id, initiated } = uploads[at] ?? { key: '', id: '', initiated: '' }
  const upload = `<Upload><Key>${key}</Key><UploadId>${id}</UploadId><Initiated>${initiated}</Initiated></Upload>`
  const next = `<NextKeyMarker>${key}</NextKeyMarker><NextUploadIdMarker>${id}</NextUploadIdMarker>`
  const more = `<IsTruncated>${at < 2}</IsTruncated>`
  return [200, `<ListMultipartUploadsResult>${upload}${next}${more}</ListMultipartUploadsResult>`]
}

const server = createServer((request, response) => {
  const [status, body] = answer(request)
  response.writeHead(status, { 'content-type': 'application/xml' }).end(body)
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const endpoint = `http://127.0.0.1:${(server.address() as { port: number }).port}`
afterAll(() => void server.close())

const bucketAt = (place: string) => ({
  bucket: 'files',
  region: 'us-east-1',
  endpoint: place,
  forcePathStyle: true,
  root: 'under',
  key: 'k',
  secret: 's',
  acl: null,
  serverSideEncryption: null,
})

test('old unfinished uploads are discarded, on every page', async () => {
  const storage = createS3Storage(bucketAt(endpoint))
  expect(await storage.discardUnfinished(new Date(), (key) => key === 'a')).toBe(1)
  expect(requests.splice(0)).toEqual(['/files/under/c 3'])
  expect(await storage.discardUnfinished(new Date())).toBe(2)
  expect(requests).toEqual(['/files/under/a 1', '/files/under/c 3'])
  storage.close()
})

const work: readonly (readonly [string, (storage: Storage) => Promise<unknown>])[] = [
  ['read', (storage) => storage.read('a')],
  ['stat', (storage) => storage.stat('a')],
  ['delete', (storage) => storage.delete('a')],
  ['list', (storage) => storage.list('')[Symbol.asyncIterator]().next()],
  ['move', (storage) => storage.move('a', 'b')],
  ['write', (storage) => storage.write('a', Readable.from([Buffer.from('x')]))],
]

test.each(work)('%s reports an unreachable bucket if it is silent or missing', async (_name, ask) => {
  const silent = createServer(() => {})
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
  const place = `http://127.0.0.1:${(silent.address() as { port: number }).port}`
  const storage = createS3Storage(bucketAt(place), { question: 50, contents: 50 })
  const unavailable = { failures: [{ kind: 'unavailable', service: 'files' }] }
  await expect(ask(storage)).rejects.toMatchObject(unavailable)
  silent.closeAllConnections()
  await new Promise((resolve) => void silent.close(resolve))
  await expect(ask(storage)).rejects.toMatchObject(unavailable)
  storage.close()
})

test('stalled contents fail, unread contents wait', async () => {
  const half = createServer((_request, response) => {
    response.writeHead(200, { 'content-length': '2000000' })
    response.write(Buffer.alloc(1_000_000))
  })
  await new Promise<void>((resolve) => half.listen(0, '127.0.0.1', resolve))
  const place = `http://127.0.0.1:${(half.address() as { port: number }).port}`
  const storage = createS3Storage(bucketAt(place), { question: 1000, contents: 200 })
  const waiting = await storage.read('a')
  await sleep(600)
  expect(waiting.destroyed).toBe(false)
  await expect(buffer(waiting)).rejects.toThrow('stopped sending')
  half.closeAllConnections()
  half.close()
  storage.close()
})
