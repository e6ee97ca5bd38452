/** The program: exit codes, reports, interruptions. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { openOwnDatabase } from '../contract-tests/own-database.ts'
import { openProxy } from './mutants/proxy.ts'
import { runProgram } from './src/program.ts'

const cheap = { HASH_MEMORY_COST: '8', HASH_TIME_COST: '1', HASH_PARALLELISM: '1', VALIDATE_RESPONSES: 'false' }
const server = await openOwnDatabase(
  'create table found (id serial primary key, word text); insert into found (word) values (1), (2)',
  cheap,
)
const proxy = await openProxy(server.url)
const folder = mkdtempSync(join(tmpdir(), 'tandem-verify-'))
afterAll(async () => {
  rmSync(folder, { recursive: true })
  await proxy.close()
  await server.close()
})

/** Runs the program in this process; `interruption` is its signal. */
async function run(args: readonly string[], interruption = new AbortController().signal) {
  const written = { out: '', error: '' }
  const to = (name: 'out' | 'error') => ({ write: (text: string) => (written[name] += text) })
  const code = await runProgram(args, { env: {}, out: to('out'), error: to('error'), interruption })
  return { code, ...written }
}

const there = (): readonly string[] => ['--url', proxy.url, '--admin-token', server.adminToken]

/** Everything with a name of the verifier. */
async function left(): Promise<readonly string[]> {
  const names: string[] = []
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
    names.push(...data.map((row) => String(row[field])).filter((name) => name.startsWith('tv_')))
  }
  return names
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
  const without = await run([...there(), '--read-only', '--only', 'items create'])
  expect([without.code, without.error]).toEqual([
    2,
    '--only: expected a text in the title of a check among those of --read-only, got "items create"\n',
  ])
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
  expect([...methods].toSorted()).toEqual(['GET', 'SEARCH'])
})

test('an interruption while collections are made ends with 2 and leaves nothing', { timeout: 4 * minute }, async () => {
  const end = new AbortController()
  let isSeen = false
  proxy.plant(async (request, forward) => {
    const answer = await forward(request)
    if (request.path === '/collections' && request.body?.includes('_tags') === true && !end.signal.aborted) {
      isSeen = (await left()).length > 0
      end.abort()
    }
    return answer
  })
  const { code, error } = await run([...there(), '--runs', '500'], end.signal)
  expect([code, isSeen, error]).toEqual([2, true, expect.stringContaining('Interrupted: removing what was made')])
  expect(await left()).toEqual([])
})

test('the process ends with 2 on SIGINT while checks run, and leaves nothing', { timeout: 4 * minute }, async () => {
  const written = Promise.withResolvers<void>()
  proxy.plant(async (request, forward) => {
    const isWrite = request.method === 'POST' && /^\/items\/\w+_drafts$/.test(request.path)
    if (isWrite) written.resolve()
    return forward(request)
  })
  const main = join(import.meta.dirname, 'src/main.ts')
  const child = spawn(process.execPath, [main, ...there(), '--only', 'random createItems', '--runs', '500'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let error = ''
  child.stderr.on('data', (chunk: Buffer) => (error += chunk.toString()))
  const ended = once(child, 'close')
  await written.promise
  expect((await left()).length).toBeGreaterThan(0)
  child.kill('SIGINT')
  expect(await ended).toEqual([2, null])
  expect(error).toContain('Interrupted: removing what was made')
  expect(await left()).toEqual([])
})

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

test('diff reads the spec of a deployment with the rights of the token', async () => {
  proxy.plant(null)
  const address = `${proxy.url}/server/specs/oas`
  const before = join(folder, 'before.json')
  const spec = (await server.ask('GET /server/specs/oas')).body as {
    readonly paths: { readonly [path: string]: object }
  }
  const path = '/items/found'
  writeFileSync(before, JSON.stringify({ ...spec, paths: { [path]: spec.paths[path] } }))
  const same = await run(['diff', before, address, '--admin-token', server.adminToken])
  expect([same.code, same.out]).toEqual([0, expect.stringMatching(/Not breaking: 0 breaking, \d+ compatible\n$/)])
  const without = await run(['diff', before, address])
  expect([without.code, without.out]).toEqual([1, expect.stringContaining('GET /items/found')])
})

test('a deployment whose visitors may read files passes', async () => {
  const policy = 'abf8a154-5b1c-4a46-ac9c-7300570f4f17'
  const rule = { policy, collection: 'platform_files', action: 'read', permissions: {}, fields: ['*'] }
  const made = (await server.ask('POST /permissions', { body: rule })).body as {
    readonly data: { readonly id: number }
  }
  const { code, out } = await run([...there(), '--only', 'uploadFiles'])
  await server.ask(`DELETE /permissions/${made.data.id}`)
  expect(out).toMatch(/1 check.* passed|1 passed|passed/)
  expect(code).toBe(0)
})
