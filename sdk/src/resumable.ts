/** Resumable uploads by the tus protocol. */
import type { Client, RequestOptions } from './client.ts'
import { type Contents, nameContents, type Progress, toTexts } from './contents.ts'
import { isApiError } from './errors.ts'
import { backOff, defaultRetry, wait } from './retry.ts'

export type ResumableOptions = {
  readonly filename?: string
  readonly onProgress?: (progress: Progress) => void
  readonly signal?: AbortSignal
  /** Bytes of one request; 10 MB by default. */
  readonly chunkSize?: number
  /** Called with the value to resume the upload with, also in another process. */
  readonly onStart?: (upload: string) => void
  /** The value of an upload to resume. */
  readonly resume?: string
  /** Maximum consecutive failures; 5 by default. */
  readonly retries?: number
}

const path = '/files/tus/{upload}'
const version = { 'tus-resumable': '1.0.0' }

/**
 * Uploads the contents and resolves to the id of the file. An `id` in the properties replaces the contents of that
 * file.
 */
export async function uploadResumable(
  client: Client,
  given: Contents,
  properties: object,
  options: ResumableOptions,
): Promise<string> {
  const { contents, filename } = await nameContents(given, options.filename)
  if (!(contents instanceof Blob)) throw new TypeError('Expected contents of which parts can be sent again.')
  const metadata = toTexts({
    ...properties,
    filename_download: filename,
    ...(contents.type && { type: contents.type }),
  })
  const upload = options.resume ?? (await begin(client, { size: contents.size, metadata }, options))
  options.onStart?.(upload)
  return proceed({ client, upload, contents, options })
}

type Begun = { readonly size: number; readonly metadata: readonly (readonly [string, string])[] }

async function begin(client: Client, { size, metadata }: Begun, options: ResumableOptions): Promise<string> {
  const headers = {
    ...version,
    'upload-length': String(size),
    'upload-metadata': metadata.map(([name, text]) => `${name} ${toBase64(text)}`).join(','),
  }
  const sent = { headers, ...signalOf(options) }
  const response = await client.send({ method: 'POST', path: '/files/tus' }, {}, sent)
  const upload = response.headers.get('location')?.split('/').at(-1)
  if (upload === undefined) throw new TypeError('Expected a "location" in the answer but received none.')
  return upload
}

type Upload = {
  readonly client: Client
  readonly upload: string
  readonly contents: Blob
  readonly options: ResumableOptions
}

type State = { readonly offset: number; readonly file: string }

/** Sends chunks. The offset is requested first and after each failure; these requests may fail too. */
async function proceed(upload: Upload): Promise<string> {
  const { contents, options } = upload
  const { onProgress, retries = 5, signal = new AbortController().signal } = options
  let state: State | null = null
  for (let failures = 0; ; ) {
    try {
      const next: State = state === null ? await ask(upload, 'HEAD', null) : await ask(upload, 'PATCH', state.offset)
      if (state !== null) failures = 0
      state = next
    } catch (error) {
      failures += 1
      if (signal.aborted || failures > retries || !mayPass(error)) throw error
      await wait(backOff(defaultRetry, failures, Math.random), signal)
      state = null
      continue
    }
    onProgress?.({ sent: state.offset, total: contents.size })
    if (state.offset >= contents.size) return state.file
    signal.throwIfAborted()
  }
}

/** Whether a retry can succeed: after a conflict, an overloaded server or a network error, not after a refusal. */
const mayPass = (error: unknown): boolean => !isApiError(error) || error.status === 409 || error.status >= 500

async function ask(
  { client, upload, contents, options }: Upload,
  method: 'HEAD' | 'PATCH',
  offset: number | null,
): Promise<State> {
  const from = offset ?? 0
  const sent =
    offset === null ? {} : { 'content-type': 'application/offset+octet-stream', 'upload-offset': String(from) }
  const body = offset === null ? {} : { body: contents.slice(from, from + (options.chunkSize ?? 10_485_760)) }
  const more = { headers: { ...version, ...sent }, timeout: 600_000, ...signalOf(options) }
  const { headers } = await client.send({ method, path }, { path: { upload }, ...body }, more)
  return { offset: Number(headers.get('upload-offset')), file: headers.get('platform-file-id') ?? '' }
}

const signalOf = ({ signal }: ResumableOptions): Pick<RequestOptions, 'signal'> =>
  signal === undefined ? {} : { signal }

const toBase64 = (text: string): string => btoa(String.fromCharCode(...new TextEncoder().encode(text)))
