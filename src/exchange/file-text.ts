/** Decodes text from a file in chunks. */

/** The content of a file: a stream of Node, or chunks that are there already. */
export type Bytes = AsyncIterable<Uint8Array> | Iterable<Uint8Array>

/** An error in a file. `row` starts at 1; 0 is the file as a whole. */
export class FileFault extends Error {
  readonly row: number

  constructor(row: number, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'FileFault'
    this.row = row
  }
}

/** Limit of characters in one row: a row is parsed at once, which must not hold up other requests for long. */
export const longestRow = 2_000_000

export const tooLong = (): FileFault =>
  new FileFault(0, `Expected at most ${longestRow} characters for a row but received more`)

/** Decodes UTF-8 and skips a byte order mark. Throws for other encodings, which would be read as wrong text. */
export async function* textOf(source: Bytes): AsyncGenerator<string, void> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  for await (const bytes of source) {
    const text = decode(decoder, bytes)
    if (text !== '') yield text
  }
  decode(decoder)
}

function decode(decoder: TextDecoder, bytes?: Uint8Array): string {
  try {
    return decoder.decode(bytes, { stream: bytes !== undefined })
  } catch (cause) {
    throw new FileFault(0, 'Expected text in UTF-8', { cause })
  }
}
