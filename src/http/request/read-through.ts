/** A request whose streamed body is summed up while it is read. */
import { createHash, type Hash } from 'node:crypto'
import { pipeline, type Readable, Transform } from 'node:stream'
import type { Part } from '../../domain/ports/uploads.ts'
import { type HttpRequest, isMultipart } from './request.ts'

export type ReadThrough = {
  /** What tells the contents that were read so far from others; null if nothing was read. A boundary of a form is no part of it. */
  readonly digest: () => string | null
  /** Reads the rest of a form or of other contents, and keeps nothing. */
  readonly drain: () => Promise<void>
}

/** From now on `request.parts` and `request.content` sum up what they give. */
export function readThrough(request: HttpRequest): ReadThrough {
  const whole = { parts: request.parts.bind(request), content: request.content.bind(request) }
  const sum = createHash('sha256')
  let isRead = false
  const tell = (message: object): void => {
    isRead = true
    sum.update(`${JSON.stringify(message)}\n`)
  }
  async function* parts(): AsyncGenerator<Part, void> {
    for await (const part of whole.parts()) {
      const { kind, name } = part
      if (part.kind === 'value') {
        tell({ kind, name, value: part.value })
        yield part
        continue
      }
      const { filename, type, stream } = part
      tell({ kind, name, filename, type })
      const through = summed(stream, sum)
      yield { ...part, stream: through }
      // The unread rest is part of what was sent.
      through.resume()
    }
  }
  const content = (): Readable => {
    tell({ kind: 'content' })
    return summed(whole.content(), sum)
  }
  Object.assign(request, { parts, content })
  return {
    digest: () => (isRead ? sum.copy().digest('hex') : null),
    async drain() {
      if (!isMultipart(request)) return drained(content())
      for await (const part of parts()) if (part.kind === 'file') await drained(part.stream)
    },
  }
}

/** The length of each file goes into the sum behind it, so that no text in a file looks like the next part. */
function summed(stream: Readable, sum: Hash): Readable {
  let size = 0
  const through = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length
      sum.update(chunk)
      done(null, chunk)
    },
    flush(done) {
      sum.update(`\n${size}\n`)
      done()
    },
  })
  // The stream itself reports errors to its reader.
  pipeline(stream, through, () => undefined)
  return through
}

async function drained(stream: Readable): Promise<void> {
  for await (const _ of stream);
}
