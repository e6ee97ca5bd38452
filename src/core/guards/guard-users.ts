/** Checks written users: fields that only the server sets, the password policy, and the end of sessions. */
import { forbidden, isUnlimited } from '../../authz/grants.ts'
import { readPattern } from '../../domain/conditions/patterns.ts'
import type { Context } from '../../domain/ports/context.ts'
import type { Written } from '../../domain/ports/write-log.ts'
import { invalidPayload, TandemError } from '../../domain/rights/errors.ts'
import { deleteSessionsOfUsers } from '../../sql/statements/accounts/sessions.ts'
import { readPasswordPolicy } from '../../sql/statements/settings.ts'
import { mask } from '../rows/hashed-values.ts'
import type { ChangedItem } from '../rows/touched-collections.ts'

/** Fields that have operations of their own. */
const setByServer: readonly string[] = ['tfa_secret', 'password_reset_token']

/** Fields that identify an external account: they decide who can log in. */
const external: readonly string[] = ['provider', 'external_identifier', 'auth_data']

/** Checks the users in a mutation. Throws `invalid-payload`, `forbidden` or `failed-validation`. */
export async function assertUserItems(
  ctx: Pick<Context, 'db' | 'actor' | 'mayKeep'>,
  items: readonly ChangedItem[],
): Promise<void> {
  if (ctx.actor.kind === 'system') return
  for (const { collection, changes } of items) {
    if (collection !== 'platform_users') continue
    for (const [name, change] of changes) {
      const value = change.kind === 'value' ? change.value : undefined
      if (value === mask) continue
      if (setByServer.includes(name) && ctx.mayKeep?.includes(name) !== true) {
        if (value === null && isUnlimited(ctx.actor)) continue
        throw invalidPayload(name, `Expected no value for field "${name}"`)
      }
      if (external.includes(name) && !isUnlimited(ctx.actor)) throw forbidden('update', collection, name)
      if (name === 'password' && typeof value === 'string') await assertPassword(ctx, value)
    }
  }
}

/**
 * Throws `failed-validation` if the password does not match the project's policy. The error does not contain the
 * password.
 */
export async function assertPassword({ db }: Pick<Context, 'db'>, password: string): Promise<void> {
  const policy = (await readPasswordPolicy(db)) ?? ''
  const matches = policy === '' ? (candidate: string) => candidate !== '' : readPattern(policy)
  if (matches?.(password) === true) return
  const message = 'Expected a password that the policy of the project allows'
  throw new TandemError({ kind: 'failed-validation', field: 'password', type: 'regex', message })
}

/** Ends sessions after a change of password or role, and of users who are no longer active. */
export async function endSessions({ db }: Pick<Context, 'db'>, written: readonly Written[]): Promise<void> {
  const updated = written.filter(({ collection, kind }) => collection === 'platform_users' && kind.startsWith('update'))
  const keysOf = (...names: readonly string[]): readonly string[] =>
    updated.filter(({ columns }) => names.some((name) => columns.includes(name))).flatMap(({ keys }) => keys)
  const changed = keysOf('password', 'role')
  const moved = keysOf('status', 'provider')
  if (changed.length + moved.length > 0) await deleteSessionsOfUsers(db, { always: changed, unlessActive: moved })
}
