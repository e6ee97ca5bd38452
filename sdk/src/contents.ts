/** Contents to upload, and how they are sent. */

/** A `File` has a name; a stream or `Blob` needs one. A path works only in Node. */
export type Contents = Blob | ReadableStream<Uint8Array> | { readonly path: string }

/** Bytes sent, and total bytes; null if unknown before the end. */
export type Progress = { readonly sent: number; readonly total: number | null }

export type Named = { readonly contents: Blob | ReadableStream<Uint8Array>; readonly filename: string }

/** Finds the name of the contents. Throws a TypeError without one. */
export async function nameContents(given: Contents, filename: string | undefined): Promise<Named> {
  const contents = 'path' in given ? await openPath(given.path) : given
  const own = 'path' in given ? given.path.split(/[/\\]/).at(-1) : 'name' in given ? (given as File).name : undefined
  const name = filename ?? own
  if (name === undefined || name === '')
    throw new TypeError('Expected a "filename" among the options, for contents without a name.')
  return { contents, filename: name }
}

/** Streams the file while it is sent. */
async function openPath(path: string): Promise<Blob> {
  // Browsers lack this module; a variable keeps bundlers from resolving it.
  const name = 'node:fs'
  const { openAsBlob } = (await import(name)) as { readonly openAsBlob: (path: string) => Promise<Blob> }
  return openAsBlob(path)
}

/** Text parts before the contents, to which they apply. */
export function toTexts(properties: object): readonly (readonly [name: string, text: string])[] {
  return Object.entries(properties)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)])
}

/** A form for contents in memory. */
export function toForm({ contents, filename }: { contents: Blob; filename: string }, properties: object): FormData {
  const form = new FormData()
  for (const [name, text] of toTexts(properties)) form.append(name, text)
  form.append('file', contents, filename)
  return form
}

export type Streamed = { readonly body: ReadableStream<Uint8Array>; readonly type: string }

/** The same form as a stream, for streamed contents and for progress. */
export function toStream(
  { contents, filename }: Named,
  properties: object,
  onProgress: (progress: Progress) => void = () => {},
): Streamed {
  const boundary = `tandem-${crypto.randomUUID()}`
  const head = (disposition: string): string => `--${boundary}\r\ncontent-disposition: form-data; ${disposition}\r\n`
  const texts = toTexts(properties).map(([name, text]) => `${head(`name="${quoted(name)}"`)}\r\n${text}\r\n`)
  const isBlob = contents instanceof Blob
  const type = isBlob && contents.type !== '' ? contents.type : 'application/octet-stream'
  const before = `${texts.join('')}${head(`name="file"; filename="${quoted(filename)}"`)}content-type: ${type}\r\n\r\n`
  async function* all(): AsyncGenerator<Uint8Array, void> {
    const encoder = new TextEncoder()
    yield encoder.encode(before)
    let sent = 0
    for await (const chunk of chunksOf(isBlob ? contents.stream() : contents)) {
      yield chunk
      onProgress({ sent: (sent += chunk.length), total: isBlob ? contents.size : null })
    }
    yield encoder.encode(`\r\n--${boundary}--\r\n`)
  }
  return { body: streamOf(all()), type: `multipart/form-data; boundary=${boundary}` }
}

/** Quotes names as browsers do in forms. */
const quoted = (text: string): string => text.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A')

/** Size of a chunk in bytes, so that progress is visible for contents in one piece. */
const most = 65_536

/** Not every browser supports iteration of streams. */
async function* chunksOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  const reader = stream.getReader()
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      for (let at = 0; at < next.value.length; at += most) yield next.value.subarray(at, at + most)
    }
  } finally {
    await reader.cancel()
  }
}

const streamOf = (chunks: AsyncGenerator<Uint8Array, void>): ReadableStream<Uint8Array> =>
  new ReadableStream({
    async pull(controller) {
      const { done, value } = await chunks.next()
      if (done === true) controller.close()
      else controller.enqueue(value)
    },
    async cancel() {
      await chunks.return()
    },
  })
