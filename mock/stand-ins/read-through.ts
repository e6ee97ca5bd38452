/** Forms as they come in a browser: all parts are there, so each is read at once. */
import type { Part } from '../../src/domain/ports/uploads.ts'
import type { ReadThrough } from '../../src/http/request/read-through.ts'
import type { HttpRequest } from '../../src/http/request/request.ts'
import { Buffer } from './buffer.ts'
import { createHash } from './crypto.ts'
import { Readable } from './stream.ts'

const { concat } = Buffer as { readonly concat: (all: readonly Uint8Array[]) => Uint8Array }

export function readThrough(request: HttpRequest): ReadThrough {
  const whole = request.parts.bind(request)
  const descriptions: string[] = []
  async function* parts(): AsyncGenerator<Part, void> {
    for await (const part of whole()) {
      if (part.kind === 'value') {
        descriptions.push(JSON.stringify(part))
        yield part
        continue
      }
      const { stream, ...description } = part
      const chunks: Uint8Array[] = []
      for await (const chunk of stream) chunks.push(chunk as Uint8Array)
      descriptions.push(JSON.stringify([description, createHash('sha256').update(concat(chunks)).digest('hex')]))
      yield { ...part, stream: Readable.from(chunks) as never }
    }
  }
  Object.assign(request, { parts })
  return {
    digest: () => (descriptions.length === 0 ? null : descriptions.join('\n')),
    async drain() {
      for await (const _ of parts());
    },
  }
}
