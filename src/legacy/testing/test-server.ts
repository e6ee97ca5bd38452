/** A server with only this generation and the small test data, for end-to-end tests. */

import { createAuthenticator } from '../../core/access/authenticator.ts'
import { createTestContext, testAccounts } from '../../core/testing/test-context.ts'
import type { Context, Database } from '../../domain/ports/context.ts'
import type { Letter, MailMessage } from '../../domain/ports/mail.ts'
import type { SecuritySettings } from '../../domain/ports/settings.ts'
import { TandemError } from '../../domain/rights/errors.ts'
import { listen } from '../../http/app/listen.ts'
import { createHttpApp } from '../../http/app/server.ts'
import { sqlRows } from '../../sql/run/sql-rows.ts'
import { createTestDatabase, silentLog } from '../../sql/testing/test-database.ts'
import { worldSql } from '../../sql/testing/test-world.ts'
import { createMemoryLocations } from '../../storage/test-storage.ts'
import { hashToken } from '../../tokens/opaque.ts'
import { hashPassword } from '../../tokens/password.ts'
import { legacyGeneration } from '../generation.ts'

export const security: SecuritySettings = {
  secret: 'secret-of-the-tests-of-this-generation',
  accessTtl: 900_000,
  refreshTtl: 604_800_000,
  loginStall: 0,
  accounts: testAccounts,
  hash: { memory: 64, passes: 1, parallelism: 1, length: 32 },
  cookie: { name: 'platform_refresh_token', domain: null, secure: false, sameSite: 'lax' },
}

/** What a test sends, and what it receives. */
type RequestOptions = {
  readonly token?: string | null
  readonly body?: unknown
  readonly headers?: Record<string, string>
}
type Answered = { readonly status: number; readonly body: unknown; readonly headers: Headers }

export type TestServer = {
  readonly url: string
  /** Sends `GET /_/items/articles`, with the administrator's token unless another one or null is given. */
  readonly ask: (request: string, options?: RequestOptions) => Promise<Answered>
  readonly db: Database
  readonly mails: readonly MailMessage[]
  readonly letters: Letter[]
  readonly close: () => Promise<void>
}

export const tokens = {
  admin: 'token-of-the-administrator',
  reader: 'token-of-the-reader',
  writer: 'token-of-the-writer',
} as const

const clock = (): Date => new Date()

/**
 * Starts the server; every answer is checked against the spec. `more` overrides parts of the context, `sql` adds to
 * the test data.
 */
export async function createTestServer(more: Partial<Context> = {}, sql = ''): Promise<TestServer> {
  const database = await createTestDatabase({ sql: worldSql + sql })
  const { db } = database
  for (const { text, values } of await people()) await db.run({ text, values })
  const schema = await database.loadSchema()
  const view = legacyGeneration.createView(schema)
  const authenticator = createAuthenticator({ db, rows: sqlRows, schema: () => schema, clock, project: '_', security })
  const storage = createMemoryLocations()
  const mails: MailMessage[] = []
  const letters: Letter[] = []
  const base = createTestContext(db, schema)
  const app = createHttpApp({
    generations: [
      {
        ...legacyGeneration,
        async authenticate(request, route): Promise<Context> {
          const { project } = request
          if (project !== '_') throw new TandemError({ kind: 'project-not-found', project })
          const credentials =
            route.credentials === 'none'
              ? ({ kind: 'none' } as const)
              : legacyGeneration.readCredentials(request, authenticator.read, project)
          return {
            ...base,
            view,
            actor: await authenticator.authenticate(credentials, request.ip),
            clock,
            ids: { uuid: () => crypto.randomUUID(), token: (length) => 'x'.repeat(length) },
            mail: {
              ...base.mail,
              send: (message) => void mails.push(message),
              sendLetter: (letter) => void letters.push(letter),
            },
            request: { id: request.id, ip: request.ip, userAgent: null, origin: null },
            server: { ...base.server, version: '1.2.3', maxImport: 0, pingDatabase: () => db.ping() },
            security,
            storage,
            forgetActors: async () => authenticator.forget(),
            schemas: { ...base.schemas, load: () => Promise.resolve(schema) },
            ...more,
          }
        },
      },
    ],
    settings: {
      publicUrl: null,
      maxPayload: 1_000_000,
      maxSchema: 1_000_000,
      trustProxy: false,
      strictQuery: false,
      validateResponses: true,
      serverTiming: false,
      cors: null,
      hsts: null,
    },
    log: { ...silentLog, error: (detail, message) => console.error(message, detail) },
    uuid: () => crypto.randomUUID(),
    isProject: (key) => key === '_',
  })
  const server = await listen(app.handler, { host: '127.0.0.1', port: 0 })
  const url = `http://127.0.0.1:${server.port}`
  return {
    url,
    db,
    mails,
    letters,
    ask: (request, asked = {}) => send(url, request, asked),
    async close() {
      await server.close(1000)
      await database.close()
    },
  }
}

