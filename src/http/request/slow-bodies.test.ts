import type { IncomingMessage } from 'node:http'
import { expect, test } from 'vitest'
import { streamBody, watchBodies } from './body.ts'

const streamed = (readableLength: number): IncomingMessage => {
  const headers = { 'transfer-encoding': 'chunked' }
  return { headers, socket: { bytesRead: 0 }, readableLength, complete: false, destroyed: false } as IncomingMessage
}

test('a stalled upload is aborted, one that waits for the server is not', () => {
  const expired: IncomingMessage[] = []
  const time = { now: 0 }
  const watch = watchBodies(
    (req) => expired.push(req),
    () => time.now,
  )
  const [empty, waiting] = [streamed(0), streamed(65_536)]
  for (const req of [empty, waiting]) {
    watch.begin(req)
    streamBody(req)
  }
  for (; time.now < 70_000; time.now += 5000) watch.look()
  watch.close()
  expect(expired).toEqual([empty])
})
