/** `multipart/form-data`, part by part while it arrives; no part is buffered while another is read. */
import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import type { Busboy, FieldInfo, FileInfo } from 'busboy'
import busboy from 'busboy'
import type { Part } from '../../domain/ports/uploads.ts'
import { invalidPayload, TandemError } from '../../domain/rights/errors.ts'
import { requestBounds } from '../settings.ts'

/** The parts of a form whose bytes were read. */
export const partsOf = (bytes: Buffer, headers: IncomingMessage['headers']): AsyncGenerator<Part, void> =>
  readParts(Object.assign(Readable.from([bytes]), { headers, complete: true }))

type FormSource = Readable & Pick<IncomingMessage, 'headers' | 'complete'>

/**
 * Yields the parts in order. Asking for the next part discards the unread rest of the current one. Ending the
 * iteration leaves the rest of the body unread.
 */
export async function* readParts(req: FormSource): AsyncGenerator<Part, void> {
  const parser = createParser(req)
  const found = foundBy(parser)
  const cut = (): void => {
    if (!req.complete) parser.destroy(invalidPayload(null, 'The body ended before it was complete'))
  }
  req.once('close', cut)
  req.pipe(parser)
  try {
    for await (const part of found) {
      yield part
      if (part.kind === 'file') part.stream.resume()
    }
  } finally {
    req.off('close', cut)
    req.unpipe(parser)
    parser.destroy()
  }
}

/** The parts as the parser finds them, up to the end or an error, which takes precedence over parts. */
function foundBy(parser: Busboy): AsyncIterable<Part> {
  const found = new Readable({ objectMode: true, read: () => {} })
  parser.on('field', (name: string, value: string, info: FieldInfo) => {
    if (info.nameTruncated || info.valueTruncated) found.destroy(tooLong(name))
    else found.push({ kind: 'value', name, value })
  })
  parser.on('file', (name: string, stream: Readable, { filename, mimeType }: FileInfo) => {
    // A reader gets the error in our own words. Without this handler, an error without a reader would end the process.
    stream.on('error', () => {})
    const destroy = stream.destroy.bind(stream)
    stream.destroy = (error?: Error) => destroy(error && broken(error))
    // Some clients send no name, although the types of the library say otherwise.
    const text: string | undefined = filename
    found.push({
      kind: 'file',
      name,
      filename: text === undefined || text === '' ? null : text,
      type: mimeType.toLowerCase(),
      stream,
    })
  })
  for (const limit of ['partsLimit', 'fieldsLimit', 'filesLimit'] as const) {
    parser.on(limit, () =>
      found.destroy(invalidPayload(null, `Expected at most ${requestBounds.parts} parts but received more`)),
    )
  }
  parser.on('error', (error: Error) => found.destroy(broken(error)))
  parser.on('close', () => found.push(null))
  return found
}

function createParser(req: FormSource): Busboy {
  const { parts, partName, partValue } = requestBounds
  try {
    return busboy({
      headers: req.headers,
      defParamCharset: 'utf8',
      limits: { parts, fieldNameSize: partName, fieldSize: partValue, headerPairs: 20 },
    })
  } catch (cause) {
    throw broken(cause as Error)
  }
}

const tooLong = (name: string): TandemError => {
  const { partName, partValue } = requestBounds
  const reason = `Expected at most ${partName} bytes for the name and ${partValue} for the value of a part but received more`
  return invalidPayload(name.slice(0, 100), reason)
}

const broken = (cause: Error): TandemError =>
  cause instanceof TandemError ? cause : invalidPayload(null, `Expected multipart/form-data: ${cause.message}`, cause)
