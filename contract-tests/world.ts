/** The one world of the contract tests: a fresh server, a few collections, and one user of every kind. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createApp } from '../src/app.ts'
import { loadConfig } from '../src/config.ts'
import { createTestDatabase, silentLog } from '../src/sql/test-database.ts'
import { hashToken } from '../src/tokens/opaque.ts'
import { hashPassword } from '../src/tokens/password.ts'
import { modelSql, password, peopleSql, rowsSql, spareSql, tablesSql } from './world-data.ts'

export const userKinds = ['public', 'nobody', 'writer', 'editor', 'admin'] as const

/** Without a token; a user without a policy; one who may write what it cannot read; one whose policy allows a little; one who may do everything. */
export type UserKind = (typeof userKinds)[number]

/** What a request may have changed. */
export type Changed = 'rows' | 'model'

export type World = {
  readonly url: string
  /** A static token of each kind of user. */
  readonly tokens: { readonly [Kind in UserKind]: string | null }
  /** Puts every row back; after a change of the model, every table too. */
  readonly reset: (changed?: Changed) => Promise<void>
  /** Does something while the folder of the server is gone. */
  readonly withoutStorage: <T>(work: () => Promise<T>) => Promise<T>
  readonly close: () => Promise<void>
}

const secret = 'a-secret-that-only-contract-tests-know'

/** Cheap hashes and a free port; everything else as it is by default. */
const settings = {
  HOST: '127.0.0.1',
  PORT: '0',
  IMPORT_MAX_FILE_SIZE: '1mb',
  SECRET: secret,
  ADMIN_EMAIL: 'first@example.com',
  ADMIN_PASSWORD: password,
  LOGIN_STALL_TIME: '0ms',
  HASH_MEMORY_COST: '8',
  HASH_TIME_COST: '1',
  HASH_PARALLELISM: '1',
  VALIDATE_RESPONSES: 'true',
}

/** Opens the world. `more` overrides settings of the server. */
export async function openWorld(more: { readonly [name: string]: string } = {}): Promise<World> {
  const tokens = {
    public: null,
    nobody: tokenOf('nobody'),
    writer: tokenOf('writer'),
    editor: tokenOf('editor'),
    admin: tokenOf('admin'),
  }
  const folder = mkdtempSync(join(tmpdir(), 'tandem-world-'))
  const config = loadConfig({ ...settings, DATA_DIR: folder, ...more }, folder)
  const passwordHash = await hashPassword(password, config.security.hash)
  const people = userKinds.flatMap((kind) => {
    const token = tokens[kind]
    return token === null ? [] : [{ kind, passwordHash, tokenHash: hashToken(token, secret) }]
  })
  const database = await createTestDatabase({ sql: `${tablesSql};${rowsSql};${peopleSql(people)};${spareSql}` })
  const app = await createApp(config, { log: silentLog, db: { ...database.db, close: async () => {} } })
  return {
    url: (await app.listen()).replace(/\/$/, ''),
    tokens,
    reset: async (changed = 'rows') => {
      if (changed === 'model') await database.db.run({ text: modelSql, values: [] })
      await database.db.run({ text: `${rowsSql};${spareSql}`, values: [] })
      if (changed === 'model') await app.refresh()
    },
    withoutStorage: async (work) => {
      rmSync(folder, { recursive: true })
      const result = await work()
      mkdirSync(folder)
      return result
    },
    close: async () => {
      await app.close()
      await database.close()
      rmSync(folder, { recursive: true })
    },
  }
}

const tokenOf = (kind: UserKind): string => `static-token-of-${kind}-in-this-world`
