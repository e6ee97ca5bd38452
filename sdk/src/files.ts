/** Files of the current generation: uploads and URLs. */
import { type AssetOptions, assetUrl, type Transform } from './asset-url.ts'
import type { Client, RequestOptions } from './client.ts'
import { type Contents, nameContents, type Progress, toForm, toStream } from './contents.ts'
import type { File } from './generated/current-records.ts'
import { hasOlderWay, observedUpload } from './observed-upload.ts'
import { type ResumableOptions, uploadResumable } from './resumable.ts'
import type { Selected } from './types/fields.ts'

/** A file as the server answers with it: related records are keys. */
export type FileRecord = Selected<unknown, File, '*'>

/** Properties of a file besides its contents. */
export type FileProperties = {
  readonly title?: string | null
  readonly description?: string | null
  readonly location?: string | null
  readonly tags?: readonly string[] | null
  readonly folder?: string | null
  readonly focal_point_x?: number | null
  readonly focal_point_y?: number | null
  /** One of the server's storage locations. */
  readonly storage?: string
}

export type UploadOptions = Pick<RequestOptions, 'signal' | 'timeout' | 'token'> & {
  /** Name of contents without one. */
  readonly filename?: string
  readonly onProgress?: (progress: Progress) => void
}

/** Writes resolve to undefined if the caller may not read the result. */
export type Files = {
  readonly upload: (
    contents: Contents,
    properties?: FileProperties,
    options?: UploadOptions,
  ) => Promise<FileRecord | undefined>
  /** Replaces the contents of a file; id, title and storage stay. */
  readonly replace: (
    id: string,
    contents: Contents,
    properties?: FileProperties,
    options?: UploadOptions,
  ) => Promise<FileRecord | undefined>
  /** Lets the server fetch the contents from a public URL. */
  readonly import: (
    url: string,
    properties?: FileProperties,
    options?: RequestOptions,
  ) => Promise<FileRecord | undefined>
  /** Uploads in chunks and resumes after failures; resolves to the id of the file. */
  readonly uploadResumable: (
    contents: Exclude<Contents, ReadableStream>,
    properties?: FileProperties & { readonly id?: string },
    options?: ResumableOptions,
  ) => Promise<string>
  /** The URL of the contents, optionally transformed. */
  readonly assetUrl: (id: string, transform?: Transform, options?: AssetOptions) => string
}

type Envelope = { readonly data: FileRecord } | undefined

/** One hour, because large files take long; use a signal to stop earlier. */
const uploadTimeout = 3_600_000

/** What files have beside the methods of records. */
export function createFiles(client: Client): Files {
  return {
    upload: (contents, properties = {}, options = {}) =>
      sendContents({ client, method: 'POST', path: '/files' }, contents, properties, options),
    replace: (id, contents, properties = {}, options = {}) =>
      sendContents(
        { client, method: 'PATCH', path: `/files/${encodeURIComponent(id)}` },
        contents,
        properties,
        options,
      ),
    async import(address, properties, options) {
      const body = { url: address, ...(properties && { data: properties }) }
      return (await client.request<Envelope>({ method: 'POST', path: '/files/import' }, { body }, options))?.data
    },
    uploadResumable: (contents, properties = {}, options = {}) =>
      uploadResumable(client, contents, properties, options),
    assetUrl: (id, transform, options) => assetUrl(client.url, id, transform, options),
  }
}

type UploadTarget = { readonly client: Client; readonly method: 'POST' | 'PATCH'; readonly path: string }

async function sendContents(
  { client, method, path }: UploadTarget,
  given: Contents,
  properties: FileProperties,
  { filename, onProgress, ...rest }: UploadOptions,
): Promise<FileRecord | undefined> {
  const named = await nameContents(given, filename)
  const sent = { timeout: uploadTimeout, ...rest }
  const ask = async (body: unknown, options: RequestOptions): Promise<FileRecord | undefined> =>
    (await client.request<Envelope>({ method, path }, { body }, options))?.data
  if (hasOlderWay()) {
    const { contents } = named
    const whole = contents instanceof Blob ? contents : await new Response(contents as BodyInit).blob()
    const watched = onProgress === undefined ? {} : { fetch: observedUpload(onProgress) }
    return ask(toForm({ ...named, contents: whole }, properties), { ...sent, ...watched })
  }
  const { contents } = named
  if (contents instanceof Blob && onProgress === undefined) return ask(toForm({ ...named, contents }, properties), sent)
  const { body, type } = toStream(named, properties, onProgress)
  return ask(body, { ...sent, headers: { 'content-type': type } })
}
