/** Brings accounts of the world into the states that mail links and second factors require. */
import type { Database } from '../src/domain/ports/context.ts'
import { type AccountPurpose, sealState, signAccountToken } from '../src/tokens/account-tokens.ts'
import { codeAt } from '../src/tokens/one-time-codes.ts'
import { hashToken } from '../src/tokens/opaque.ts'
import { administrator } from './world-data.ts'

/** The TOTP secret of all users. */
const codeSecret = 'WS36IYF5QGENQ3NE3UTBJN2AVYXYFX4G'

export type Accounts = {
  /** A token as in a mail, for an account in the required state; `old` tokens have expired. */
  readonly issueToken: (purpose: AccountPurpose, age: 'new' | 'old') => Promise<string>
  /** Gives every user a pending or an active second factor. Returns the values to send. */
  readonly prepareCodes: (state: 'pending' | 'enabled') => Promise<{ readonly secret: string; readonly otp: string }>
  /** Revokes the rights of all administrators until the world is reset. */
  readonly dismissAdministrators: () => Promise<void>
  /** Requires a second factor from administrators, who have no password to set one up. */
  readonly withDemandedCodes: <T>(work: () => Promise<T>) => Promise<T>
}

const statuses = { 'password-reset': 'active', invitation: 'invited', registration: 'unverified' } as const

/** Works with a database and the secret of its server. */
export function createAccounts(db: Database, secret: string): Accounts {
  const run = async (text: string, values: readonly unknown[] = []) => (await db.run({ text, values })).rows
  return {
    async issueToken(purpose, age) {
      const status = statuses[purpose]
      const spare = `where email = 'spare@example.com'`
      await run(`update platform_users set status = $1 ${spare}`, [status])
      const rows = await run(`select id, email, password from platform_users ${spare}`)
      const [row] = rows as readonly { id: string; email: string; password: string | null }[]
      if (row === undefined) throw new Error('The spare user does not exist')
      const seal = sealState([row.id, row.email, row.password, status], secret)
      const issuedAt = age === 'new' ? new Date() : new Date('2020-01-01T00:00:00Z')
      return signAccountToken({ purpose, user: row.id, seal }, { issuedAt, ttl: 3_600_000 }, { secret, project: '_' })
    },
    async dismissAdministrators() {
      await run('update platform_policies set admin_access = false where id = $1', [administrator.policy])
    },
    async withDemandedCodes(work) {
      const demand = (isOn: boolean) =>
        run('update platform_policies set enforce_tfa = $1 where id = $2', [isOn, administrator.policy])
      const [row] = await run('select password from platform_users where id = $1', [administrator.user])
      await run('update platform_users set password = null where id = $1', [administrator.user])
      await demand(true)
      try {
        return await work()
      } finally {
        await demand(false)
        const { password } = row as { readonly password: string }
        await run('update platform_users set password = $2 where id = $1', [administrator.user, password])
      }
    },
    async prepareCodes(state) {
      await run('delete from platform_account_states')
      await run('update platform_users set tfa_secret = $1', [state === 'enabled' ? codeSecret : null])
      const pending = `insert into platform_account_states ("user", pending_secret_hash, pending_until)
        select id, $1, '2037-01-01' from platform_users`
      if (state === 'pending') await run(pending, [hashToken(codeSecret, secret)])
      return { secret: codeSecret, otp: codeAt(codeSecret, new Date()) }
    },
  }
}
