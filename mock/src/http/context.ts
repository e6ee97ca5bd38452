/** The context of handlers over the rows in memory. What the mock does not have throws when it is used. */
import { usualBounds } from '../../../src/domain/conditions/query-cost.ts'
import type { Context, Database } from '../../../src/domain/ports/context.ts'
import type { Actor } from '../../../src/domain/rights/actor.ts'
import type { Schema } from '../../../src/domain/schema/schema.ts'
import type { View } from '../../../src/domain/schema/view.ts'
import type { HttpRequest } from '../../../src/http/request/request.ts'
import { silentLog } from '../silent-log.ts'

export type Surroundings = {
  readonly db: Database
  readonly schema: Schema
  readonly now: () => Date
  readonly uuid: () => string
}

/** The limits that a server has without configuration. */
const limits: Context['limits'] = {
  queryDefault: 100,
  queryMax: null,
  depth: 10,
  batch: 10_000,
  cost: usualBounds,
  strict: false,
}

const absent = (part: string): never =>
  new Proxy(
    {},
    {
      get(_target, name) {
        throw new Error(`The mock has no ${part} (${String(name)})`)
      },
    },
  ) as never

const server: Context['server'] = {
  version: 'mock',
  publicUrl: null,
  address: () => '',
  maxImport: 1_000_000,
  dataDir: '',
  instance: 'mock',
  isReady: () => true,
  rates: { perAddress: false, altogether: false },
  purgeAnswers: async () => undefined,
  leavesSetup: false,
  systemAliases: true,
  pingDatabase: async () => undefined,
}

export function contextOf(
  { db, schema, now, uuid }: Surroundings,
  view: View,
  actor: Actor,
  { id, headers }: HttpRequest,
): Context {
  return {
    project: '_',
    db,
    schema,
    view,
    actor,
    clock: now,
    ids: { uuid, token: (length) => uuid().replaceAll('-', '').repeat(4).slice(0, length) },
    log: silentLog,
    mail: absent('mail'),
    limits,
    request: { id, ip: null, userAgent: null, origin: (headers['origin'] as string | undefined) ?? null },
    server,
    security: absent('security settings'),
    storage: absent('storage'),
    images: absent('images'),
    assets: absent('assets'),
    files: absent('files'),
    outbound: absent('outbound requests'),
    resumable: absent('uploads'),
    forgetActors: async () => undefined,
    schemas: absent('schema changes'),
    attempts: absent('attempts'),
  }
}
