/** Tandem below a path of another application: everything that holds an address keeps to the path. */
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import express from 'express'
import { afterAll, expect, test } from 'vitest'
import { createRobots } from './http/pages/robots.ts'
import { unpackArchive } from './sql/testing/test-database.ts'
import { createTandem } from './tandem.ts'

const folder = mkdtempSync(join(tmpdir(), 'tandem-mounted-'))
const account = {
  ADMIN_EMAIL: 'first@example.com',
  ADMIN_PASSWORD: 'correct-horse-42',
  ADMIN_TOKEN: 'a-token-of-more-than-sixteen',
}

await unpackArchive(join(folder, 'database'))
const cheap = { HASH_MEMORY_COST: '1024', LOGIN_STALL_TIME: '0' }
const tandem = await createTandem({
  ...account,
  ...cheap,
  DATA_DIR: folder,
  TUS_ENABLED: true,
  SERVER_TIMING: 'true',
  LOG_LEVEL: 'silent',
})
const server = express()
  .use((req, res, next) => (req.get('x-blocked') === undefined ? next() : void res.status(403).send('blocked')))
  .use('/data', tandem.app)
  .get('/data/hello', (_req, res) => void res.json({ hello: 'a route of our own' }))
  .listen(0, '127.0.0.1')
await once(server, 'listening')
const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
afterAll(async () => {
  server.close()
  server.closeAllConnections()
  await tandem.close()
  rmSync(folder, { recursive: true, force: true })
})

const authorization = `Bearer ${account.ADMIN_TOKEN}`

type Init = Omit<RequestInit, 'headers'> & { readonly headers?: Readonly<Record<string, string>> }

const ask = (path: string, init: Init = {}): Promise<Response> =>
  fetch(new URL(path, origin), { redirect: 'manual', ...init, headers: { authorization, ...init.headers } })

const post = (path: string, body: object, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${origin}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })

const dataOf = async <T>(answer: Response): Promise<T> => ((await answer.json()) as { data: T }).data

const stationsOf = (answer: Response): readonly string[] =>
  [...(answer.headers.get('server-timing') ?? '').matchAll(/(\w+);dur=\d+\.\d\d/g)].map(([, name]) => name ?? '')

test('administrators are told how long each station took, in both generations, and nobody else is', async () => {
  const read = ['validate', 'authenticate', 'parse', 'authorize', 'compile', 'run', 'serialize']
  expect(stationsOf(await ask('/data/users'))).toEqual(read)
  expect(stationsOf(await ask('/data/_/users'))).toEqual(read)
  expect(stationsOf(await ask('/data/users', { headers: { authorization: '' } }))).toEqual([])
  expect(stationsOf(await ask('/data/users?limit=many'))).toEqual([])
})

test('a login sets its cookie for the path, and the cookie refreshes the session there', async () => {
  const { ADMIN_EMAIL: email, ADMIN_PASSWORD: password } = account
  const login = await post('/data/auth/login', { email, password, mode: 'cookie' })
  const [cookie = ''] = login.headers.getSetCookie()
  expect(cookie).toMatch(/^platform_refresh_token=[^;]+; .*Path=\/data;/)
  const refresh = await post('/data/auth/refresh', { mode: 'cookie' }, { cookie: cookie.split(';', 1)[0] as string })
  expect(refresh.status).toBe(200)
  expect(refresh.headers.getSetCookie()[0]).toContain('; Path=/data;')
})

const meBy = async (headers: HeadersInit) => {
  const answer = await fetch(`${origin}/data/users/me`, { headers })
  return [answer.status, answer.headers.getSetCookie()]
}

test('a session cookie whose token is refused is deleted; it stays where something else is refused', async () => {
  const { ADMIN_EMAIL: email, ADMIN_PASSWORD: password } = account
  const login = await post('/data/auth/login', { email, password, mode: 'session' })
  const cookie = login.headers.getSetCookie()[0]?.split(';', 1)[0] as string
  expect((await post('/data/auth/logout', { mode: 'session' }, { cookie })).status).toBe(204)
  const deleted = [
    'platform_session_token=; Max-Age=0; Path=/data; Expires=Thu, 01 Jan 1970 00:00:00 GMT; HttpOnly; SameSite=Lax',
  ]
  expect(await meBy({ cookie })).toEqual([401, deleted])
  expect(await meBy({ cookie: 'platform_session_token=a.b.c' })).toEqual([401, deleted])
  expect(await meBy({ cookie, authorization: 'Bearer not-a-token' })).toEqual([401, []])
  const wrong = await post('/data/auth/login', { email, password: 'wrong' }, { cookie })
  expect([wrong.status, wrong.headers.getSetCookie()]).toEqual([401, []])
})

test('the legacy cookie is set and deleted for the path', async () => {
  const { ADMIN_EMAIL: email, ADMIN_PASSWORD: password } = account
  const login = await post('/data/_/auth/authenticate', { email, password, mode: 'cookie' })
  expect(login.headers.getSetCookie()[0]).toContain('; Path=/data;')
  const wrong = await fetch(`${origin}/data/_/files`, { headers: { cookie: 'platform-_-session=not-a-token' } })
  expect([wrong.status, wrong.headers.getSetCookie()[0]]).toEqual([
    401,
    'platform-_-session=; Path=/data; Max-Age=0; SameSite=Lax; HttpOnly',
  ])
})

