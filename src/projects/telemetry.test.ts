/** What is told of requests and statements: metrics, traces, slow statements. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { context, propagation, SpanStatusCode, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { type App, createApp } from '../app.ts'
import { loadConfig } from '../config/config.ts'
import type { Log } from '../domain/ports/context.ts'
import type { OpenDatabase } from '../sql/database.ts'
import { createTestDatabase } from '../sql/testing/test-database.ts'
import { perVendor } from '../sql/testing/test-vendors.ts'
import { worldSql } from '../sql/testing/test-world.ts'

const folder = mkdtempSync(join(tmpdir(), 'tandem-telemetry-'))
const adminToken = 'a-static-token-for-tests'
const metricsToken = 'a-token-for-the-metrics'
const account = { ADMIN_EMAIL: 'admin@example.com', ADMIN_PASSWORD: 'correct-horse-42', ADMIN_TOKEN: adminToken }
const usual = { ...account, DATA_DIR: folder, HASH_MEMORY_COST: '1024', LOG_LEVEL: 'silent' }

const spans = new InMemorySpanExporter()
const lines: { readonly detail: { readonly [name: string]: unknown }; readonly message: string }[] = []
const texts: string[] = []
const write: Log['info'] = (detail, message) => void lines.push({ detail: { ...detail }, message })
const log: Log = { debug: () => {}, info: write, warn: write, error: write }
const received: (string | undefined)[] = []

context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
propagation.setGlobalPropagator(new W3CTraceContextPropagator())
trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] }))
const database = await createTestDatabase({ sql: worldSql })
const db: OpenDatabase = {
  ...database.db,
  run: (statement) => {
    texts.push(statement.text)
    return database.db.run(statement)
  },
  close: () => Promise.resolve(),
}
const settings = {
  ...usual,
  METRICS_TOKEN: metricsToken,
  TRACING_ENABLED: 'true',
  TRACING_SQL_COMMENTS: 'true',
  SLOW_STATEMENTS: '1ms',
  SLOW_STATEMENT_PLANS: 'true',
  CACHE_ENABLED: 'true',
  IMPORT_IP_DENY_LIST: '192.0.2.9',
  IMPORT_IP_ALLOW_LIST: '127.0.0.1',
  WEBHOOKS_IP_ALLOW_LIST: '127.0.0.1',
  HOST: '127.0.0.1',
  PORT: '0',
}
const elsewhere = createServer((req, res) => {
  received.push(req.headers['traceparent'] as string | undefined)
  res.writeHead(200, { 'content-type': 'text/plain' }).end('a file')
}).listen(0, '127.0.0.1')
const app = await createApp(loadConfig(settings, folder), { log, db })
const url = await app.listen()
beforeEach(() => {
  spans.reset()
  lines.length = 0
  texts.length = 0
})
afterAll(async () => {
  await app.close()
  elsewhere.close()
  await database.close()
  trace.disable()
  context.disable()
  propagation.disable()
  rmSync(folder, { recursive: true, force: true })
})

const ask = (path: string, init: RequestInit = {}, token = adminToken): Promise<Response> =>
  fetch(`${url}${path}`, {
    ...init,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...(init.headers as object) },
  })

const metrics = async (): Promise<string> => (await ask('/metrics', {}, metricsToken)).text()

/** The value of a sample; 0 without one. */
const valueOf = (text: string, name: string, labels: { readonly [name: string]: string } = {}): number => {
  const wanted = Object.entries(labels).map(([key, value]) => `${key}="${value}"`)
  const found = text.split('\n').find((line) => line.startsWith(name) && wanted.every((each) => line.includes(each)))
  return Number(found?.split(' ').at(-1) ?? 0)
}

const settled = async (most: number): Promise<readonly ReadableSpan[]> => {
  for (let turn = 0; turn < 100 && spans.getFinishedSpans().length < most; turn += 1) await new Promise(setImmediate)
  return spans.getFinishedSpans()
}

test('the metrics need their token, and nothing else answers for it', async () => {
  expect((await ask('/metrics', {}, adminToken)).status).toBe(401)
  expect((await fetch(`${url}/metrics`)).headers.get('www-authenticate')).toBe('Bearer')
  const answer = await ask('/metrics', {}, metricsToken)
  expect([answer.status, answer.headers.get('content-type'), answer.headers.get('cache-control')]).toEqual([
    200,
    'text/plain; version=0.0.4; charset=utf-8',
    'no-store',
  ])
  expect((await ask('/metrics/more', {}, metricsToken)).status).toBe(404)
  expect((await ask('/metrics', { method: 'POST' }, metricsToken)).status).toBe(404)
})

