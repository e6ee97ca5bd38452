import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, expect, test } from 'vitest'
import { createAddressRule } from './addresses.ts'
import { createOutbound } from './client.ts'
import type { Resolve } from './guarded-fetch.ts'
import { createWebhookSender } from './webhook-sender.ts'

const answer: RequestListener = (req, res) => {
  const path = req.url ?? ''
  if (path.startsWith('/to/')) return void res.writeHead(302, { location: decodeURIComponent(path.slice(4)) }).end()
  if (path === '/loop') return void res.writeHead(301, { location: '/loop' }).end()
  if (path === '/slow') return void res.writeHead(200).write('begun')
  if (path === '/gone') return void res.writeHead(404).end('no')
  res.writeHead(200, { 'content-type': 'Text/Plain; charset=utf-8' }).end(`at ${path}`)
}
let requests = 0

const server = createServer((req, res) => {
  requests += 1
  answer(req, res)
})
await new Promise<void>((resolve) => void server.listen(0, '0.0.0.0', resolve))
const port = (server.address() as AddressInfo).port
afterAll(async () => {
  server.closeAllConnections()
  await new Promise((resolve) => void server.close(resolve))
})

const publicOnly = createOutbound(createAddressRule({ denied: ['0.0.0.0'], allowed: [] }))
/** 127.0.0.1 stands for the public internet, all other addresses are as private as they are. */
const oneAddress = createOutbound((address) => address === '127.0.0.1' || address === '::ffff:127.0.0.1')
afterAll(() => Promise.all([publicOnly.close(), oneAddress.close()]))

const options = { timeout: 5000 }
const to = (path: string): string => `http://127.0.0.1:${port}${path}`

test('a file is read with its type, and where it was in the end', async () => {
  const found = await oneAddress.fetchFile(to(`/to/${encodeURIComponent('/a/b.txt')}`), options)
  expect([found.url.pathname, found.type]).toEqual(['/a/b.txt', 'text/plain'])
  expect(await text(found.stream)).toBe('at /a/b.txt')
})

test.each([
  '127.0.0.1',
  'localhost',
  '127.1',
  '2130706433',
  '0x7f000001',
  '0177.0.0.1',
  '0.0.0.0',
  '127.9.9.9',
  '[::1]',
  '[::]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[64:ff9b::7f00:1]',
])('%s is never connected to', async (host) => {
  const before = requests
  await expect(publicOnly.fetchFile(`http://${host}:${port}/`, options)).rejects.toThrow('unavailable')
  expect(requests).toBe(before)
})

test('the address that a connection really has is checked too', async () => {
  const seen = new Set<string>()
  // A name that had an allowed address when it was looked up, and has another one now.
  const rebound = createOutbound((address) => seen.size < seen.add(address).size)
  const before = requests
  await expect(rebound.fetchFile(`http://localhost:${port}/`, options)).rejects.toThrow('unavailable')
  expect([[...seen].includes('127.0.0.1'), requests]).toEqual([true, before])
  await rebound.close()
})

test('a webhook whose name leads to a private address after the first delivery is sent nothing more', async () => {
  let address = '127.0.0.1'
  const names: string[] = []
  const resolve = ((host: string, _options: object, done: (error: null, found: object[]) => void) => {
    names.push(host)
    done(null, [{ address, family: 4 }])
  }) as unknown as Resolve
  const { send, close } = createWebhookSender((each) => each === '127.0.0.1', {
    timeout: 5000,
    connections: 1,
    resolve,
  })
  const request = { url: `http://receiver.example:${port}/`, method: 'POST', headers: {}, body: '{}' } as const
  const before = requests
  expect(await send(request)).toEqual({ status: 200, retryAfter: null })
  address = '127.0.0.2'
  // The connection that is open leads to the receiver still.
  expect(await send(request)).toEqual({ status: 200, retryAfter: null })
  server.closeAllConnections()
  await expect(send(request)).rejects.toThrow()
  await expect(send(request)).rejects.toThrow('The address is not allowed')
  expect([requests - before, new Set(names)]).toEqual([2, new Set(['receiver.example'])])
  address = '127.0.0.1'
  expect(await send(request)).toEqual({ status: 200, retryAfter: null })
  await close()
})

