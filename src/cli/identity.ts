/** `tandem users create`, `tandem roles create` and `tandem token`. Results are printed for use in scripts. */

import { ids } from '../clock-and-ids.ts'
import { loadSecret } from '../config/config.ts'
import { ConfigError } from '../config/error.ts'
import { tokenText } from '../config/kinds-network.ts'
import { systemValue } from '../core/rows/system-values.ts'
import { createRole, createUser, setScimToken, setStaticToken } from '../core/server/provision.ts'
import { createStaticToken, hashToken } from '../tokens/opaque.ts'
import { hashPassword } from '../tokens/password.ts'
import { print, withTables } from './database.ts'

export async function addRole(role: { name: string; admin: boolean; app: boolean }): Promise<void> {
  if (role.name.trim() === '') throw new ConfigError('--name', 'a name', JSON.stringify(role.name))
  await withTables(async (db) => print(await createRole(db, ids, role)))
}

export async function addUser(user: { email: string; password: string; role: string }): Promise<void> {
  if (!isAddress(user.email)) throw new ConfigError('--email', 'an e-mail address', JSON.stringify(user.email))
  const { length } = user.password
  if (length < 8) throw new ConfigError('--password', 'at least 8 characters', `${length} characters`)
  await withTables(async (db, config) => {
    const passwordHash = await hashPassword(user.password, config.security.hash)
    print(await createUser(db, ids, { email: user.email, passwordHash, role: user.role }))
  })
}

/** Sets the static token of a user, or that of SCIM, and prints it, or removes the token. */
export async function giveToken(options: { email: string | null; set?: string; remove: boolean }): Promise<void> {
  const { expected, schema } = tokenText(16)
  if (options.set !== undefined && !schema.safeParse(options.set).success)
    throw new ConfigError('--set', expected, `${options.set.length} characters`)
  await withTables(async (db, config) => {
    const token = options.remove ? null : (options.set ?? createStaticToken())
    const hash = token === null ? null : hashToken(token, loadSecret(config).secret)
    await (options.email === null ? setScimToken(db, ids, hash) : setStaticToken(db, options.email, hash))
    print(token ?? `${options.email ?? 'SCIM'} no longer has a static token.`)
  })
}

/** Validates an address by the same rule as the APIs. */
function isAddress(text: string): boolean {
  try {
    systemValue('platform_users', 'email', text)
    return true
  } catch {
    return false
  }
}
