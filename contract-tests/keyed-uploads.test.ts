/** `Idempotency-Key` on uploads, imports of files and resumable uploads, in both generations. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { openOwnDatabase } from './own-database.ts'

/** How often the site was asked. */
let asked = 0

const site = createServer((_, answer) => {
  asked += 1
  answer.setHeader('content-type', 'text/plain')
  answer.end(`answer ${asked}`)
}).listen(0, '127.0.0.1')
await new Promise((resolve) => site.once('listening', resolve))
const address = `http://127.0.0.1:${(site.address() as AddressInfo).port}/note.txt`
const own = await openOwnDatabase('create table notes (id serial primary key, text varchar(20) not null)', {
  TUS_ENABLED: 'true',
  IMPORT_IP_DENY_LIST: '192.0.2.1',
  IMPORT_IP_ALLOW_LIST: '127.0.0.0/8',
})
const other = (await own.openReplica()).url
beforeEach(() => own.rows('delete from platform_files'))
afterAll(async () => {
  await own.close()
  site.close()
})

type Sent = { readonly by?: string; readonly headers?: { readonly [name: string]: string } | undefined }

async function send(request: string, key: string, body: BodyInit | null, { by = own.url, headers = {} }: Sent = {}) {
  const [method = '', path = ''] = request.split(' ')
  const sent = { authorization: `Bearer ${own.adminToken}`, 'idempotency-key': key, ...headers }
  const answer = await fetch(`${by}${path}`, { method, headers: sent, body })
  const text = await answer.text()
  const isReplayed = answer.headers.get('idempotency-replayed')
  return { status: answer.status, text, isReplayed, headers: answer.headers }
}

const json = { 'content-type': 'application/json' }
const form = (contents: string, { name = 'a.txt', title = 'A' } = {}): FormData => {
  const parts = new FormData()
  parts.append('title', title)
  parts.append('file', new Blob([contents], { type: 'text/plain' }), name)
  return parts
}

const rows = (text: string): FormData => {
  const parts = new FormData()
  parts.append('file', new Blob([text], { type: 'text/csv' }), 'notes.csv')
  return parts
}

type Made = () => { readonly request: string; readonly body: BodyInit; readonly headers?: Sent['headers'] }

/** A new file; its contents are `hello` unless they come from the site. */
const creations: readonly (readonly [string, Made])[] = [
  ['a form', () => ({ request: 'POST /files', body: form('hello') })],
  ['an import', () => ({ request: 'POST /files/import', body: JSON.stringify({ url: address }), headers: json })],
  ['a form of the legacy generation', () => ({ request: 'POST /_/files', body: form('hello') })],
  [
    'base64 of the legacy generation',
    () => ({
      request: 'POST /_/files',
      body: JSON.stringify({ data: btoa('hello'), filename_download: 'a.txt' }),
      headers: json,
    }),
  ],
]

const countFiles = async (): Promise<unknown> =>
  (await own.rows('select count(*)::int as n from platform_files'))[0]?.['n']
/** Objects that are being written or wait for their deletion. */
const journal = () => own.rows('select storage, key from platform_stored_objects')
const contentsOf = async (id: unknown): Promise<string> => (await send(`GET /assets/${String(id)}`, 'read', null)).text

async function makeFile(contents: string): Promise<string> {
  const { text } = await send('POST /files', crypto.randomUUID(), form(contents))
  return (JSON.parse(text) as { readonly data: { readonly id: string } }).data.id
}

