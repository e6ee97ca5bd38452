/** `node:stream` in the bundle: contents that are there already. */
export class Readable {
  readonly errored: Error | null = null
  readonly source: Iterable<unknown> | AsyncIterable<unknown>

  constructor(source: Iterable<unknown> | AsyncIterable<unknown>) {
    this.source = source
  }

  static from = (source: Iterable<unknown> | AsyncIterable<unknown>): Readable => new Readable(source)

  async *[Symbol.asyncIterator](): AsyncGenerator {
    yield* this.source
  }

  destroy(): this {
    return this
  }
}
