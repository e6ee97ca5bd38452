import { Readable } from 'node:stream'
import type { Part } from '../../../src/domain/ports/upload.ts'
import { invalidPayload } from '../../../src/domain/rights/errors.ts'

/** In the order of the request. */
export async function* partsOf(request: Request): AsyncGenerator<Part> {
  const form = await request
    .clone()
    .formData()
    .catch((cause: unknown) => {
      throw invalidPayload(null, 'Expected a form for the body but received something else', cause)
    })
  for (const [name, value] of form as unknown as Iterable<readonly [string, string | File]>) {
    if (typeof value === 'string') {
      yield { kind: 'value', name, value }
      continue
    }
    const stream = Readable.from([Buffer.from(await value.arrayBuffer())])
    const filename = value.name === '' ? null : value.name
    yield { kind: 'file', name, filename, type: value.type.split(';', 1)[0] ?? '', stream }
  }
}
