/** Tandem for programs: an Express application that listens by itself or is mounted in another one. */
import { createApp } from './app.ts'
import { readConfig } from './config/config.ts'
import { warnOf } from './config/misspelt.ts'
import type { Values } from './config/settings.ts'
import { createLog } from './log.ts'

type Value = string | number | boolean | undefined

/** By the names that the environment has for them: `{ DB_CLIENT: 'pg', PORT: 8055 }`. */
export type TandemSettings = { readonly [Name in keyof Values]?: Value } & {
  /** Those of storage locations, `STORAGE_<NAME>_*`, and files that hold a value, `*_FILE`. */
  readonly [name: string]: Value
}

export type Tandem = {
  /** `express().use('/data', tandem.app)` */
  readonly app: Awaited<ReturnType<typeof createApp>>['app']
  /** Listens on `HOST` and `PORT`; resolves to the address. */
  readonly listen: () => Promise<string>
  /** Finishes what runs, for at most `SERVER_SHUTDOWN_TIMEOUT`, and closes the database. A server around stops listening before. */
  readonly close: () => Promise<void>
}

/**
 * Opens the database and prepares everything. Only the settings given count: neither the environment nor a `.env` file
 * is read, but `{ ...process.env, PORT: 0 }` may be given. Rejects for settings that do not hold.
 */
export async function createTandem(settings: TandemSettings = {}): Promise<Tandem> {
  const input = Object.entries(settings).flatMap(([name, value]) =>
    value === undefined || value === '' ? [] : [[name, String(value)] as const],
  )
  const config = readConfig(Object.fromEntries(input), process.cwd())
  const log = createLog(config.log)
  warnOf(config.misspelt, log)
  const { app, listen, close } = await createApp(config, { log })
  return {
    app,
    listen,
    async close() {
      await close()
      log.flush()
    },
  }
}