test('a redirect leads no further than a request', async () => {
  const before = requests
  for (const place of [
    `http://127.0.0.2:${port}/`,
    `http://localhost.localdomain:${port}/`,
    `http://[::1]:${port}/`,
    'file:///etc/passwd',
    'ftp://127.0.0.1/',
  ]) {
    await expect(oneAddress.fetchFile(to(`/to/${encodeURIComponent(place)}`), options)).rejects.toThrow('unavailable')
  }
  expect(requests).toBe(before + 5)
})

test('redirects without end, failures and silence are one answer', async () => {
  for (const path of ['/loop', '/gone']) {
    await expect(oneAddress.fetchFile(to(path), options)).rejects.toMatchObject({
      failures: [
        {
          kind: 'unavailable',
          service: 'external-file',
          reason: expect.stringMatching(/^The file could not be fetched\. Private .* IMPORT_IP_ALLOW_LIST /),
        },
      ],
    })
  }
})

test('a file that does not end is cut off', async () => {
  const { stream } = await oneAddress.fetchFile(to('/slow'), { timeout: 100 })
  await expect(text(stream)).rejects.toThrow()
})

test.each([
  'file:///etc/passwd',
  'ftp://example.com/',
  'no address',
  'http://user:secret@example.com/',
  'javascript:1',
  '',
])('%j is no address of the web', async (address) => {
  await expect(publicOnly.fetchFile(address, options)).rejects.toThrow('invalid-payload')
})

test.each([
  ['93.184.215.14', true],
  ['2606:4700:4700::1111', true],
  ['10.0.0.1', false],
  ['172.16.0.1', false],
  ['192.168.1.1', false],
  ['169.254.169.254', false],
  ['100.64.0.1', false],
  ['224.0.0.1', false],
  ['255.255.255.255', false],
  ['fe80::1', false],
  ['fc00::1', false],
  ['ff02::1', false],
  ['2002:7f00:1::', false],
  ['::ffff:10.0.0.1', false],
  ['::7f00:1', false],
  ['::10.0.0.1', false],
  ['::ffff:0:10.0.0.1', false],
  ['64:ff9b:1::a00:1', false],
  ['fec0::1', false],
  ['4000::1', false],
  ['168.63.129.16', false],
  ['100.100.100.200', false],
  ['192.0.0.192', false],
  ['fd00:ec2::254', false],
  ['::ffff:93.184.215.14', true],
  ['8.8.8.8', false],
  ['9.9.9.9', false],
  ['2001:4860::8888', false],
  ['no address', false],
])('%s: %s', (address, allowed) => {
  expect(createAddressRule({ denied: ['8.8.8.8', '9.9.0.0/16', '2001:4860::/32'], allowed: [] })(address)).toBe(allowed)
})

const allowed = [
  '10.0.0.0/8',
  '::ffff:192.168.1.0/120',
  'fd00::/8',
  '127.0.0.0/8',
  '0.0.0.0/8',
  '169.254.0.0/16',
  '::1',
]
const someNetworks = createAddressRule({ denied: ['0.0.0.0', '169.254.169.254', '10.9.0.0/16'], allowed })

test.each([
  ['10.0.0.1', true],
  ['::ffff:10.0.0.1', true],
  ['192.168.1.7', true],
  ['fd12::1', true],
  ['93.184.215.14', true],
  ['169.254.1.1', true],
  // Networks that are not listed.
  ['192.168.2.7', false],
  ['172.16.0.1', false],
  ['fe80::1', false],
  // The deny list wins, and this host is on it under each of its addresses.
  ['10.9.1.1', false],
  ['169.254.169.254', false],
  ['127.0.0.1', false],
  ['127.9.9.9', false],
  ['::ffff:127.0.0.1', false],
  ['0.0.0.0', false],
  ['::1', false],
])('with private networks allowed, %s: %s', (address, expected) => {
  expect(someNetworks(address)).toBe(expected)
})

test('a file is fetched from this host where it is allowed and not denied', async () => {
  const open = createOutbound(createAddressRule({ denied: [], allowed: ['127.0.0.1'] }))
  expect(await text((await open.fetchFile(to('/a.txt'), options)).stream)).toBe('at /a.txt')
  await expect(open.fetchFile(`http://127.0.0.2:${port}/`, options)).rejects.toThrow('unavailable')
  await open.close()
})
