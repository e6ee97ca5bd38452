/** What is sent again to a deployment that is too busy to answer. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { type AskOptions, createAsk } from './client.ts'

/** Puts off the first request with the status, and answers the others. Resolves to the status that the caller sees. */
async function askBusy(status: number, request: string, options: AskOptions = {}): Promise<number> {
  let requests = 0
  const server = createServer((_request, response) => {
    requests += 1
    response.writeHead(requests === 1 ? status : 200, { 'retry-after': '0' }).end('{}')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const tokens = { admin: null, reader: null, public: null }
  const { signal } = new AbortController()
  const exchange = await createAsk({ url, tokens, budget: 10_000, repeats: 1, signal })(request, options)
  server.closeAllConnections()
  server.close()
  return exchange.status
}

test.each<[string, number, AskOptions, number]>([
  ['GET /items', 503, {}, 200],
  ['SEARCH /items', 503, {}, 200],
  ['GET /items', 429, {}, 200],
  ['POST /items', 429, {}, 200],
  ['POST /items', 503, {}, 503],
  ['POST /items', 503, { isRefusal: true }, 200],
  ['DELETE /items/1', 500, { isRefusal: true }, 500],
])('%s after a %i with %j ends with %i', async (request, status, options, expected) => {
  expect(await askBusy(status, request, options)).toBe(expected)
})