test('a list for spreadsheets is a file of type csv that begins with a byte order mark', async () => {
  const answer = await ask('/data/users?fields=email&export=csv_utf8')
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(await answer.arrayBuffer())
  expect([answer.headers.get('content-type'), text]).toEqual([
    'text/csv; charset=utf-8',
    `\uFEFF"email"\r\n"${account.ADMIN_EMAIL}"\r\n`,
  ])
  expect(answer.headers.get('content-disposition')).toMatch(/^attachment; filename="platform_users \d{8}-\d{6}\.csv"/)
})

test('the reference is below the path, and leads to its files relatively', async () => {
  const bare = await ask('/data/docs')
  expect([bare.status, new URL(bare.headers.get('location') as string, bare.url).pathname]).toEqual([
    302,
    '/data/docs/',
  ])
  expect(await (await ask('/data/docs/')).text()).toContain('<div id="reference">')
  expect((await ask('/data/docs/swagger-ui.css')).status).toBe(200)
  expect((await ask('/docs/')).status).toBe(404)
})

test('the icon is where browsers look for one', async () => {
  const [icon, asked] = await Promise.all([ask('/data/docs/icon.svg'), ask('/data/favicon.ico')])
  expect([asked.status, asked.headers.get('content-type')]).toEqual([200, 'image/svg+xml'])
  expect(await asked.text()).toBe(await icon.text())
  expect((await ask('/data/favicon.ico/more')).status).toBe(404)
})

test('search engines are told that they may read nothing, unless the operator says what', async () => {
  const answer = await ask('/data/robots.txt')
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8'])
  expect(await answer.text()).toBe('User-agent: *\nDisallow: /\n')
  expect((await ask('/data/robots.txt/more')).status).toBe(404)
  expect(await createRobots('User-agent: a')('/robots.txt')).toMatchObject({
    body: { text: 'User-agent: a' },
  })
})

test('addresses of files lead to their contents', async () => {
  const form = new FormData()
  const drawing = '<svg xmlns="http://www.w3.org/2000/svg" width="4" height="4"><rect width="4" height="4"/></svg>'
  form.append('file', new File([drawing], 'a.svg', { type: 'image/svg+xml' }))
  const { id } = await dataOf<{ id: string }>(await ask('/data/files', { method: 'POST', body: form }))
  expect(await (await ask(`/data/assets/${id}`)).text()).toBe(drawing)
  type Row = { data: { url: string; full_url: string; asset_url: string } }
  const [row] = await dataOf<Row[]>(await ask('/data/_/files?fields=*'))
  const { url, full_url: full, asset_url: asset } = (row as Row).data
  expect([full, asset.startsWith('/data/_/assets/')]).toEqual([`${origin}${url}`, true])
  for (const each of [url, full, asset]) expect(await (await ask(each)).text()).toBe(drawing)
})

test('an upload in pieces goes on where its address says', async () => {
  const tus = { 'tus-resumable': '1.0.0' }
  const begun = await ask('/data/files/tus', {
    method: 'POST',
    headers: {
      ...tus,
      'upload-length': '4',
      'upload-metadata': `filename_download ${btoa('b.txt')},type ${btoa('text/plain')}`,
    },
  })
  const address = begun.headers.get('location') as string
  expect([begun.status, address.startsWith(`${origin}/data/files/tus/`)]).toEqual([201, true])
  const type = 'application/offset+octet-stream'
  const sent = await ask(address, {
    method: 'PATCH',
    headers: { ...tus, 'upload-offset': '0', 'content-type': type },
    body: 'abcd',
  })
  expect([sent.status, sent.headers.get('upload-offset')]).toEqual([204, '4'])
})

test('links to the pages of a legacy list work', async () => {
  const answer = await ask('/data/_/files?meta=*&limit=1')
  const { meta } = (await answer.json()) as { meta: { links: { self: string; current: string } } }
  expect(meta.links.self).toBe(`${origin}/data/_/files`)
  expect((await ask(meta.links.current)).status).toBe(200)
})

test('paths of nobody are unknown in the form of the generation', async () => {
  expect(await (await ask('/data/nothing/here')).json()).toMatchObject({ error: { code: 'ROUTE_NOT_FOUND' } })
})

test('only the settings given count, and wrong ones are named', async () => {
  await expect(createTandem({ DATA_DIR: folder, PORT: 'many' })).rejects.toThrow('PORT: expected')
  await expect(createTandem({ DATA_DIR: folder, STORAGE_LOCATIONS: 'a', STORAGE_A_DRIVER: 'b' })).rejects.toThrow(
    'STORAGE_A_DRIVER',
  )
})

test('middleware before it and routes after it work', async () => {
  const refused = await ask('/data/users/me', { headers: { 'x-blocked': 'yes' } })
  expect([refused.status, await refused.text()]).toEqual([403, 'blocked'])
  expect((await ask('/data/users/me')).status).toBe(200)
  expect(await (await ask('/data/hello')).json()).toEqual({ hello: 'a route of our own' })
})
