/** A context for tests of core: fixed clock, counted ids, neutral view, nothing configured. */

import { usualBounds } from '../../domain/conditions/query-cost.ts'
import type { Context, Database, Statement } from '../../domain/ports/context.ts'
import type { SecuritySettings } from '../../domain/ports/settings.ts'
import { equals, type Filter, matchAll } from '../../domain/query/filter.ts'
import type { Changes } from '../../domain/query/mutation.ts'
import type { Query } from '../../domain/query/query.ts'
import { rowsOf } from '../../domain/query/rows-of.ts'
import type { Access, Actor, Rule } from '../../domain/rights/actor.ts'
import { type Failure, TandemError } from '../../domain/rights/errors.ts'
import { coreView } from '../../domain/schema/core-view.ts'
import type { Schema } from '../../domain/schema/schema.ts'
import { createImages } from '../../images/images.ts'
import { sqlRows } from '../../sql/run/sql-rows.ts'
import { loadSchema } from '../../sql/schema/load-schema.ts'
import { createTestDatabase, textFor } from '../../sql/testing/test-database.ts'
import { worldSql } from '../../sql/testing/test-world.ts'
import { createMemoryLocations, noOutbound, noResumable, testFileSettings } from '../../storage/test-storage.ts'
import { createAttempts } from '../accounts/attempts.ts'
import { ownColumns } from '../rows/read-items.ts'

export const testUser = '99999999-9999-4999-8999-999999999999'

/** An actor with these rules and no others. */
export function userWith(rules: readonly Partial<Rule>[], access: Partial<Access> = {}): Actor {
  const full = rules.map((rule) => ({
    collection: 'articles',
    action: 'read' as const,
    fields: '*' as const,
    filter: matchAll,
    validation: null,
    presets: null,
    ...rule,
  }))
  const own: Access = { admin: false, app: false, policies: [], rules: full, fingerprint: 'test', ...access }
  return { kind: 'user', user: testUser, role: null, roles: [], access: own, session: null }
}

/** A user without limits. */
export const adminUser: Actor = userWith([], { admin: true })

const silent = (): void => {}

/** Shared by all tests of a process. Starts with the first image, and ends when idle. */
const testImages = createImages({
  limits: {
    maxDimension: 6000,
    maxOutputDimension: 6000,
    maxSteps: 5,
    maxConcurrent: 25,
    timeout: 30_000,
    sensitivity: 'warning',
  },
  log: { debug: silent, info: silent, warn: silent, error: silent },
  workers: 1,
})

const loadOptions = { exclude: [], log: { debug: silent, info: silent, warn: silent, error: silent } }

/** No minimum durations, links with a lifetime of one hour, and one allowed page each. */
export const testAccounts: SecuritySettings['accounts'] = {
  registrationStall: 0,
  passwordReset: { ttl: 3_600_000, pages: ['https://app.example.com/reset'] },
  invitation: { ttl: 3_600_000, pages: ['https://app.example.com/join'] },
  registration: { ttl: 3_600_000, pages: ['https://app.example.com/confirm'] },
}

export function createTestContext(db: Database, schema: Schema, changes: Partial<Context> = {}): Context {
  let ids = 0
  return {
    project: '_',
    db,
    rows: sqlRows,
    schema,
    view: coreView(schema),
    actor: adminUser,
    clock: () => new Date('2026-01-31T10:00:00.000Z'),
    ids: {
      uuid: () => `00000000-0000-4000-8000-${String((ids += 1)).padStart(12, '0')}`,
      token: (length) => 'x'.repeat(length),
    },
    log: { debug: silent, info: silent, warn: silent, error: silent },
    mail: { prepare: () => Promise.resolve(), verify: () => Promise.resolve(), send: silent, sendLetter: silent },
    limits: { queryDefault: 100, queryMax: null, depth: 10, batch: null, cost: usualBounds },
    request: { id: 'r1', ip: '192.0.2.1', userAgent: 'test', origin: null },
    server: {
      version: '0',
      publicUrl: null,
      address: () => 'http://localhost:8055',
      maxImport: 100_000,
      dataDir: '',
      instance: 'test',
      isReady: () => true,
      rates: { perAddress: false, altogether: false },
      purgeAnswers: () => Promise.resolve(),
      leavesSetup: false,
      systemAliases: true,
      compatibleVersion: '12.2.1',
      agents: true,
      pingDatabase: () => Promise.resolve(),
    },
    security: {
      secret: 'secret',
      accessTtl: 1,
      refreshTtl: 1,
      loginStall: 0,
      accounts: testAccounts,
      hash: { memory: 64, passes: 1, parallelism: 1, length: 16 },
      cookie: { name: 'c', domain: null, secure: false, sameSite: 'lax' },
    },
    storage: createMemoryLocations(),
    images: testImages,
    assets: { maxAge: 60, revalidate: false, openByHash: false, openByName: false, maxVariants: 100 },
    files: testFileSettings,
    outbound: noOutbound,
    resumable: noResumable,
    forgetActors: () => Promise.resolve(),
    attempts: createAttempts(null),
    schemas: {
      load: (inner) => loadSchema(inner, loadOptions),
      announce: () => Promise.resolve(),
      refresh: () => loadSchema(db, loadOptions),
    },
    ...changes,
  }
}

/** A query for all readable own fields of a collection. */
export const queryOf = (collection: string, changes: Partial<Query> = {}): Query => ({
  ...rowsOf(collection, ownColumns, { limit: 100 }),
  ...changes,
})

export function changesOf(values: { readonly [field: string]: unknown }): Changes {
  return new Map(Object.entries(values).map(([field, value]) => [field, { kind: 'value', value: value as string }]))
}

/** The failures that the work throws. */
export async function failuresOf(work: Promise<unknown>): Promise<readonly object[]> {
  try {
    await work
  } catch (error) {
    if (error instanceof TandemError) return error.failures
    throw error
  }
  throw new Error('Expected a failure')
}

export const kindsOf = async (work: Promise<unknown>): Promise<readonly string[]> =>
  (await failuresOf(work)).map((failure) => (failure as Failure).kind)

/** `field = value`. */
export const is = (field: string, value: string | number | boolean): Filter => equals(field, value)

/** The common test world, with a context that records its statements and with the user of `userWith`. */
export async function openTestWorld() {
  const database = await createTestDatabase({ sql: worldSql })
  const statements: Statement[] = []
  const run = (statement: Statement) => {
    statements.push(statement)
    return database.db.run(statement)
  }
  const rowsOf = async (text: string): Promise<readonly unknown[]> =>
    (await database.db.run({ text: textFor(database.db, text), values: [] })).rows
  await rowsOf(`insert into platform_users (id, email) values ('${testUser}', 'test@example.com')`)
  const ctx = createTestContext({ ...database.db, run }, await database.loadSchema())
  return { ctx, statements, rowsOf, loadSchema: database.loadSchema, close: database.close }
}

export type TestWorld = Awaited<ReturnType<typeof openTestWorld>>
