/** The program: exit codes, reports, interruptions. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type OwnDatabase, openOwnDatabase } from '../contract-tests/own-database.ts'
import { openProxy, type Proxy } from './mutants/proxy.ts'

let server: OwnDatabase
let proxy: Proxy
let folder: string
beforeAll(async () => {
  const cheap = { HASH_MEMORY_COST: '8', HASH_TIME_COST: '1', HASH_PARALLELISM: '1' }
  server = await openOwnDatabase(
    'create table found (id serial primary key, word text); insert into found (word) values (1), (2)',
    cheap,
  )
  proxy = await openProxy(server.url)
  folder = mkdtempSync(join(tmpdir(), 'tandem-verify-'))
})
afterAll(async () => {
  rmSync(folder, { recursive: true })
  await proxy.close()
  await server.close()
})

const main = join(import.meta.dirname, 'src/main.ts')

/** Starts the program; `text` is what it has written so far. */
function start(args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const child = spawn(process.execPath, [main, ...args], { env: { ...process.env, ...env } })
  const written = { out: '', error: '' }
  child.stdout.on('data', (chunk: Buffer) => (written.out += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (written.error += chunk.toString()))
  return { child, written, ended: once(child, 'close').then(([code]) => code as number | null) }
}

async function run(args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const { written, ended } = start(args, env)
  return { code: await ended, ...written }
}

const there = (): readonly string[] => ['--url', proxy.url, '--admin-token', server.adminToken]

/** Everything with a name of the verifier. */
async function left(): Promise<readonly string[]> {
  const found: string[] = []
  const columns = [
    ['/collections', 'collection'],
    ['/users?limit=-1', 'email'],
    ['/roles?limit=-1', 'name'],
    ['/policies?limit=-1', 'name'],
    ['/permissions?limit=-1', 'collection'],
    ['/relations', 'collection'],
    ['/files?limit=-1', 'title'],
  ] as const
  for (const [path, field] of columns) {
    const { data } = (await server.ask(`GET ${path}`)).body as {
      readonly data: readonly { readonly [name: string]: unknown }[]
    }
    found.push(...data.map((row) => String(row[field])).filter((name) => name.startsWith('tv_')))
  }
  return found
}

const minute = 60_000

test('a run without failures ends with 0 and leaves nothing', { timeout: 3 * minute }, async () => {
  proxy.plant(null)
  const file = join(folder, 'report.json')
  const { code, error } = await run([
    ...there(),
    '--only',
    'items deleteItem',
    '--seed',
    '5',
    '--report',
    'json',
    '--output',
    file,
  ])
  expect([code, error]).toEqual([
    0,
    expect.stringMatching(/current and legacy generation, seed 5\n\d+ checks: \d+ passed, 0 failed in/),
  ])
  const report = JSON.parse(readFileSync(file, 'utf8')) as {
    readonly outcomes: readonly { readonly operation: string }[]
  }
  expect(report.outcomes.map(({ operation }) => operation)).toContain('deleteItem')
  expect(await left()).toEqual([])
})

test('a failure ends with 1, names the request, and leaves nothing', { timeout: 3 * minute }, async () => {
  proxy.plant(async (request, forward) =>
    forward(
      request.method === 'DELETE' && /^\/items\/\w+_drafts$/.test(request.path)
        ? { ...request, method: 'GET', body: null }
        : request,
    ),
  )
  const { code, out } = await run([...there(), '--only', 'deleteItems', '--bail'])
  expect(code).toBe(1)
  expect(out).toMatch(/^items deleteItems: /)
  expect(out).toMatch(/ {2}expected {2}204, 400.*\n {2}received {2}200: \{"data"/)
  expect(out).toMatch(
    / {2}curl {6}curl -sg -X DELETE -H "Authorization: Bearer \$TOKEN" -H 'content-type: application\/json' -d '\[\d+/,
  )
  expect(out).toMatch(/ {2}spec {6}#\/paths\/~1items~1tv_\w+_drafts\/delete/)
  expect(out).not.toContain(server.adminToken)
  expect(await left()).toEqual([])
})

test('without an answer, an administrator or arguments the program ends with 2', { timeout: 3 * minute }, async () => {
  proxy.plant(null)
  const closed = await run(['--url', 'http://127.0.0.1:9', '--admin-token', 'x'])
  expect([closed.code, closed.error]).toEqual([2, expect.stringContaining('No answer')])
  const refused = await run(['--url', proxy.url, '--admin-token', 'nobody-has-this-token'])
  expect([refused.code, refused.error]).toEqual([2, expect.stringContaining("administrator's token is refused")])
  const none = await run([])
  expect([none.code, none.error]).toEqual([2, expect.stringContaining('--url is missing')])
})

test('a run that only reads sends nothing that writes', { timeout: 3 * minute }, async () => {
  const methods = new Set<string>()
  proxy.plant(async (request, forward) => {
    methods.add(request.path === '/graphql' ? 'GET' : request.method)
    return forward(request)
  })
  const { code, out } = await run([...there(), '--read-only'])
  expect([code, out]).toEqual([0, expect.stringContaining(' 0 failed')])
  expect([...methods]).toEqual(['GET'])
})

const interruptions = [
  ['SIGINT', 'while checks run', '_settings'],
  ['SIGTERM', 'while collections are made', '_tags'],
] as const

test.each(interruptions)(
  '%s %s ends with 2 and leaves nothing',
  { timeout: 4 * minute },
  async (signal, _when, last) => {
    let seen = Promise.withResolvers<void>()
    proxy.plant(async (request, forward) => {
      const answer = await forward(request)
      const isMade = request.path === '/collections' && request.body?.includes(last) === true
      if (isMade || request.path.endsWith(last)) seen.resolve()
      return answer
    })
    if (signal === 'SIGINT') {
      const checks = Promise.withResolvers<void>()
      proxy.plant(async (request, forward) => {
        if (request.path.endsWith('_drafts') && request.method === 'POST' && request.path.startsWith('/items/'))
          checks.resolve()
        return forward(request)
      })
      seen = checks
    }
    const { child, written, ended } = start([...there(), '--runs', '500'])
    await seen.promise
    expect((await left()).length).toBeGreaterThan(0)
    child.kill(signal)
    expect(await ended).toBe(2)
    expect(written.error).toContain('Interrupted: removing what was made')
    expect(await left()).toEqual([])
  },
)

test('diff ends with 1 for a breaking change', async () => {
  const [before, after] = [join(folder, 'before.graphql'), join(folder, 'after.graphql')]
  writeFileSync(before, 'type Query { a: Int b: Int }')
  writeFileSync(after, 'type Query { a: Int }')
  const broken = await run(['diff', before, after])
  expect([broken.code, broken.out]).toEqual([
    1,
    'Breaking\n\nQuery\n  Query.b was removed.\n\nBreaking: 1 breaking, 0 compatible\n',
  ])
})
