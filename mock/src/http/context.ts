/** The context of handlers over the rows in memory. What the mock does not have throws when it is used. */

import { usualBounds } from '../../../src/domain/conditions/query-cost.ts'
import type { Context, Database } from '../../../src/domain/ports/context.ts'
import type { Subscriptions } from '../../../src/domain/ports/feed.ts'
import type { SecuritySettings } from '../../../src/domain/ports/settings.ts'
import type { Actor } from '../../../src/domain/rights/actor.ts'
import type { Schema } from '../../../src/domain/schema/schema.ts'
import type { View } from '../../../src/domain/schema/view.ts'
import type { HttpRequest } from '../../../src/http/request/request.ts'
import packageJson from '../../package.json' with { type: 'json' }
import type { MockMail } from '../api.ts'
import { silentLog } from '../silent-log.ts'

export type Dependencies = {
  readonly db: Database
  readonly rows: Context['rows']
  readonly schema: Schema
  readonly now: () => Date
  readonly uuid: () => string
  readonly mail: Context['mail']
  readonly security: SecuritySettings
  readonly storage: Context['storage']
  /** The address of the mock, for links in mails. */
  readonly url: string
  /** Makes other requests see changed rights. */
  readonly forgetActors: () => void
  readonly subscriptions: Subscriptions<Context>
  /** The context of the same caller, as of then. */
  readonly again: () => Promise<Context>
}

/** Secrets of a mock protect nothing, so its hashes are cheap. */
const security: Omit<SecuritySettings, 'accounts'> = {
  secret: 'the secret of a mock',
  accessTtl: 900_000,
  refreshTtl: 604_800_000,
  loginStall: 0,
  hash: { memory: 8, passes: 1, parallelism: 1, length: 16 },
  cookie: { name: 'platform_refresh_token', domain: null, secure: null, sameSite: 'lax' },
}

const day = 86_400_000

/** `pages`: where links in mails may lead. */
export const securityOf = (pages: readonly string[]): SecuritySettings => ({
  ...security,
  accounts: {
    registrationStall: 0,
    passwordReset: { ttl: day, pages },
    invitation: { ttl: 7 * day, pages },
    registration: { ttl: 7 * day, pages },
  },
})

/** Mails are collected in memory. */
export const mailInto = (sent: MockMail[]): Context['mail'] => ({
  prepare: async () => undefined,
  verify: async () => undefined,
  send: ({ to, template, data }) => void sent.push({ to, template, url: data.url }),
  sendLetter: ({ to, text }) => void sent.push({ to, template: 'letter', url: null, subject: text.subject }),
})

const files: Context['files'] = {
  maxSize: null,
  types: ['*/*'],
  metadata: [],
  import: { timeout: 0, maxSize: 0 },
  checksums: false,
  resumable: null,
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

const absent = (part: string, own: object = {}): never =>
  new Proxy(own, {
    get(target, name) {
      if (name in target) return Reflect.get(target, name) as unknown
      throw new Error(`The mock has no ${part} (${String(name)})`)
    },
  }) as never

const server: Context['server'] = {
  version: packageJson.version,
  agents: true,
  publicUrl: null,
  address: () => '',
  maxImport: 1_000_000,
  dataDir: '',
  instance: 'mock',
  isReady: () => true,
  sockets: {
    rest: { authentication: 'handshake', path: '/websocket' },
    graphql: { authentication: 'handshake', path: '/graphql' },
    heartbeat: false,
  },
  rates: { perAddress: false, altogether: false },
  purgeAnswers: async () => undefined,
  leavesSetup: false,
  systemAliases: true,
  compatibleVersion: '12.2.1',
  pingDatabase: async () => undefined,
}

/** No picture is transformed. */
const images: Context['images'] = absent('images', {
  limits: { maxDimension: 6000, maxOutputDimension: 6000, maxSteps: 5 },
})

export function contextOf(
  { db, rows, schema, now, uuid, forgetActors, mail, security, storage, url, subscriptions, again }: Dependencies,
  view: View,
  actor: Actor,
  { id, headers }: Pick<HttpRequest, 'id' | 'headers'>,
): Context {
  return {
    project: '_',
    db,
    rows,
    schema,
    view,
    actor,
    clock: now,
    ids: { uuid, token: (length) => uuid().replaceAll('-', '').repeat(4).slice(0, length) },
    log: silentLog,
    mail,
    limits,
    request: { id, ip: null, userAgent: null, origin: (headers['origin'] as string | undefined) ?? null },
    server: { ...server, address: () => url },
    security,
    storage,
    images,
    assets: { maxAge: 2_592_000, revalidate: false, openByHash: true, openByName: true, maxVariants: 0 },
    files,
    outbound: absent('outbound requests'),
    resumable: absent('uploads'),
    forgetActors: async () => forgetActors(),
    // The data model does not change, and lists keep their usual length.
    schemas: absent('schema changes', { announce: async () => undefined, refresh: async () => schema }),
    attempts: { begin: async () => undefined, succeed: async () => undefined },
    subscriptions,
    again,
  }
}
