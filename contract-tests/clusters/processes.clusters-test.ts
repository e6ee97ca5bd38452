/** Three processes of Tandem over one database, of which one is killed and started again and again under load. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findFreePort, type PostgresCluster, startCluster, until } from './postgres-cluster.ts'
import { ask, password, type Replica, replicaOf, usualSettings } from './processes.ts'
import { adminToken } from './tandem.ts'

const kills = Number(process.env['CLUSTER_KILLS'] ?? 2)
const redis = process.env['TEST_REDIS_URL']

const stores: readonly (readonly [string, { readonly [name: string]: string }])[] = [
  ['without Redis', {}],
  ...(redis === undefined
    ? []
    : ([['with Redis', { REDIS: redis, RATE_LIMITER_STORE: 'redis', CACHE_STORE: 'redis' }]] as const)),
]

describe.each(stores)('%s', (name, more) => {
  let cluster: PostgresCluster
  let replicas: readonly Replica[] = []
  const folder = mkdtempSync(join(tmpdir(), 'tandem-processes-'))

  beforeAll(async () => {
    cluster = await startCluster()
    await cluster.primary.query('create table notes (id serial primary key, title text unique)')
    const settings = {
      ...usualSettings,
      TUS_ENABLED: 'true',
      ...more,
      DB_CONNECTION_STRING: cluster.primary.url,
      DATA_DIR: folder,
    }
    const named = { CACHE_NAMESPACE: `clusters-${crypto.randomUUID()}` }
    const ports = [await findFreePort(), await findFreePort(), await findFreePort()]
    replicas = ports.map((port) => replicaOf({ ...settings, ...named, PORT: String(port) }))
    for (const replica of replicas) await replica.start()
  })
  afterAll(async () => {
    for (const replica of replicas) await replica.kill()
    await cluster?.close()
    rmSync(folder, { recursive: true, force: true })
  })

  const urls = (): readonly [string, string, string] => replicas.map(({ url }) => url) as [string, string, string]

  test('a session counts on all of them, and ends on all of them', async () => {
    const [one, two, three] = urls()
    const login = await ask(one, 'POST /auth/login', { body: { email: 'admin@example.com', password }, token: null })
    const { access_token: token, refresh_token: refresh } = login.data as {
      access_token: string
      refresh_token: string
    }
    for (const url of [one, two, three]) expect((await ask(url, 'GET /users/me', { token })).status).toBe(200)
    const refreshes = await Promise.all(
      [one, two, three].map((url) => ask(url, 'POST /auth/refresh', { body: { refresh_token: refresh }, token: null })),
    )
    expect(refreshes.filter(({ status }) => status === 200)).toHaveLength(1)
    await until(async () => (await ask(two, 'GET /users/me', { token })).status === 401)
  })

  test('a deleted key counts nowhere at the next request', async () => {
    const [one, two, three] = urls()
    const made = await ask(one, 'POST /keys', { body: { name: 'Everywhere' } })
    const { id, key: token } = made.data as { id: string; key: string }
    for (const url of [one, two, three]) expect((await ask(url, 'GET /items/notes', { token })).status).toBe(200)
    expect((await ask(two, `DELETE /keys/${id}`)).status).toBe(204)
    for (const url of [three, one, two]) expect((await ask(url, 'GET /items/notes', { token })).status).toBe(401)
  })

  test('a change of the model reaches all of them', async () => {
    const [one, ...others] = urls()
    expect((await ask(one, 'POST /fields/notes', { body: { field: 'color', type: 'string' } })).status).toBe(200)
    for (const url of others) await until(async () => (await ask(url, 'GET /items/notes?fields=color')).status === 200)
  })

  if (name === 'with Redis')
    test('the requests of a key are counted together', async () => {
      const [one, two, three] = urls()
      const made = await ask(one, 'POST /keys', { body: { name: 'Limited', max_requests: 5 } })
      const { key: token } = made.data as { key: string }
      const statuses: number[] = []
      for (const url of [one, two, three, one, two, three])
        statuses.push((await ask(url, 'GET /items/notes', { token })).status)
      expect(statuses).toEqual([200, 200, 200, 200, 200, 429])
    })

  test('an upload is begun at one, continued at another, and ended at a third', async () => {
    const [one, two, three] = urls()
    const headers = { authorization: `Bearer ${adminToken}`, 'tus-resumable': '1.0.0' }
    const begun = await fetch(`${one}/files/tus`, {
      method: 'POST',
      headers: {
        ...headers,
        'upload-length': '12',
        'upload-metadata': `filename ${btoa('a.txt')},filetype ${btoa('text/plain')}`,
      },
    })
    expect(begun.status).toBe(201)
    const path = new URL(begun.headers.get('location') ?? '', one).pathname
    const sent = [
      [two, 'abcd'],
      [three, 'efgh'],
      [one, 'ijkl'],
    ] as const
    for (const [at, [url, body]] of sent.entries()) {
      const offset = String(at * 4)
      expect((await fetch(url + path, { method: 'HEAD', headers })).headers.get('upload-offset')).toBe(offset)
      const type = { 'content-type': 'application/offset+octet-stream', 'upload-offset': offset }
      expect((await fetch(url + path, { method: 'PATCH', headers: { ...headers, ...type }, body })).status).toBe(204)
    }
    const [file] = (await ask(two, 'GET /files?fields=id,filesize')).data as [{ id: string; filesize: string }]
    for (const url of [one, two, three])
      expect(await (await fetch(`${url}/assets/${file.id}`, { headers })).text()).toBe('abcdefghijkl')
  })

  test('what counts once counts once on all of them together', async () => {
    const places = urls()
    const note = (await ask(places[0], 'POST /items/notes', { body: { title: 'shared' } })).data as { id: number }
    const share = (
      await ask(places[0], 'POST /shares', { body: { collection: 'notes', item: String(note.id), max_uses: 1 } })
    ).data as { id: string }
    const opened = await Promise.all(
      places.map((url) => ask(url, 'POST /shares/auth', { body: { share: share.id }, token: null })),
    )
    expect(opened.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 401, 401])

    const asked = await ask(places[1], 'POST /auth/password/request', {
      body: { email: 'admin@example.com' },
      token: null,
    })
    expect(asked.status).toBe(204)
    const mails = join(folder, 'mail')
    const tokenOf = (file: string): string | undefined =>
      /token=([\w.-]+)/.exec(
        readFileSync(join(mails, file), 'utf8').replaceAll('=\r\n', '').replaceAll('=3D', '='),
      )?.[1]
    // A mail may be there before all of its text is.
    let token: string | undefined
    await until(async () => {
      token = readdirSync(mails)
        .map(tokenOf)
        .find((each) => each !== undefined)
      return token !== undefined
    })
    const body = { token, password }
    const reset = await Promise.all(places.map((url) => ask(url, 'POST /auth/password/reset', { body, token: null })))
    expect(reset.filter(({ status }) => status === 204)).toHaveLength(1)
  })

  test('who followed changes at one goes on at another, and misses none', async () => {
    const [one, two, three] = urls()
    const first = await changesSince(one, '', async () => {
      await ask(two, 'POST /items/notes', { body: { title: 'told' } })
    })
    expect(first.titles).toEqual(['told'])
    for (const [at, url] of [one, two, three].entries())
      await ask(url, 'POST /items/notes', { body: { title: `missed ${at}` } })
    const second = await changesSince(
      three,
      first.last,
      async () => {
        await ask(one, 'POST /items/notes', { body: { title: 'told again' } })
      },
      4,
    )
    expect(second.titles).toEqual(['missed 0', 'missed 1', 'missed 2', 'told again'])
  })

  test('while one is killed and started, nothing acknowledged is lost, and no answer is old', async () => {
    const [steady, other] = urls()
    const third = replicas[2] as Replica
    const state = { isOver: false, stale: 0, reads: 0 }
    const acknowledged: string[] = []
    const write = async (number: number): Promise<void> => {
      for (let at = 0; !state.isOver; at += 1) {
        const title = `${number}-${at}`
        const url = [steady, other, third.url][at % 3] as string
        const answer = await ask(url, 'POST /items/notes', { body: { title } }).catch(() => null)
        if (answer?.status === 200) acknowledged.push(title)
      }
    }
    const read = async (): Promise<void> => {
      while (!state.isOver) {
        const last = acknowledged.at(-1)
        if (last === undefined) {
          await new Promise((resolve) => setTimeout(resolve, 5))
          continue
        }
        await new Promise((resolve) => setTimeout(resolve, 250))
        const found = await ask(other, 'GET /items/notes?fields=title&limit=-1&sort=id').catch(() => null)
        if (found?.status !== 200) continue
        state.reads += 1
        const titles = (found.data as readonly { readonly title: string }[]).map(({ title }) => title)
        if (!titles.includes(last)) state.stale += 1
      }
    }
    const working = Promise.all([write(0), write(1), read()])
    for (let count = 0; count < kills; count += 1) {
      await new Promise((resolve) => setTimeout(resolve, 500))
      await third.kill()
      await third.start()
    }
    state.isOver = true
    await working
    const kept = new Set((await cluster.primary.query('select title from notes')).map(({ title }) => title))
    expect(acknowledged.filter((title) => !kept.has(title))).toEqual([])
    expect([state.stale, state.reads > 0, acknowledged.length > 0]).toEqual([0, true, true])
    console.log(
      `${name}: ${kills} kills, ${acknowledged.length} writes acknowledged, 0 lost; ${state.reads} reads, 0 stale`,
    )
  })
})

/** Follows the notes behind an event until as many were told; `work` is done once the server listens. */
async function changesSince(url: string, last: string, work: () => Promise<void>, count = 1) {
  const ended = new AbortController()
  const answer = await fetch(`${url}/items/notes/changes`, {
    headers: {
      authorization: `Bearer ${adminToken}`,
      accept: 'text/event-stream',
      ...(last === '' ? {} : { 'last-event-id': last }),
    },
    signal: ended.signal,
  })
  const titles: string[] = []
  let id = last
  let text = ''
  let isWorking = false
  for await (const piece of answer.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += piece
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const lines = new Map(
        text
          .slice(0, end)
          .split('\n')
          .map((line) => line.split(/: (.*)/s) as [string, string]),
      )
      text = text.slice(end + 2)
      id = lines.get('id') ?? id
      if (lines.get('event') === 'create') titles.push((JSON.parse(lines.get('data') ?? '') as { title: string }).title)
    }
    if (!isWorking && id !== '') {
      isWorking = true
      await work()
    }
    if (titles.length >= count) break
  }
  ended.abort()
  return { titles, last: id }
}
