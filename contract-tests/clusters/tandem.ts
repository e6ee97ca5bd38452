/** Tandem in the process of the test, over a server of the test. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createApp } from '../../src/app.ts'
import { loadConfig } from '../../src/config/config.ts'
import type { Log } from '../../src/domain/ports/context.ts'
import { silentLog } from '../../src/sql/testing/test-database.ts'
import { send } from '../send.ts'

export const adminToken = 'a-static-token-for-tests'

export type Answer = { readonly status: number; readonly body: unknown; readonly headers: Headers }

export type Tandem = {
  readonly url: string
  readonly ask: (
    request: string,
    options?: { readonly body?: unknown; readonly headers?: HeadersInit; readonly token?: string },
  ) => Promise<Answer>
  /** Messages of the log. */
  readonly lines: readonly string[]
  readonly refresh: () => Promise<void>
  readonly close: () => Promise<void>
}

export async function openTandem(settings: { readonly [name: string]: string }): Promise<Tandem> {
  const folder = mkdtempSync(join(tmpdir(), 'tandem-cluster-data-'))
  const lines: string[] = []
  const note: Log['info'] = (_detail, message) => void lines.push(message)
  const given = {
    HOST: '127.0.0.1',
    PORT: '0',
    SECRET: 'a-secret-that-only-these-tests-know',
    ADMIN_PASSWORD: 'correct-horse-42',
    ADMIN_TOKEN: adminToken,
    HASH_MEMORY_COST: '1024',
    PRESSURE_LIMITER_ENABLED: 'false',
    DATA_DIR: folder,
    ...settings,
  }
  const app = await createApp(loadConfig(given, folder), {
    log: { ...silentLog, info: note, warn: note, error: (detail, message) => console.error(message, detail) },
  })
  const url = (await app.listen()).replace(/\/$/, '')
  return {
    url,
    lines,
    refresh: app.refresh,
    ask: (request, options) => send(url, request, { token: adminToken, ...options }),
    async close() {
      await app.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
