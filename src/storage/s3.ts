/** S3 storage: objects in a bucket of any server with the S3 protocol. */
import type { IncomingMessage } from 'node:http'
import { type Readable, Transform } from 'node:stream'
import { finished } from 'node:stream/promises'
import {
  AbortMultipartUploadCommand,
  CopyObjectCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  type ListMultipartUploadsCommandOutput,
  ListObjectsV2Command,
  type ObjectCannedACL,
  S3Client,
  type ServerSideEncryption,
} from '@aws-sdk/client-s3'
import { Upload } from '@aws-sdk/lib-storage'
import { isObjectKey, ObjectMissing, type Storage } from '../domain/ports/storage.ts'
import { TandemError } from '../domain/rights/errors.ts'
import { verifyBodies } from './verify-bodies.ts'

/** The settings of a bucket, `STORAGE_<NAME>_*`. */
export type S3Options = {
  readonly key: string | null
  readonly secret: string | null
  readonly bucket: string
  readonly region: string
  readonly endpoint: string | null
  readonly forcePathStyle: boolean
  /** Folder in the bucket; empty = the whole bucket belongs to Tandem. */
  readonly root: string
  readonly acl: string | null
  readonly serverSideEncryption: string | null
}

type Bucket = { readonly client: S3Client; readonly options: S3Options; readonly nameOf: (key: string) => string }

/**
 * Timeout in milliseconds of each of the three attempts: until the response begins, and between two chunks of a
 * transfer.
 */
type Timeouts = { readonly question: number; readonly contents: number }

const timeouts: Timeouts = { question: 10_000, contents: 30_000 }

type Limits = { readonly requestTimeout: number } | { readonly socketTimeout: number }

/** Creates the storage without connecting. Without a configured key, the SDK looks for credentials. */
export function createS3Storage(
  options: S3Options,
  { question, contents } = timeouts,
): Storage & { readonly close: () => void } {
  const client = createClient(options, { requestTimeout: question })
  const writer = createClient(options, { socketTimeout: contents })
  verifyBodies(writer)
  const folder = options.root === '' ? '' : `${options.root.replaceAll(/^\/+|\/+$/g, '')}/`
  const nameOf = (key: string): string => {
    if (!isObjectKey(key)) throw new Error(`Not a key: ${JSON.stringify(key.slice(0, 300))}`)
    return folder + key
  }
  const bucket: Bucket = { client, options, nameOf }
  const written: Bucket = { ...bucket, client: writer }
  const Bucket = options.bucket
  const self: Storage = {
    write: (key, stream, { signal } = {}) => writeObject(written, key, { stream, signal }),
    async read(key, range) {
      const Range = range === undefined ? undefined : `bytes=${range.start}-${range.end}`
      const { Body } = await client.send(new GetObjectCommand({ Bucket, Key: nameOf(key), Range })).catch(missing(key))
      // Destroying the stream closes its socket.
      return withStallTimeout(Body as IncomingMessage, contents)
    },
    async stat(key) {
      const head = await client.send(new HeadObjectCommand({ Bucket, Key: nameOf(key) })).catch(nullWhenMissing)
      return head === null ? null : { size: head.ContentLength ?? 0, modified: head.LastModified ?? new Date(0) }
    },
    async delete(key) {
      await client.send(new DeleteObjectCommand({ Bucket, Key: nameOf(key) })).catch(nullWhenMissing)
    },
    list: (prefix) => listObjects(bucket, folder, prefix),
    move: (from, to) => moveObject(written, self, { from, to }),
    discardUnfinished: (before, isWritten) => abortUploads(bucket, folder, { before, isWritten }),
  }
  const close = (): void => [client, writer].forEach((each) => each.destroy())
  return { ...self, close }
}

