/** `tandem users create`, `tandem roles create` and `tandem token`. What they make is printed, so that scripts can take it. */

import { loadSecret } from '../config.ts'
import { ConfigError } from '../config-error.ts'
import type { Config } from '../config-sections.ts'
import { createRole, createUser, setStaticToken } from '../core/provision.ts'
import type { Database } from '../domain/context.ts'
import { ids } from '../ids.ts'
import { migrate } from '../sql/migrate.ts'
import { createStaticToken, hashToken } from '../tokens/opaque.ts'
import { hashPassword } from '../tokens/password.ts'
import { print, quietLog, withDatabase } from './database.ts'

/** Makes a role and prints its id. */
export const addRole = (role: { name: string; admin: boolean; app: boolean }): Promise<void> =>
  withTables(async (db) => print(await createRole(db, ids, role)))

/** Makes a user and prints its id. */
export async function addUser(user: { email: string; password: string; role: string }): Promise<void> {
  if (!/^[^\s@]+@[^\s@]+$/.test(user.email))
    throw new ConfigError('--email', 'an e-mail address', JSON.stringify(user.email))
  expectLength('--password', user.password, 8)
  await withTables(async (db, config) => {
    const passwordHash = await hashPassword(user.password, config.security.hash)
    print(await createUser(db, ids, { email: user.email, passwordHash, role: user.role }))
  })
}

/** Gives a user a static token and prints it, or takes the token away. */
export async function giveToken(wish: { email: string; set?: string; remove: boolean }): Promise<void> {
  if (wish.set !== undefined) expectLength('--set', wish.set, 16)
  await withTables(async (db, config) => {
    const token = wish.remove ? null : (wish.set ?? createStaticToken())
    await setStaticToken(db, wish.email, token === null ? null : hashToken(token, loadSecret(config).secret))
    print(token ?? `${wish.email} has no static token any more.`)
  })
}

function expectLength(option: string, value: string, least: number): void {
  if (value.length < least) throw new ConfigError(option, `at least ${least} characters`, `${value.length} characters`)
}

const withTables = (work: (db: Database, config: Config) => Promise<void>): Promise<void> =>
  withDatabase(async (db, config) => {
    await migrate(db, quietLog)
    await work(db, config)
  })
