/** Who comes by a share, and with which rights: looked up anew whenever anything that they hang on changes. */
import { type AccessOwner, loadAccess } from '../authz/access.ts'
import { shareAccess } from '../authz/share-access.ts'
import type { Access, Actor } from '../domain/actor.ts'
import type { Database } from '../domain/context.ts'
import { TandemError } from '../domain/errors.ts'
import type { Schema } from '../domain/schema.ts'
import { fixedRights, type Holder } from './fixed-rules.ts'
import { hasSingleKey, toKey } from './keys.ts'
import type { LookUpContext } from './look-ups.ts'

/** Where and when somebody asks. */
export type ShareLookUp = {
  readonly db: Database
  readonly schema: Schema
  readonly ip: string | null
  readonly now: Date
}

/** What a share stands for, and on whose behalf. Ids are uuids. */
export type ShareFacts = {
  readonly id: string
  readonly collection: string
  readonly item: string
  readonly role: string | null
  readonly creator: string
  readonly creator_role: string | null
}

/** The columns of `ShareFacts`, from shares (`h`) that are valid at the instant of parameter 2 and whose creator is active. */
export const validShare = {
  columns: 'h.id, h.collection, h.item, h.role, u.id as creator, u.role as creator_role',
  tables: 'platform_shares h join platform_users u on u.id = h.user_created',
  condition: `u.status = 'active' and (h.date_start is null or h.date_start <= $2::timestamptz)
    and (h.date_end is null or h.date_end > $2::timestamptz)`,
} as const

/** Until when the actor may be remembered, in milliseconds. */
export type ShareVisitor = { readonly actor: Extract<Actor, { readonly kind: 'share' }>; readonly expires: number }

type SessionRow = ShareFacts & { readonly expires: string }

/** The visitor whose session it is; null when it has ended, or the share or its creator's right is gone. */
export async function findVisitor(at: ShareLookUp, session: string): Promise<ShareVisitor | null> {
  const { rows } = await at.db.run({
    text: bySession,
    values: [session, at.now.toISOString()],
    name: 'share-by-session',
  })
  const found = rows[0] as SessionRow | undefined
  const access = found === undefined ? null : await accessOfShare(at, found)
  if (found === undefined || access === null) return null
  const actor = { kind: 'share', share: found.id, role: found.role, access, session } as const
  return { actor, expires: Date.parse(found.expires) }
}

const bySession = `select ${validShare.columns}, least(s.expires, h.date_end) as expires
  from platform_sessions s join (${validShare.tables}) on h.id = s.share
  where s.id = $1 and s.expires > $2::timestamptz and ${validShare.condition}`

/** Null when the creator may not share the item (any more). */
export async function accessOfShare(at: ShareLookUp, share: ShareFacts): Promise<Access | null> {
  const collection = at.schema.collections.get(share.collection)
  if (collection === undefined || collection.system || collection.table === null || !hasSingleKey(collection))
    return null
  try {
    const item = { collection, key: toKey(collection, share.item) }
    const role = await rightsOf(at, { kind: 'role', role: share.role })
    const creator = await rightsOf(at, { kind: 'user', user: share.creator, role: share.creator_role })
    return shareAccess(at.schema, item, role, creator)
  } catch (error) {
    // A key that the column cannot hold any more, an address from which somebody's policies do not count.
    if (error instanceof TandemError) return null
    throw error
  }
}

async function rightsOf(at: ShareLookUp, who: Exclude<AccessOwner, { kind: 'public' }>) {
  const { access, roles } = await loadAccess(at.db, at.schema, who, at.ip)
  const holder: Holder = { user: who.kind === 'user' ? who.user : null, role: who.role, roles, access }
  return fixedRights(lookUpContext(at), holder)
}

/** Our own questions are short; they need no bounds but some. */
const limits = { queryDefault: 100, queryMax: null, depth: 20, batch: null } as const

const lookUpContext = ({ db, schema, now }: ShareLookUp): LookUpContext => ({ db, schema, limits, clock: () => now })
