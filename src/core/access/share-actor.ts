/** Finds the actor of a share, and its rights. They are loaded again after any change that affects them. */
import type { AccessOwner } from '../../authz/access.ts'
import { shareAccess } from '../../authz/share-access.ts'
import { usualBounds } from '../../domain/conditions/query-cost.ts'
import type { Context, Database } from '../../domain/ports/context.ts'
import type { Access, Actor } from '../../domain/rights/actor.ts'
import { TandemError } from '../../domain/rights/errors.ts'
import type { Schema } from '../../domain/schema/schema.ts'
import { findShareOfSession, type ShareFacts } from '../../sql/statements/accounts/shares.ts'
import { toKey } from '../rows/keys.ts'
import type { LookUpContext } from '../rows/look-ups.ts'
import { fixedRights, type Holder } from './fixed-rules.ts'
import { loadAccess } from './load-access.ts'

/** Address and time of the request. */
export type ShareLookUp = {
  readonly db: Database
  readonly rows: Context['rows']
  readonly schema: Schema
  readonly ip: string | null
  readonly now: Date
}

/** Time until which the actor may be cached, in milliseconds. */
export type ShareVisitor = { readonly actor: Extract<Actor, { readonly kind: 'share' }>; readonly expires: number }

/** The actor of a session; null if the session, the share or the creator's right has ended. */
export async function findVisitor(at: ShareLookUp, session: string): Promise<ShareVisitor | null> {
  const share = await findShareOfSession(at.db, session, at.now)
  const access = share === undefined ? null : await accessOfShare(at, share)
  if (share === undefined || access === null) return null
  const actor = { kind: 'share', share: share.id, role: share.role, access, session } as const
  return { actor, expires: Date.parse(share.expires) }
}

/** Null if the creator may not share the item any more. */
export async function accessOfShare(at: ShareLookUp, share: ShareFacts): Promise<Access | null> {
  const collection = at.schema.collections.get(share.collection)
  if (collection === undefined || collection.system || collection.table === null || collection.keyColumns.length === 0)
    return null
  try {
    const item = { collection, key: toKey(collection, share.item) }
    const role = await rightsOf(at, { kind: 'role', role: share.role })
    const creator = await rightsOf(at, { kind: 'user', user: share.creator, role: share.creator_role })
    return shareAccess(at.schema, item, role, creator)
  } catch (error) {
    // The key no longer fits the column, or the policies of a party exclude this address.
    if (error instanceof TandemError) return null
    throw error
  }
}

async function rightsOf(at: ShareLookUp, who: Exclude<AccessOwner, { kind: 'public' }>) {
  const { access, roles } = await loadAccess(at.db, at.schema, who, at.ip)
  const holder: Holder = { user: who.kind === 'user' ? who.user : null, role: who.role, roles, access }
  return fixedRights(lookUpContext(at), holder)
}

/** Limits of internal queries. */
const limits = { queryDefault: 100, queryMax: null, depth: 20, batch: null, cost: usualBounds } as const

const lookUpContext = ({ db, rows, schema, now }: ShareLookUp): LookUpContext => ({
  db,
  rows,
  schema,
  limits,
  clock: () => now,
})