/** Copies the object and deletes the first one. */
async function moveObject(
  { client, options, nameOf }: Bucket,
  storage: Storage,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<void> {
  const facts = await storage.stat(from)
  if (facts === null) throw new ObjectMissing(from)
  if (facts.size > largestCopy) await storage.write(to, await storage.read(from))
  else {
    const Bucket = options.bucket
    const CopySource = `${Bucket}/${nameOf(from).split('/').map(encodeURIComponent).join('/')}`
    await client
      .send(new CopyObjectCommand({ Bucket, Key: nameOf(to), CopySource, ...storedAs(options) }))
      .catch(unanswered)
  }
  if ((await storage.stat(to))?.size !== facts.size) unanswered(new Error('The copy has another size'))
  await storage.delete(from)
}

/** Destroys a stream that delivers no data while its reader waits. A slow reader does not count. */
function withStallTimeout(body: IncomingMessage, limit: number): Readable {
  let last = { bytes: 0, at: Date.now() }
  const timer = setInterval(() => {
    const bytes = body.socket.bytesRead
    if (body.readableLength > 0 || bytes > last.bytes) last = { bytes, at: Date.now() }
    else if (Date.now() - last.at >= limit) body.destroy(new Error('The storage stopped sending data'))
  }, limit / 10).unref()
  return body.once('close', () => clearInterval(timer))
}

/** Largest object in bytes that one copy request can copy. */
const largestCopy = 5 * 1024 ** 3

function createClient({ key, secret, region, endpoint, forcePathStyle }: S3Options, limits: Limits): S3Client {
  return new S3Client({
    region,
    forcePathStyle,
    requestHandler: { connectionTimeout: 10_000, throwOnRequestTimeout: true, ...limits },
    // Not all S3-compatible servers support the newer checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    ...(endpoint === null ? {} : { endpoint }),
    ...(key === null || secret === null ? {} : { credentials: { accessKeyId: key, secretAccessKey: secret } }),
  })
}

type Source = { readonly stream: Readable; readonly signal: AbortSignal | undefined }

/** Uploads in parts of 8 MB, with two in memory. A failed or aborted upload leaves no parts behind. */
async function writeObject({ client, options, nameOf }: Bucket, key: string, { stream, signal }: Source) {
  let size = 0
  const counted = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length
      done(null, chunk)
    },
  })
  const params = { Bucket: options.bucket, Key: nameOf(key), Body: counted, ...storedAs(options) }
  const upload = new Upload({ client, params, queueSize: 2, partSize: 8 * 1024 ** 2, leavePartsOnError: false })
  const abort = (): void => void stream.destroy(new Error('Aborted'))
  signal?.addEventListener('abort', abort, { once: true })
  stream.once('error', (error) => counted.destroy(error))
  // A source that ends early without an error must not be stored as complete.
  stream.once('close', () => {
    if (!stream.readableEnded) counted.destroy(stream.errored ?? new Error('The source ended early'))
  })
  try {
    if (signal?.aborted === true) abort()
    stream.pipe(counted)
    await upload.done()
    await finished(counted)
    return { size }
  } catch (error) {
    const isOfSource = signal?.aborted === true || (stream.errored ?? counted.errored) !== null
    stream.destroy()
    counted.destroy()
    await upload.abort()
    if (isOfSource) throw error
    unanswered(error)
  } finally {
    signal?.removeEventListener('abort', abort)
  }
}

const storedAs = ({ acl, serverSideEncryption }: S3Options) => ({
  ...(acl === null ? {} : { ACL: acl as ObjectCannedACL }),
  ...(serverSideEncryption === null ? {} : { ServerSideEncryption: serverSideEncryption as ServerSideEncryption }),
})

async function* listObjects({ client, options }: Bucket, folder: string, prefix: string): ReturnType<Storage['list']> {
  let ContinuationToken: string | undefined
  do {
    const wanted = { Bucket: options.bucket, Prefix: folder + prefix, ContinuationToken }
    const page = await client.send(new ListObjectsV2Command(wanted)).catch(unanswered)
    for (const { Key = '', Size = 0, LastModified = new Date(0) } of page.Contents ?? []) {
      const key = Key.slice(folder.length)
      if (isObjectKey(key)) yield { key, size: Size, modified: LastModified }
    }
    ContinuationToken = page.NextContinuationToken
  } while (ContinuationToken !== undefined)
}

type Unfinished = { readonly before: Date; readonly isWritten: ((key: string) => boolean) | undefined }

async function abortUploads(
  { client, options }: Bucket,
  folder: string,
  { before, isWritten = () => false }: Unfinished,
): Promise<number> {
  const Bucket = options.bucket
  let count = 0
  let next: { readonly KeyMarker?: string | undefined; readonly UploadIdMarker?: string | undefined } | null = {}
  while (next !== null) {
    const wanted: ListMultipartUploadsCommand = new ListMultipartUploadsCommand({ Bucket, Prefix: folder, ...next })
    const page: ListMultipartUploadsCommandOutput | null = await client.send(wanted).catch((error: unknown) => {
      // Not every server lists unfinished uploads. Servers that do not have lifecycle rules for them.
      if ((error as Error).name === 'NotImplemented') return null
      throw error
    })
    for (const { Key, UploadId, Initiated } of page?.Uploads ?? []) {
      if (Initiated === undefined || Initiated >= before || isWritten(Key?.slice(folder.length) ?? '')) continue
      await client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId })).catch(nullWhenMissing)
      count += 1
    }
    next =
      page?.IsTruncated === true ? { KeyMarker: page.NextKeyMarker, UploadIdMarker: page.NextUploadIdMarker } : null
  }
  return count
}

const isMissing = (error: unknown): boolean => {
  const { name, $metadata } = error as { name?: string; $metadata?: { httpStatusCode?: number } }
  return name === 'NoSuchKey' || name === 'NotFound' || (name !== 'NoSuchBucket' && $metadata?.httpStatusCode === 404)
}

function nullWhenMissing(error: unknown): null {
  return isMissing(error) ? null : unanswered(error)
}

const missing =
  (key: string) =>
  (cause: unknown): never => {
    if (isMissing(cause)) throw new ObjectMissing(key, { cause })
    return unanswered(cause)
  }

/** Reports a failure of the S3 server as 503: it is neither a bug nor an error of the client. */
function unanswered(cause: unknown): never {
  const reason = 'The storage cannot be reached'
  throw new TandemError({ kind: 'unavailable', service: 'files', reason, retryAfter: 30 }, { cause })
}
