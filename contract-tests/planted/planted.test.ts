/**
 * Planted changes of specs, GraphQL schemas, data models and rights: each has the verdict and the clients that the tables
 * say, but for those with an excuse, which are few.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type App, createApp } from '../../src/app.ts'
import { loadConfig } from '../../src/config/config.ts'
import { addUsage } from '../../src/sql/statements/operation/usage.ts'
import { createTestDatabase, silentLog, type TestDatabase } from '../../src/sql/testing/test-database.ts'
import { worldSql } from '../../src/sql/testing/test-world.ts'
import { withClients } from '../../verify/src/diff/clients.ts'
import { compareTexts } from '../../verify/src/diff/compare.ts'
import { dataIn, send } from '../send.ts'
import type { Planted } from './planted-edits.ts'
import { plantedInModel, rights, usesOfModel } from './planted-model.ts'
import { plantedNarrower } from './planted-narrower.ts'
import { document, plantedInOpenapi, plantedInSdl, sdl, uses } from './planted-specs.ts'
import { plantedInTickets, tickets, usesOfTickets } from './planted-tickets.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

type Judged = { readonly severity: string; readonly clients: readonly { readonly client: string }[] | null }
type Verdict = { readonly verdict: string; readonly clients: readonly string[] }

/** The strongest severity, and the clients of the changes that have it. */
function verdictOf(changes: readonly Judged[]): Verdict {
  const verdict = ['breaking', 'perhaps'].find((each) => changes.some(({ severity }) => severity === each)) ?? 'safe'
  const own = changes.filter(({ severity }) => severity === verdict && verdict !== 'safe')
  return {
    verdict,
    clients: [...new Set(own.flatMap(({ clients }) => (clients ?? []).map(({ client }) => client)))].toSorted(),
  }
}

const outcomes = new Map<string, boolean>()

function judge({ name, verdict, clients, excuse }: Planted<unknown>, kind: string, found: Verdict): void {
  const expected = { verdict, clients: [...clients].toSorted() }
  outcomes.set(`${kind}: ${name}`, JSON.stringify(found) === JSON.stringify(expected))
  if (excuse === undefined) expect(found).toEqual(expected)
  else expect(found).not.toEqual(expected)
}

test.each(plantedInOpenapi.map((each) => [each.name, each] as const))('OpenAPI: %s', (_name, planted) => {
  const edited = document()
  planted.edit(edited)
  const changes = compareTexts(JSON.stringify(document()), JSON.stringify(edited))
  judge(planted, 'OpenAPI', verdictOf(withClients(changes, uses, null)))
})

test.each(plantedInSdl.map((each) => [each.name, each] as const))('GraphQL: %s', (_name, planted) => {
  judge(planted, 'GraphQL', verdictOf(withClients(compareTexts(sdl, planted.edit(sdl)), uses, sdl)))
})

const folder = mkdtempSync(`${tmpdir()}/tandem-planted-`)
const adminToken = 'a-static-token-for-tests'
const settings = {
  ADMIN_EMAIL: 'admin@example.com',
  ADMIN_PASSWORD: 'correct-horse-42',
  ADMIN_TOKEN: adminToken,
  DATA_DIR: folder,
  HASH_MEMORY_COST: '1024',
  HOST: '127.0.0.1',
  PORT: '0',
  // Only what the tables count.
  USAGE_ENABLED: 'false',
}
let database: TestDatabase
let app: App
let url: string

async function ask(path: string, body?: object): Promise<{ status: number; data: unknown }> {
  const method = body === undefined ? 'GET' : 'POST'
  const answer = await send(url, `${method} ${path}`, { body, token: adminToken })
  return { status: answer.status, data: dataIn(answer) }
}

type Configuration = { [key: string]: unknown; collections: { [name: string]: object } }
let configuration: Configuration

beforeAll(async () => {
  database = await createTestDatabase({ sql: worldSql })
  const db = { ...database.db, close: () => Promise.resolve() }
  app = await createApp(loadConfig(settings, folder), { log: silentLog, db })
  url = await app.listen()
  const { data } = await ask('/configuration')
  const found = data as Configuration & { readonly roles: object; readonly policies: object }
  const given = {
    ...found,
    roles: { ...found.roles, ...rights.roles, ...tickets.roles },
    policies: { ...found.policies, ...rights.policies, ...tickets.policies },
    collections: {
      ...found.collections,
      articles: { ...found.collections['articles'], rights: rights.articles },
      tickets: tickets.collection,
    },
  }
  const { data: plan } = await ask('/configuration/plan', { configuration: given })
  const changes = (plan as { readonly changes: readonly { readonly words: string }[] }).changes.map(
    ({ words }) => words,
  )
  expect((await ask('/configuration/apply', { configuration: given, changes })).status).toBe(204)
  const time = '2026-09-14T09:26:53Z'
  const counts = [...usesOfModel, ...usesOfTickets].map((use) => ({
    generation: 'current',
    ...use,
    calls: 1,
    first: time,
    last: time,
  }))
  await addUsage(database.db, counts as never, 1000)
  configuration = (await ask('/configuration')).data as Configuration
})
afterAll(async () => {
  await app.close()
  await database.close()
  rmSync(folder, { recursive: true, force: true })
})

const plantedInProject = [...plantedInModel, ...plantedInTickets, ...plantedNarrower]

test.each(plantedInProject.map((each) => [each.name, each] as const))('project: %s', async (_name, planted) => {
  const edited = structuredClone(configuration)
  planted.edit(edited)
  const { data } = await ask('/configuration/plan', { configuration: edited, prune: true })
  const { changes = [] } = (data ?? {}) as { readonly changes?: readonly Judged[] }
  judge(planted, 'project', verdictOf(changes))
})

test('of all planted changes, at least 95 % are judged right', () => {
  expect(outcomes.size).toBe(plantedInOpenapi.length + plantedInSdl.length + plantedInProject.length)
  expect(outcomes.size).toBeGreaterThanOrEqual(80)
  const wrong = [...outcomes].filter(([, isRight]) => !isRight)
  expect(wrong.length / outcomes.size).toBeLessThanOrEqual(0.05)
})
