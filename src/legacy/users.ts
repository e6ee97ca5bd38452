/** The user record that a login answers with. */
import { readItem } from '../core/items.ts'
import type { Context } from '../domain/context.ts'
import type { Selection } from '../domain/query.ts'
import { rowsOf } from '../domain/rows-of.ts'

/** Wire names of what a login shows of its user. */
const shown = [
  'id',
  'status',
  'role',
  'first_name',
  'last_name',
  'email',
  'timezone',
  'locale',
  'locale_options',
  'avatar',
  'company',
  'title',
  'external_id',
  'theme',
  '2fa_secret',
  'password_reset_token',
] as const

/** The record as JSON text. Whoever has just logged in sees these fields, whatever its role may read. */
export function readOwnUser(ctx: Context, user: string): Promise<string> {
  const collection = 'platform_users'
  const fields = ctx.view.byCore.get(collection)?.fields
  const selection: Selection = shown.flatMap((key) => {
    const field = fields?.get(key)?.field
    return field === undefined ? [] : [{ kind: 'field', key, field }]
  })
  const query = rowsOf(collection, selection)
  return readItem({ ...ctx, actor: { kind: 'system' } }, query, user)
}
