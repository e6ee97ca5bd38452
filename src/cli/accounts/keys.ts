/** `tandem key`: API keys of users. Results are printed for use in scripts. */
import { loadSecret } from '../../config/config.ts'
import { ConfigError } from '../../config/error.ts'
import { createKey, readKeys, revokeKey } from '../../core/access/api-keys.ts'
import type { Context } from '../../domain/ports/context.ts'
import { coreView } from '../../domain/schema/core-view.ts'
import { findPoliciesByName } from '../../sql/statements/accounts/keys.ts'
import { findAccountByEmail } from '../../sql/statements/accounts/users.ts'
import { createContext } from '../context.ts'
import { print, withTables } from '../database.ts'

export type KeyOptions = {
  readonly email: string
  readonly name: string
  readonly policy?: readonly string[]
  readonly expires?: string
  readonly maxRequests?: string
  readonly maxCost?: string
}

/** Creates a key and prints it. It is not shown again. */
export const addKey = (options: KeyOptions): Promise<void> =>
  withContext(async (ctx) => {
    const { email, name, policy, expires = null } = options
    const user = await userOf(ctx, email)
    const [requests, cost] = [numberOf('--max-requests', options.maxRequests), numberOf('--max-cost', options.maxCost)]
    const policies = policy === undefined ? null : await policiesOf(ctx, policy)
    if (expires !== null && Number.isNaN(Date.parse(expires)))
      throw new ConfigError('--expires', 'a date or a time', JSON.stringify(expires))
    const limits = { max_requests: requests, max_cost: cost }
    print((await createKey(ctx, { user, name, policies, expires, ...limits })).key)
  })

/** Prints the keys, one a line: id, prefix, expiry, last use and name. */
export const listKeys = ({ email }: { readonly email?: string }): Promise<void> =>
  withContext(async (ctx) => {
    for (const key of await readKeys(ctx, email === undefined ? null : await userOf(ctx, email)))
      print([key.id, key.prefix, key.expires ?? 'never expires', key.last_used ?? 'never used', key.name].join('\t'))
  })

export const removeKey = (id: string): Promise<void> =>
  withContext(async (ctx) => {
    await revokeKey(ctx, id)
    print(`The key ${id} is deleted.`)
  })

const withContext = (work: (ctx: Context) => Promise<void>): Promise<void> =>
  withTables(async (db, config) => {
    const { secret } = loadSecret(config)
    await work(await createContext(db, config, { generation: { createView: coreView }, command: 'tandem key', secret }))
  })

async function userOf({ db }: Pick<Context, 'db'>, email: string): Promise<string> {
  const account = await findAccountByEmail(db, email.toLowerCase())
  if (account === undefined) throw new ConfigError('--email', 'the address of a user', JSON.stringify(email))
  return account.id
}

async function policiesOf({ db }: Pick<Context, 'db'>, names: readonly string[]): Promise<readonly string[]> {
  const policies = await findPoliciesByName(db, names)
  const missing = names.find((name) => !policies.some((each) => each.name === name))
  if (missing !== undefined) throw new ConfigError('--policy', 'the name of a policy', JSON.stringify(missing))
  return policies.map(({ id }) => id)
}

function numberOf(option: string, text: string | undefined): number | null {
  if (text === undefined) return null
  const number = Number(text)
  if (Number.isSafeInteger(number) && number >= 1 && number <= 1_000_000_000) return number
  throw new ConfigError(option, 'an integer from 1 to 1000000000', JSON.stringify(text))
}
