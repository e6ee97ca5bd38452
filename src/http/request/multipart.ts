/** `multipart/form-data`, part by part while it arrives; no part is buffered while another is read. */
import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import type { Busboy, FieldInfo, FileInfo } from 'busboy'
import busboy from 'busboy'
import type { Part } from '../../domain/ports/uploads.ts'
import { invalidPayload, TandemError } from '../../domain/rights/errors.ts'
import { requestBounds } from '../settings.ts'

/** A request, or the bytes of one that was read. */
export type FormSource = Readable & Pick<IncomingMessage, 'headers' | 'complete'>

/**
 * Yields the parts in order. Asking for the next part discards the unread rest of the current one. Ending the
 * iteration leaves the rest of the body unread.
 */
export async function* readParts(req: FormSource): AsyncGenerator<Part, void> {
  const parser = createParser(req)
  const queue = createQueue<Part>()
  queueParts(parser, queue)
  const cut = (): void => {
    if (!req.complete) parser.destroy(invalidPayload(null, 'The body ended before it was complete'))
  }
  req.once('close', cut)
  req.pipe(parser)
  try {
    for (let part = await queue.next(); part !== null; part = await queue.next()) {
      yield part
      if (part.kind === 'file') part.stream.resume()
    }
  } finally {
    req.off('close', cut)
    req.unpipe(parser)
    parser.destroy()
  }
}

/** Puts the parts into the queue as the parser finds them, then an error or the end. */
function queueParts(parser: Busboy, queue: Queue<Part>): void {
  parser.on('field', (name: string, value: string, info: FieldInfo) => {
    if (info.nameTruncated || info.valueTruncated) queue.fail(tooLong(name))
    else queue.push({ kind: 'value', name, value })
  })
  parser.on('file', (name: string, stream: Readable, { filename, mimeType }: FileInfo) => {
    // A reader gets the error in our own words. Without this handler, an error without a reader would end the process.
    stream.on('error', () => {})
    const destroy = stream.destroy.bind(stream)
    stream.destroy = (error?: Error) => destroy(error && broken(error))
    // Some clients send no name, although the types of the library say otherwise.
    const text: string | undefined = filename
    queue.push({
      kind: 'file',
      name,
      filename: text === undefined || text === '' ? null : text,
      type: mimeType.toLowerCase(),
      stream,
    })
  })
  for (const limit of ['partsLimit', 'fieldsLimit', 'filesLimit'] as const) {
    parser.on(limit, () =>
      queue.fail(invalidPayload(null, `Expected at most ${requestBounds.parts} parts but received more`)),
    )
  }
  parser.on('error', (error: Error) => queue.fail(broken(error)))
  parser.on('close', () => queue.end())
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

type Queue<T> = {
  readonly push: (value: T) => void
  readonly fail: (error: Error) => void
  readonly end: () => void
  /** Null at the end. */
  readonly next: () => Promise<T | null>
}

/** A queue between a producer and a consumer at their own pace. Errors take precedence over values. */
function createQueue<T>(): Queue<T> {
  const values: T[] = []
  const state: { failure: Error | null; ended: boolean; wake: () => void } = { failure: null, ended: false, wake: noop }
  return {
    push(value) {
      values.push(value)
      state.wake()
    },
    fail(error) {
      state.failure ??= error
      state.wake()
    },
    end() {
      state.ended = true
      state.wake()
    },
    async next() {
      while (state.failure === null && values.length === 0 && !state.ended) {
        await new Promise<void>((resolve) => {
          state.wake = resolve
        })
      }
      if (state.failure !== null) throw state.failure
      return values.shift() ?? null
    },
  }
}

const noop = (): void => {}

const tooLong = (name: string): TandemError => {
  const { partName, partValue } = requestBounds
  const reason = `Expected at most ${partName} bytes for the name and ${partValue} for the value of a part but received more`
  return invalidPayload(name.slice(0, 100), reason)
}

const broken = (cause: Error): TandemError =>
  cause instanceof TandemError ? cause : invalidPayload(null, `Expected multipart/form-data: ${cause.message}`, cause)
