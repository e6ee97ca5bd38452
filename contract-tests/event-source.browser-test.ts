/** `EventSource` of Chromium: changes come, and after a break those that were missed, once each. */

import type { AddressInfo } from 'node:net'
import { connect as connectTo, createServer, type Socket } from 'node:net'
import { chromium } from 'playwright-core'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { browserOptions } from './browser.ts'
import { openOwnDatabase } from './own-database.ts'

const tables = `
  create table notes (id serial primary key, text text not null);
  insert into platform_collections (collection, singleton) values ('notes', false)`
const own = await openOwnDatabase(tables)
const browser = await chromium.launch(browserOptions())
beforeEach(() => own.rows('truncate notes restart identity'))
afterAll(async () => {
  await browser.close()
  await own.close()
})

/** Passes connections on to the server, until they are cut. */
async function openLine() {
  const sockets = new Set<Socket>()
  const line = { isCut: false }
  const server = createServer((socket) => {
    if (line.isCut) return void socket.destroy()
    const target = connectTo(Number(new URL(own.url).port), '127.0.0.1')
    for (const each of [socket, target]) {
      sockets.add(each)
      each.on('error', () => undefined)
      each.on('close', () => sockets.delete(each))
    }
    socket.pipe(target).pipe(socket)
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut() {
      line.isCut = true
      for (const each of sockets) each.destroy()
    },
    mend() {
      line.isCut = false
    },
    close: () => server.close(),
  }
}

const write = async (request: string, body?: unknown): Promise<void> => {
  const { status } = await own.ask(request, body === undefined ? {} : { body })
  expect(status).toBeLessThan(300)
}

type Told = { readonly event: string; readonly data: unknown }

test('an EventSource that loses its connection comes back and misses nothing', async () => {
  const line = await openLine()
  const page = await browser.newPage()
  await page.goto(`${line.url}/server/ping`)
  await page.evaluate((url) => {
    const told: Told[] = []
    const source = new EventSource(url)
    for (const event of ['ready', 'create', 'update', 'delete', 'reset'])
      source.addEventListener(event, ({ data }) => told.push({ event, data: JSON.parse(data) as unknown }))
    Object.assign(globalThis, { told })
  }, `/items/notes/changes?fields=text&access_token=${own.adminToken}`)
  const told = () => page.evaluate(() => (globalThis as unknown as { readonly told: Told[] }).told)
  const count = async () => (await told()).length
  await expect.poll(told, { timeout: 20_000 }).toEqual([{ event: 'ready', data: {} }])
  await write('POST /items/notes', { text: 'a' })
  await expect.poll(count, { timeout: 20_000 }).toBe(2)
  line.cut()
  await write('PATCH /items/notes/1', { text: 'b' })
  await write('POST /items/notes', { text: 'c' })
  await write('DELETE /items/notes/1')
  line.mend()
  await expect.poll(count, { timeout: 20_000 }).toBe(6)
  await write('PATCH /items/notes/2', { text: 'd' })
  await expect.poll(count, { timeout: 20_000 }).toBe(7)
  expect(await told()).toEqual([
    { event: 'ready', data: {} },
    { event: 'create', data: { text: 'a' } },
    { event: 'ready', data: {} },
    { event: 'update', data: { text: 'b' } },
    { event: 'create', data: { text: 'c' } },
    { event: 'delete', data: 1 },
    { event: 'update', data: { text: 'd' } },
  ])
  await page.close()
  line.close()
})
