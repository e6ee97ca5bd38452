/** Who a webhook acts for: its user, or else its role. */
import type { Database } from '../../domain/ports/context.ts'
import type { Webhook } from '../../domain/ports/webhooks.ts'
import type { Actor } from '../../domain/rights/actor.ts'
import { TandemError } from '../../domain/rights/errors.ts'
import type { Schema } from '../../domain/schema/schema.ts'
import { findExplainedUser } from '../../sql/statements/operation/explained.ts'
import { loadAccess, loadUserActor } from '../access/load-access.ts'

type Owned = Pick<Webhook, 'user' | 'role'>

/** The same for webhooks that act for the same. */
export const ownerKey = ({ user, role }: Owned): string => `${user ?? ''} ${user === null ? (role ?? '') : ''}`

/** Stands for the user of a webhook that has a role alone; no row has it. */
const nobody = '00000000-0000-0000-0000-000000000000'

/** The actor with its rights as of now. Throws `forbidden` if there is none, and as a login of the user does. */
export async function loadOwner(db: Database, schema: Schema, { user, role }: Owned): Promise<Actor> {
  const at = { db, schema, ip: null }
  if (user !== null) {
    const found = await findExplainedUser(db, user)
    if (found === undefined) throw missing()
    return (await loadUserActor(at, found, { session: null })).actor
  }
  if (role === null) throw missing()
  const { access, roles } = await loadAccess(db, schema, { kind: 'role', role }, null)
  return { kind: 'user', user: nobody, role, roles, access, session: null }
}

const missing = (): TandemError =>
  new TandemError({ kind: 'forbidden', reason: 'The webhook has neither a user nor a role' })
