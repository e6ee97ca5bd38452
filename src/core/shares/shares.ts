/** Public information about shares, for callers who know the id. */

import { isUuid } from '../../domain/conditions/literals.ts'
import type { Context } from '../../domain/ports/context.ts'
import { findShareInfo, setSharePassword } from '../../sql/statements/accounts/shares.ts'
import { sharesCollection } from '../guards/guard-shares.ts'
import { mask } from '../rows/hashed-values.ts'
import { notFound } from '../rows/keys.ts'

/** The public facts of a share; times as ISO 8601. */
export type ShareInfo = {
  readonly id: string
  readonly collection: string
  readonly item: string
  /** A mask; null = no password. */
  readonly password: string | null
  readonly max_uses: number | null
  readonly times_used: number
  readonly date_start: string | null
  readonly date_end: string | null
}

/** Throws `item-not-found` for a share that does not exist or is not valid now. Whether it is used up is visible. */
export async function readShareInfo(ctx: Pick<Context, 'db' | 'clock'>, id: string): Promise<ShareInfo> {
  const row = await findShareInfo(ctx.db, isUuid(id) ? id.toLowerCase() : null, ctx.clock())
  if (row === undefined) throw notFound(sharesCollection)
  const { hasPassword, date_start: start, date_end: end, ...rest } = row
  return { ...rest, password: hasPassword ? mask : null, date_start: iso(start), date_end: iso(end) }
}

const iso = (text: string | null): string | null => (text === null ? null : new Date(text).toISOString())

/** Gives a share the hash of a password that another server has made. */
export const setPasswordHash = ({ db }: Pick<Context, 'db'>, share: string, hash: string): Promise<void> =>
  setSharePassword(db, share, hash)