async function send(
  url: string,
  request: string,
  { token = tokens.admin, body, headers }: RequestOptions,
): Promise<Answered> {
  const [method = 'GET', path = '/'] = request.split(' ', 2)
  const response = await fetch(`${url}${path}`, {
    method,
    redirect: 'manual',
    headers: {
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined || body instanceof FormData ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined
      ? {}
      : { body: typeof body === 'string' || body instanceof FormData ? body : JSON.stringify(body) }),
  })
  const text = await response.text()
  const isJson = /^application\/(scim\+)?json/.test(response.headers.get('content-type') ?? '')
  return { status: response.status, body: isJson ? (JSON.parse(text) as unknown) : text, headers: response.headers }
}

/** Creates an administrator, a reader of published articles, a writer without read permission, and public permissions. */
async function people() {
  const hash = (token: string): string => hashToken(token, security.secret)
  const password = await hashPassword('correct-horse-42', security.hash)
  const role = '00000000-0000-4000-8000-000000000001'
  const reader = '44444444-4444-4444-8444-444444444444'
  const policy = '55555555-5555-4555-8555-555555555555'
  const writer = '44444444-4444-4444-8444-444444444445'
  const writing = '55555555-5555-4555-8555-555555555556'
  const insertUser = `insert into platform_users (id, email, password, token, status, role) values ($1, $2, $3, $4, 'active', $5)`
  const users = [
    ['66666666-6666-4666-8666-666666666666', 'admin@example.com', password, hash(tokens.admin), role],
    [reader, 'reader@example.com', password, hash(tokens.reader), null],
    [writer, 'writer@example.com', password, hash(tokens.writer), null],
  ]
  return [
    ...users.map((values) => ({ text: insertUser, values })),
    {
      text: `insert into platform_policies (id, name) values ($1, 'Readers'), ($2, 'Writers')`,
      values: [policy, writing],
    },
    {
      text: 'insert into platform_access (id, "user", policy) values (gen_random_uuid(), $1, $2), (gen_random_uuid(), $3, $4)',
      values: [reader, policy, writer, writing],
    },
    {
      text: `insert into platform_permissions (policy, collection, action, fields) values ($1, 'articles', 'update', 'body')`,
      values: [writing],
    },
    {
      text: `insert into platform_permissions (policy, collection, action, permissions, fields) values
        ($1, 'articles', 'read', '{"status":{"_eq":"published"}}', 'id,title,author'), ($1, 'comments', 'create', null, '*'),
        ($1, 'articles_tags', 'read', null, '*'),
        ('abf8a154-5b1c-4a46-ac9c-7300570f4f17', 'tags', 'read', null, '*'),
        ('abf8a154-5b1c-4a46-ac9c-7300570f4f17', 'tags', 'delete', null, '*')`,
      values: [policy],
    },
  ]
}
