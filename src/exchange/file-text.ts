/** Text out of a file, piece by piece, and what may be wrong with it. */
import type { Readable } from 'node:stream'

/** What is wrong with a file; `row` counts from 1, 0 is the file itself. */
export class FileFault extends Error {
  readonly row: number

  constructor(row: number, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'FileFault'
    this.row = row
  }
}

/** Characters of one row at most: what never ends must not be gathered. */
export const longestRow = 10_000_000

export const tooLong = (): FileFault => new FileFault(0, 'Expected shorter rows')

/** UTF-8 without its mark. Bytes of another encoding are refused: read as this one they would become other text. */
export async function* textOf(source: Readable): AsyncGenerator<string, void> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  for await (const bytes of source as AsyncIterable<Buffer>) {
    const text = decode(decoder, bytes)
    if (text !== '') yield text
  }
  decode(decoder)
}

function decode(decoder: TextDecoder, bytes?: Buffer): string {
  try {
    return decoder.decode(bytes, { stream: bytes !== undefined })
  } catch (cause) {
    throw new FileFault(0, 'Expected text in UTF-8', { cause })
  }
}
