/** Two servers for tools that bring a project from one to the other, and a folder in which the tools run. */
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect } from 'vitest'
import { type OwnDatabase, openOwnDatabase } from './own-database.ts'

const prefix = { SYSTEM_COLLECTION_PREFIX: 'directus_' }

/** `sql` makes the tables of the source; `program` is the file of the tool. */
export async function openToolServers(program: URL, sql: string) {
  const folder = mkdtempSync(join(tmpdir(), 'tandem-tool-'))
  const source = await openOwnDatabase(sql, prefix)
  const target = await openOwnDatabase('select 1', prefix)
  return {
    source,
    target,
    /** Runs the tool; returns what it prints. Where `CI` is set, tools ignore stored tokens. */
    run: async (...args: readonly string[]): Promise<string> => {
      const env = { ...process.env, CI: '', HOME: folder, XDG_CONFIG_HOME: folder }
      return (
        await promisify(execFile)(process.execPath, [fileURLToPath(program), ...args], {
          cwd: folder,
          timeout: 120_000,
          env,
        })
      ).stdout
    },
    /** Creates a row in the source; returns its key. */
    made: async (at: string, body: object): Promise<string> => {
      const reply = await source.ask(`POST ${at}`, { body })
      expect([at, reply.status]).toEqual([at, 200])
      return (reply.body as { data: { id: string } }).data.id
    },
    list: async (own: OwnDatabase, at: string) => ((await own.ask(`GET ${at}`)).body as { data: unknown }).data,
    close: async () => {
      await source.close()
      await target.close()
      rmSync(folder, { recursive: true })
    },
  }
}
