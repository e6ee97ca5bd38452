/** Adapts the tus server library to the upload store, and translates its errors. */
import { Readable } from 'node:stream'
import { DataStore, MemoryLocker, Server, Upload } from '@tus/server'
import {
  type Checksum,
  type Resumable,
  type ResumableOptions,
  type ResumableReply,
  type ResumableRequest,
  sumAlgorithms,
  type UploadStore,
} from '../domain/ports/uploads.ts'
import { type Failure, TandemError } from '../domain/rights/errors.ts'

/** Path for the library, which uses only the last segment. */
const path = '/files/tus'

const version = '1.0.0'

/** Implements `createResumable`. */
export function createProtocol(): Resumable {
  const locker = new MemoryLocker()
  return {
    async answer(request, options) {
      if (request.method !== 'OPTIONS') assertVersion(request)
      let thrown: unknown = null
      const room: RemainingBytes = { bytes: null }
      const server = new Server({
        path,
        locker,
        datastore: toDataStore(request, options, room),
        maxSize: options.maxSize ?? 0,
        namingFunction: options.createId,
        generateUrl: (_, { id }) => options.locationOf(id),
        onResponseError: (_, error) => {
          thrown = error
          return undefined
        },
      })
      const response = await server.handleWeb(toWebRequest(request))
      if (response.status < 400) return toReply(request, response)
      if (thrown !== null && !isOfProtocol(thrown)) throw thrown
      throw toFailure(response.status, (await response.text()).trim(), { request, options, room })
    },
  }
}

/** The library reports a wrong version like a malformed header, so the version is checked here. */
function assertVersion({ headers }: ResumableRequest): void {
  if (headers['tus-resumable'] === version) return
  throw new TandemError({ kind: 'unsupported-version', name: 'Tus-Resumable', supported: version })
}

/** Bytes that the upload still takes; null if its length is not known. */
type RemainingBytes = { bytes: number | null }

/** The library requires an instance of its `DataStore`; all methods are replaced. */
function toDataStore(
  request: ResumableRequest,
  { store, expiration }: ResumableOptions,
  room: RemainingBytes,
): DataStore {
  const own: Partial<DataStore> = {
    extensions: ['creation', 'creation-with-upload', 'creation-defer-length', 'termination', 'expiration', 'checksum'],
    getExpiration: () => expiration,
    async create(upload) {
      await store.create(upload.id, { length: upload.size ?? null, metadata: upload.metadata ?? {} })
      room.bytes = upload.size ?? null
      return upload
    },
    async getUpload(id) {
      const upload = await readUpload(store, id)
      room.bytes = upload.size === undefined ? null : upload.size - upload.offset
      return upload
    },
    declareUploadLength: store.declare,
    write: (stream, id, offset) => store.append(id, { offset, stream, checksum: checksumOf(request) }),
    remove: store.remove,
  }
  return Object.assign(new DataStore(), own)
}

/** The library does not support checksums. The header has been validated against the spec. */
function checksumOf({ headers }: ResumableRequest): Checksum | null {
  const [text, sum = ''] = String(headers['upload-checksum'] ?? '').split(' ')
  const algorithm = sumAlgorithms.find((each) => each === text)
  return algorithm === undefined ? null : { algorithm, hex: Buffer.from(sum, 'base64').toString('hex') }
}

async function readUpload(store: UploadStore, id: string): Promise<Upload> {
  const { length, offset, metadata, touched } = await store.read(id)
  const existing = { id, offset, metadata: { ...metadata }, creation_date: touched.toISOString() }
  return new Upload(length === null ? existing : { ...existing, size: length })
}

function toWebRequest({ method, url, headers, body }: ResumableRequest): Request {
  const sent = new Headers()
  for (const [name, value] of Object.entries(headers)) {
    if (protocolHeaders.test(name) && typeof value === 'string') sent.set(name, value)
  }
  if (body === null) return new Request(url, { method, headers: sent })
  // A request with a stream as body must be half duplex.
  const init = { method, headers: sent, body: Readable.toWeb(body) as BodyInit, duplex: 'half' }
  return new Request(url, init)
}

/** Headers of the protocol. Other headers, such as CORS, are set by the server. */
const protocolHeaders = /^(?:tus-[a-z]+|upload-[a-z-]+|location|cache-control|content-(?:type|length))$/i

function toReply({ method }: ResumableRequest, { status, headers }: Response): ResumableReply {
  const own = [...headers].filter(([name]) => protocolHeaders.test(name) && !name.startsWith('content-'))
  const sums = method === 'OPTIONS' ? { 'tus-checksum-algorithm': sumAlgorithms.join(',') } : {}
  return { status, headers: { ...Object.fromEntries(own), ...sums } }
}

const isOfProtocol = (error: unknown): boolean => typeof (error as { status_code?: unknown }).status_code === 'number'

type Refused = { readonly request: ResumableRequest; readonly options: ResumableOptions; readonly room: RemainingBytes }

function toFailure(status: number, reason: string, refused: Refused): Error {
  const failure = failureOf(status, reason, refused)
  return failure === null ? new Error(`The upload failed: ${reason}`) : new TandemError(failure)
}

function failureOf(status: number, reason: string, { request, options, room }: Refused): Failure | null {
  switch (status) {
    case 404:
    case 410:
      return { kind: 'item-not-found', collection: 'platform_uploads' }
    case 409:
      return { kind: 'conflict', reason: `Expected the offset of the upload but received ${offsetOf(request)}` }
    case 412:
      return { kind: 'unsupported-version', name: 'Tus-Resumable', supported: version }
    case 413:
      return { kind: 'content-too-large', limit: room.bytes ?? options.maxSize ?? 0 }
    case 400:
    case 403:
    case 501:
      return { kind: 'invalid-payload', reason }
    default:
      return null
  }
}

const offsetOf = ({ headers }: ResumableRequest): string => JSON.stringify(headers['upload-offset'] ?? null)