describe('a repetition', () => {
  test.for(creations)('of %s gets the same answer from any replica, and stores nothing', async ([name, made]) => {
    const key = `same-${name.replaceAll(' ', '-')}`
    const before = asked
    const { request, body, headers = {} } = made()
    const first = await send(request, key, body, { headers })
    expect([first.status, first.isReplayed, await countFiles()]).toEqual([200, null, 1])
    const times = asked
    for (const by of [own.url, other]) {
      // A form has another boundary each time.
      const again = await send(request, key, made().body, { headers, by })
      expect([again.status, again.text, again.isReplayed]).toEqual([200, first.text, 'true'])
    }
    await expect.poll(journal).toEqual([])
    expect([await countFiles(), asked - times]).toEqual([1, 0])
    expect(times - before).toBe(name === 'an import' ? 1 : 0)
  })

  test('with other contents, another name or another value is refused', async () => {
    for (const [request, at] of [
      ['POST /files', 'a'],
      ['POST /_/files', 'b'],
    ] as const) {
      const key = `other-${at}`
      expect((await send(request, key, form('hello'))).status).toBe(200)
      for (const body of [form('hallo'), form('hello', { name: 'b.txt' }), form('hello', { title: 'B' })])
        expect((await send(request, key, body, { by: other })).status).toBe(422)
      await expect.poll(journal).toEqual([])
      expect(await countFiles()).toBe(at === 'a' ? 1 : 2)
    }
  })

  test.for<[string, (id: string) => string, (contents: string) => { body: BodyInit; headers?: Sent['headers'] }]>([
    ['new contents', (id) => `PATCH /files/${id}`, (contents) => ({ body: form(contents) })],
    [
      'new contents of the legacy generation',
      () => 'PATCH /_/files/',
      (contents) => ({ body: JSON.stringify({ data: btoa(contents) }), headers: json }),
    ],
  ])('of %s leaves what came after it', async ([name, requestOf, made]) => {
    const id = await makeFile('old')
    const [{ number } = {}] = await own.rows('select number from platform_files')
    const request = name.includes('legacy') ? `${requestOf(id)}${String(number)}` : requestOf(id)
    const key = name.replaceAll(' ', '-')
    const first = await send(request, key, made('new').body, made('new'))
    expect([first.status, await contentsOf(id)]).toEqual([200, 'new'])
    expect((await send(request, `${key}-2`, made('newer').body, made('newer'))).status).toBe(200)
    const again = await send(request, key, made('new').body, { ...made('new'), by: other })
    expect([again.status, again.text, again.isReplayed]).toEqual([200, first.text, 'true'])
    expect((await send(request, key, made('none').body, made('none'))).status).toBe(422)
    expect([await contentsOf(id), await journal()]).toEqual(['newer', []])
  })

  test('of rows in a file writes them once', async () => {
    const request = 'POST /utils/import/notes'
    expect((await send(request, 'rows', rows(`text\n${'x'.repeat(30)}\n`))).status).toBe(400)
    expect((await send(request, 'rows', rows('text\na\nb\n'))).status).toBe(200)
    const again = await send(request, 'rows', rows('text\na\nb\n'), { by: other })
    expect([again.status, again.isReplayed]).toEqual([200, 'true'])
    expect((await send(request, 'rows', rows('text\na\n'), { by: other })).status).toBe(422)
    expect(await own.rows('select text from notes order by id')).toEqual([{ text: 'a' }, { text: 'b' }])
  })

  test('of the steps of a resumable upload', async () => {
    const tus = { 'tus-resumable': '1.0.0' }
    const headers = { ...tus, 'upload-length': '5', 'upload-metadata': `filename_download ${btoa('a.txt')}` }
    const began = await send('POST /files/tus', 'begin', null, { headers })
    const again = await send('POST /files/tus', 'begin', null, { headers, by: other })
    const place = began.headers.get('location') as string
    expect([began.status, again.status, again.isReplayed]).toEqual([201, 201, 'true'])
    expect(again.headers.get('location')).toBe(place)
    const step = { ...tus, 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' }
    const path = new URL(place).pathname
    for (const replayed of [null, 'true']) {
      const sent = await send(`PATCH ${path}`, 'step', 'hello', { headers: step })
      expect([sent.status, sent.headers.get('upload-offset'), sent.isReplayed]).toEqual([204, '5', replayed])
    }
    expect((await send(`PATCH ${path}`, 'step', 'hallo', { headers: step, by: other })).status).toBe(422)
    expect(await countFiles()).toBe(1)
    for (const replayed of [null, 'true']) {
      const sent = await send(`DELETE ${path}`, 'end', null, { headers: tus })
      expect([sent.status, sent.isReplayed]).toEqual([204, replayed])
    }
    const withContents = { ...headers, 'content-type': 'application/offset+octet-stream' }
    expect((await send('POST /files/tus', 'both', 'hello', { headers: withContents })).status).toBe(400)
  })
})

test('a failed upload keeps no answer and no contents', async () => {
  const body = new FormData()
  body.append('folder', crypto.randomUUID())
  body.append('file', new Blob(['hello'], { type: 'text/plain' }), 'a.txt')
  expect((await send('POST /files', 'failed', body)).status).toBe(400)
  expect([await countFiles(), await journal()]).toEqual([0, []])
  expect((await send('POST /files', 'failed', form('hello'))).status).toBe(200)
})

test('the same upload many times at once is one file', async () => {
  const sent = Array.from({ length: 8 }, (_, at) =>
    send('POST /files', 'many', form('hello'), { by: at % 2 === 0 ? own.url : other }),
  )
  const statuses = (await Promise.all(sent)).map(({ status }) => status)
  expect(statuses.filter((status) => status !== 200 && status !== 409)).toEqual([])
  expect([await countFiles(), await journal()]).toEqual([1, []])
})
