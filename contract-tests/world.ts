/** The one world of the contract tests: a fresh server, a few collections, and one user of every kind. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { createApp } from '../src/app.ts'
import { loadConfig } from '../src/config.ts'
import { exportTurns, inExportTurn } from '../src/core/export-items.ts'
import { TandemError } from '../src/domain/errors.ts'
import type { Outbound } from '../src/domain/outbound.ts'
import { createTestDatabase, silentLog } from '../src/sql/test-database.ts'
import { hashToken } from '../src/tokens/opaque.ts'
import { hashPassword, hashTurns, inTurn } from '../src/tokens/password.ts'
import { type Accounts, createAccounts } from './world-accounts.ts'
import { modelSql, password, peopleSql, picture, rowsSql, spareObjects, spareSql, tablesSql } from './world-data.ts'

export const userKinds = ['public', 'nobody', 'writer', 'editor', 'admin'] as const

/** Without a token; a user without a policy; one who may write what it cannot read; one whose policy allows a little; one who may do everything. */
export type UserKind = (typeof userKinds)[number]

/** What a request may have changed. */
export type Changed = 'rows' | 'model'

export type World = {
  readonly url: string
  /** A static token of each kind of user. */
  readonly tokens: { readonly [Kind in UserKind]: string | null }
  readonly accounts: Accounts
  /** Puts every row back; after a change of the model, every table too. */
  readonly reset: (changed?: Changed) => Promise<void>
  /** Does something while the folder of the server is gone. */
  readonly withoutStorage: <T>(work: () => Promise<T>) => Promise<T>
  /** Does something while nothing can be stored. */
  readonly withoutUploads: <T>(work: () => Promise<T>) => Promise<T>
  /** While as many passwords wait to be hashed as may. */
  readonly withoutHashTurns: <T>(work: () => Promise<T>) => Promise<T>
  /** While as many exports are written as may. */
  readonly withoutExportTurns: <T>(work: () => Promise<T>) => Promise<T>
  readonly close: () => Promise<void>
}

const secret = 'a-secret-that-only-contract-tests-know'

/** Cheap hashes and a free port; everything else as it is by default. */
const settings = {
  HOST: '127.0.0.1',
  PORT: '0',
  IMPORT_MAX_FILE_SIZE: '1mb',
  MAX_SCHEMA_SIZE: '1900kb',
  SECRET: secret,
  ADMIN_SETUP: 'true',
  LOGIN_STALL_TIME: '0ms',
  REGISTER_STALL_TIME: '0ms',
  // All that is asked here is asked by one client.
  RATE_LIMITER_REGISTRATION_ENABLED: 'false',
  RATE_LIMITER_EMAIL_ENABLED: 'false',
  PASSWORD_RESET_URL_ALLOW_LIST: 'https://app.example.com/reset',
  USER_INVITE_URL_ALLOW_LIST: 'https://app.example.com/join',
  USER_REGISTER_URL_ALLOW_LIST: 'https://app.example.com/confirm',
  HASH_MEMORY_COST: '8',
  HASH_TIME_COST: '1',
  HASH_PARALLELISM: '1',
  VALIDATE_RESPONSES: 'true',
  TUS_ENABLED: 'true',
  FILES_MAX_UPLOAD_SIZE: '1mb',
  // A machine that is busy with other tests is no reason to refuse a request.
  PRESSURE_LIMITER_ENABLED: 'false',
  ASSETS_TRANSFORM_MAX_CONCURRENT: '1',
  ASSETS_TRANSFORM_TIMEOUT: '9s',
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
  const storeObjects = (): void => {
    mkdirSync(join(folder, 'uploads'), { recursive: true })
    writeFileSync(join(folder, 'uploads', picture.key), picture.bytes)
    for (const name of Object.values(spareObjects)) writeFileSync(join(folder, 'uploads', name), 'hello')
  }
  storeObjects()
  const db = { ...database.db, close: async () => {} }
  const app = await createApp(config, { log: silentLog, db, outbound: theWeb })
  return {
    url: (await app.listen()).replace(/\/$/, ''),
    tokens,
    accounts: createAccounts(database.db, secret),
    reset: async (changed = 'rows') => {
      if (changed === 'model') await database.db.run({ text: modelSql, values: [] })
      await database.db.run({ text: `${rowsSql};${spareSql}`, values: [] })
      storeObjects()
      if (changed === 'model') await app.refresh()
    },
    withoutStorage: async (work) => {
      rmSync(folder, { recursive: true })
      const result = await work()
      storeObjects()
      return result
    },
    withoutUploads: async (work) => {
      rmSync(join(folder, 'uploads'), { recursive: true, force: true })
      writeFileSync(join(folder, 'uploads'), '')
      const result = await work()
      rmSync(join(folder, 'uploads'))
      return result
    },
    withoutHashTurns: (work) => whileTaken(hashTurns.working + hashTurns.waiting, inTurn, work),
    withoutExportTurns: (work) => whileTaken(exportTurns, inExportTurn, work),
    close: async () => {
      await app.close()
      await database.close()
      rmSync(folder, { recursive: true })
    },
  }
}

/** Does something while somebody else has all turns. */
async function whileTaken<T>(
  count: number,
  take: (work: () => Promise<void>) => Promise<void>,
  work: () => Promise<T>,
): Promise<T> {
  const gate = Promise.withResolvers<void>()
  const turns = Array.from({ length: count }, () => take(() => gate.promise))
  try {
    return await work()
  } finally {
    gate.resolve()
    await Promise.all(turns)
  }
}

const tokenOf = (kind: UserKind): string => `static-token-of-${kind}-in-this-world`

/** The web as it is in this world: one picture. */
const theWeb: Outbound = {
  async fetchFile(address) {
    const url = new URL(address)
    if (url.pathname.endsWith('.jpg'))
      return { url, type: 'image/jpeg', stream: Readable.from([Buffer.from('no jpeg')]) }
    throw new TandemError({ kind: 'unavailable', service: 'external-file', reason: 'Nothing is there', retryAfter: 1 })
  },
}
