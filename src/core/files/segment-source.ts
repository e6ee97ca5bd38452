/** Reads a stream in pieces of limited size. */
import type { Readable } from 'node:stream'

export type Source = {
  readonly hasMore: () => Promise<boolean>
  /** Yields up to so many bytes. */
  readonly take: (bytes: number) => AsyncGenerator<Buffer>
}

/** Creates the source. A failing stream ends normally, so that the bytes received so far are kept. */
export function createSource(stream: Readable): Source {
  const chunks = stream[Symbol.asyncIterator]() as AsyncIterator<Buffer>
  let ahead: Buffer | null = null
  const next = async (): Promise<Buffer | null> => {
    const existing = ahead
    ahead = null
    if (existing !== null) return existing
    try {
      const { done = false, value } = await chunks.next()
      return done ? null : value
    } catch {
      return null
    }
  }
  return {
    async hasMore() {
      do ahead = await next()
      while (ahead?.length === 0)
      return ahead !== null
    },
    async *take(bytes) {
      for (let left = bytes; left > 0; ) {
        const chunk = await next()
        if (chunk === null) return
        if (chunk.length > left) ahead = chunk.subarray(left)
        left -= Math.min(left, chunk.length)
        yield ahead === null ? chunk : chunk.subarray(0, chunk.length - ahead.length)
      }
    },
  }
}
