/** A server of its own for a journey, and a client that knows nothing but HTTP. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createApp } from '../../src/app.ts'
import { loadConfig } from '../../src/config/config.ts'
import { openDatabase } from '../../src/sql/database.ts'
import { createTestDatabase, preparedArchive, silentLog } from '../../src/sql/testing/test-database.ts'
import { send } from '../send.ts'

export const administrator = { email: 'admin@example.com', password: 'correct-horse-42' } as const

export type Instance = { readonly url: string; readonly close: () => Promise<void> }

/** `embedded`, or where the tests run: on the Postgres of TEST_DATABASE_URL if there is one. */
export async function openInstance(place: 'embedded' | 'where tests run'): Promise<Instance> {
  const folder = mkdtempSync(join(tmpdir(), 'tandem-journey-'))
  const settings = {
    HOST: '127.0.0.1',
    PORT: '0',
    SECRET: 'a-secret-that-only-this-journey-knows',
    ADMIN_EMAIL: administrator.email,
    ADMIN_PASSWORD: administrator.password,
    LOGIN_STALL_TIME: '0ms',
    HASH_MEMORY_COST: '8',
    HASH_TIME_COST: '1',
    HASH_PARALLELISM: '1',
    VALIDATE_RESPONSES: 'true',
    DATA_DIR: folder,
  }
  const database = place === 'embedded' ? await openEmbedded() : await createTestDatabase()
  const app = await createApp(loadConfig(settings, folder), {
    log: silentLog,
    db: { ...database.db, close: async () => {} },
  })
  return {
    url: (await app.listen()).replace(/\/$/, ''),
    close: async () => {
      await app.close()
      await database.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function openEmbedded() {
  const db = await openDatabase({ kind: 'pglite', dataDir: null, dump: await preparedArchive() })
  return { db, close: () => db.close() }
}

export type Answer = { readonly status: number; readonly data: unknown; readonly code: string | null }

/** Asks as one user. `path` with its query string; a body makes it a POST. */
export type Ask = (path: string, body?: unknown, method?: string) => Promise<Answer>

/** A client without a token, or with one. */
export const clientOf =
  (url: string, token: string | null = null): Ask =>
  async (path, body, method = body === undefined ? 'GET' : 'POST') => {
    const response = await send(url, `${method} ${path}`, { body, token })
    const json = (response.body ?? {}) as Envelope
    return { status: response.status, data: json.data, code: json.errors?.[0]?.extensions.code ?? null }
  }

type Envelope = {
  readonly data?: unknown
  readonly errors?: readonly { readonly extensions: { readonly code: string } }[]
}

export async function logIn(url: string, user: { readonly email: string; readonly password: string }): Promise<Ask> {
  const { data } = await clientOf(url)('/auth/login', user)
  return clientOf(url, (data as { readonly access_token: string }).access_token)
}
