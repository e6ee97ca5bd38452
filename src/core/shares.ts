/** Shares, for those who only have their id. */
import type { Context } from '../domain/context.ts'
import { isUuid } from '../domain/literals.ts'
import { sharesCollection } from './guard-shares.ts'
import { notFound } from './keys.ts'
import { validShare } from './share-actor.ts'
import { mask } from './specials.ts'

/** What everybody may know of a share; times as ISO 8601. */
export type ShareInfo = {
  readonly id: string
  readonly collection: string
  readonly item: string
  /** Masked; null when there is none. */
  readonly password: string | null
  readonly max_uses: number | null
  readonly times_used: number
  readonly date_start: string | null
  readonly date_end: string | null
}

type Row = Omit<ShareInfo, 'password'> & { readonly hasPassword: boolean }

/** Throws `item-not-found` for a share that is not there or not valid now; whether it is used up the visitor sees. */
export async function readShareInfo(ctx: Context, id: string): Promise<ShareInfo> {
  const values = [isUuid(id) ? id.toLowerCase() : null, ctx.clock().toISOString()]
  const { rows } = await ctx.db.run({ text: selectInfo, values, name: 'share-info' })
  const row = rows[0] as Row | undefined
  if (row === undefined) throw notFound(sharesCollection)
  const { hasPassword, date_start: start, date_end: end, ...rest } = row
  return { ...rest, password: hasPassword ? mask : null, date_start: iso(start), date_end: iso(end) }
}

const iso = (text: string | null): string | null => (text === null ? null : new Date(text).toISOString())

const selectInfo = `select h.id, h.collection, h.item, h.password is not null as "hasPassword", h.max_uses, h.times_used,
    h.date_start, h.date_end from ${validShare.tables} where h.id = $1::uuid and ${validShare.condition}`