test('requests are counted by operation, generation and status, and never by their path', async () => {
  const before = await metrics()
  await ask('/items/articles/1')
  await ask('/items/articles/2')
  await ask('/items/articles/999')
  await ask('/_/items/articles/1')
  await ask('/no/such/path')
  const after = await metrics()
  const grown = (name: string, labels: { readonly [name: string]: string }): number =>
    valueOf(after, name, labels) - valueOf(before, name, labels)
  const current = { project: '_', generation: 'current', operation: 'readItem' }
  expect(grown('tandem_requests_total', { ...current, status: '200' })).toBe(2)
  expect(grown('tandem_requests_total', { ...current, status: '403' })).toBe(1)
  expect(grown('tandem_requests_total', { ...current, generation: 'legacy', status: '200' })).toBe(1)
  expect(
    grown('tandem_requests_total', { project: 'none', generation: 'none', operation: 'none', status: '404' }),
  ).toBe(1)
  expect(grown('tandem_request_duration_seconds_count', current)).toBe(3)
  expect(grown('tandem_statement_duration_seconds_count', { project: '_', task: 'rows' })).toBe(4)
  const samples = after.split('\n').filter((line) => line.startsWith('tandem_'))
  expect(samples.filter((line) => /articles|such|="\//.test(line))).toEqual([])
})

test('cache, pool, queues, sessions and the event loop are measured', async () => {
  await ask('/items/tags?limit=1')
  await ask('/items/tags?limit=1')
  const body = JSON.stringify({ email: account.ADMIN_EMAIL, password: account.ADMIN_PASSWORD })
  expect((await ask('/auth/login', { method: 'POST', body })).status).toBe(200)
  const text = await metrics()
  expect(valueOf(text, 'tandem_response_cache_reads_total', { project: '_', outcome: 'hit' })).toBe(1)
  expect(valueOf(text, 'tandem_response_cache_reads_total', { outcome: 'miss' })).toBeGreaterThan(1)
  expect(valueOf(text, 'tandem_database_connections', { project: '_', state: 'idle' })).toBeGreaterThan(0)
  expect(valueOf(text, 'tandem_database_connections', { project: '_', state: 'waiting' })).toBe(0)
  for (const queue of ['login', 'hashing', 'images']) {
    expect(text).toContain(`tandem_queue_jobs{queue="${queue}",state="running"} 0`)
  }
  expect(text).toMatch(/^tandem_sessions\{project="_"\} \d+$/m)
  expect(valueOf(text, 'tandem_requests_in_flight')).toBe(1)
  expect(text).toContain('nodejs_eventloop_lag_seconds')
})

const toNames = (text: string): readonly string[] => [
  ...new Set(text.match(/tandem_[a-z_]+/g)?.map((name) => name.replace(/_(bucket|count|sum)$/, ''))),
]
const read = (name: string): string => readFileSync(new URL(`../../docs/${name}`, import.meta.url), 'utf8')

test('the dashboard and the documentation name exactly the metrics that exist', async () => {
  const names = new Set([...(await metrics()).matchAll(/^# TYPE (tandem_\w+)/gm)].map(([, name]) => name ?? ''))
  expect(toNames(read('operation.md')).toSorted()).toEqual([...names].toSorted())
  const dashboard = JSON.parse(read('grafana-dashboard.json')) as { readonly panels: readonly unknown[] }
  expect(toNames(JSON.stringify(dashboard)).filter((name) => !names.has(name))).toEqual([])
  expect(dashboard.panels.length).toBeGreaterThan(8)
})

test('a request is a span with its stations, and each statement one below it', async () => {
  const parent = '4bf92f3577b34da6a3ce929d0e0e4736'
  const headers = { traceparent: `00-${parent}-00f067aa0ba902b7-01` }
  const answer = await ask('/items/articles?limit=2&fields=id', { headers })
  const [, traceId, spanId] = (answer.headers.get('traceresponse') ?? '').split('-')
  expect(traceId).toBe(parent)
  const found = await settled(2)
  const request = found.find(({ name }) => name === 'GET current readItems')
  expect(request?.spanContext()).toMatchObject({ traceId: parent, spanId })
  expect(request?.parentSpanContext?.spanId).toBe('00f067aa0ba902b7')
  expect(request?.attributes).toEqual({
    'http.request.method': 'GET',
    'http.response.status_code': 200,
    'tandem.project': '_',
    'tandem.generation': 'current',
    'tandem.operation': 'readItems',
  })
  expect(request?.events.map(({ name }) => name)).toEqual([
    'validate',
    'authenticate',
    'parse',
    'authorize',
    'compile',
    'run',
    'serialize',
  ])
  const statement = found.find(({ name }) => name === 'rows')
  expect(statement?.parentSpanContext?.spanId).toBe(spanId)
  expect(texts.find((text) => text.includes('articles'))).toMatch(
    new RegExp(`/\\*traceparent='00-${parent}-${statement?.spanContext().spanId}-01'\\*/$`),
  )
  expect(lines.find(({ message }) => message === 'request')?.detail).toMatchObject({ traceId: parent })
  expect(answer.headers.get('server-timing')).toBeNull()
})

test('a trace that is not well-formed is not taken over', async () => {
  const headers = { traceparent: '00-zz-00f067aa0ba902b7-01' }
  const answer = await ask('/server/ping', { headers })
  expect(answer.headers.get('traceresponse')).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/)
  expect((await settled(1))[0]?.parentSpanContext).toBeUndefined()
})

test('statements of a transaction are spans of the request, and failed ones are marked without their message', async () => {
  const body = JSON.stringify({ name: 'ice', color: 'blue' })
  expect((await ask('/items/tags', { method: 'POST', body })).status).toBe(400)
  const found = await settled(3)
  const request = found.find(({ name }) => name === 'POST current createItems')
  const failed = found.filter(({ status }) => status.code === SpanStatusCode.ERROR)
  expect(failed.map(({ name, events, attributes }) => [name, events, attributes['error.type']])).toEqual([
    ['rows', [], 'TandemError'],
  ])
  expect(failed[0]?.parentSpanContext?.spanId).toBe(request?.spanContext().spanId)
  const text = await metrics()
  expect(valueOf(text, 'tandem_statement_errors_total', { project: '_', task: 'rows' })).toBe(1)
})

test('requests to other servers carry the trace on', async () => {
  const { port } = elsewhere.address() as AddressInfo
  const body = JSON.stringify({ url: `http://127.0.0.1:${port}/file.txt` })
  const answer = await ask('/files/import', { method: 'POST', body })
  expect(answer.status).toBe(200)
  const [, traceId] = (answer.headers.get('traceresponse') ?? '').split('-')
  expect(received.at(-1)).toMatch(new RegExp(`^00-${traceId}-[0-9a-f]{16}-01$`))
})

test('slow statements are logged with their task and without values', async () => {
  await database.db.run({
    text: `create view slow_things as select ${perVendor({ postgres: 'pg_sleep(0.01)::text', mariadb: 'sleep(0.01) + 1' })} as id, 7 as secret`,
    values: [],
  })
  await app.refresh()
  await ask(`/items/slow_things?filter=${encodeURIComponent('{"secret":{"_eq":7}}')}`)
  const found = lines.filter(({ message }) => message === 'Slow statement')
  const slow = found.find(({ detail }) => String(detail['statement']).includes('slow_things'))
  expect(slow?.detail).toMatchObject({ project: '_', task: 'rows' })
  expect(slow?.detail['ms']).toBeGreaterThanOrEqual(10)
  // Only one plan is read at a time: each attempt is another query, because the answer to the same one is cached.
  const plan = () =>
    lines.find(({ message, detail }) => message === 'Plan of a slow statement' && detail['task'] === 'rows')
  for (let at = 0; at < 50 && plan() === undefined; at += 1) {
    await ask(`/items/slow_things?filter=${encodeURIComponent(`{"secret":{"_gt":-${at}}}`)}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  expect(plan()?.detail).toMatchObject({ project: '_', task: 'rows', plan: expect.anything() })
  expect(lines.filter(({ message }) => message === 'A slow statement has no plan')).toEqual([])
})

test('a request to a webhook is a trace of its own, which the receiver can continue', async () => {
  const { port } = elsewhere.address() as AddressInfo
  const hook = { name: 'Test', url: `http://127.0.0.1:${port}/`, collections: ['tags'], actions: ['create'] }
  expect((await ask('/webhooks', { method: 'POST', body: JSON.stringify(hook) })).status).toBe(200)
  const before = received.length
  expect((await ask('/items/tags', { method: 'POST', body: JSON.stringify({ name: 'told' }) })).status).toBe(200)
  await expect.poll(() => received.length, { timeout: 10_000 }).toBe(before + 1)
  await expect.poll(() => spans.getFinishedSpans().find(({ name }) => name === 'sendWebhook')).toBeDefined()
  const sent = spans.getFinishedSpans().find(({ name }) => name === 'sendWebhook')
  const { traceId, spanId } = sent?.spanContext() ?? {}
  expect([received.at(-1), sent?.parentSpanContext]).toEqual([`00-${traceId}-${spanId}-01`, undefined])
  expect((await ask('/webhooks/1', { method: 'DELETE' })).status).toBe(204)
})

const open = (settings: object): Promise<App> =>
  createApp(loadConfig({ ...usual, HOST: '127.0.0.1', PORT: '0', ...settings }, folder), {
    log,
    db: { ...database.db, close: () => Promise.resolve() },
  })

test('metrics can have a port of their own, and nothing is observed without a setting', async () => {
  const own = await open({ METRICS_PORT: '0' })
  const address = await own.listen()
  const port = own.metricsPort
  expect((await fetch(`${address}/metrics`)).status).toBe(404)
  const answer = await fetch(`http://127.0.0.1:${port}/metrics`)
  expect([answer.status, (await answer.text()).includes('tandem_build_info')]).toEqual([200, true])
  expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBe(404)
  expect((await fetch(`http://127.0.0.1:${port}/metrics`, { method: 'DELETE' })).status).toBe(405)
  await own.close()
  await expect(fetch(`http://127.0.0.1:${port}/metrics`)).rejects.toThrow('fetch failed')
  spans.reset()
  const silent = await open({})
  const there = await silent.listen()
  const unobserved = await fetch(`${there}/server/ping`)
  expect([unobserved.headers.get('traceresponse'), silent.metricsPort, spans.getFinishedSpans()]).toEqual([
    null,
    null,
    [],
  ])
  expect((await fetch(`${there}/metrics`)).status).toBe(404)
  await silent.close()
})
