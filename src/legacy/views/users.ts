/** Users in answers that are not reads: logins, invitations, and operations on the own user. */

import { findReadGrant, forbidden } from '../../authz/grants.ts'
import { readingItself } from '../../authz/within-row.ts'
import { ownUser } from '../../core/accounts/users.ts'
import { readItem, readItems } from '../../core/rows/read-items.ts'
import type { Context, ReadContext } from '../../domain/ports/context.ts'
import { jsonOf } from '../../domain/ports/row-store.ts'
import { compare } from '../../domain/query/filter.ts'
import type { Selection } from '../../domain/query/query.ts'
import { rowsOf } from '../../domain/query/rows-of.ts'

/** Fields of the user that a login returns. */
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

const collection = 'platform_users'

/** The user as JSON text. Right after login these fields are returned, whatever the role may read. */
export const readOwnUser = (ctx: Context, user: string): Promise<string> =>
  readItem(asServer(ctx), rowsOf(collection, fieldsNamed(ctx, shown)), user)

/** The caller's context for reads of its own account, which need no rule on users. */
export function asReader(ctx: Context): Context {
  const names = fieldsNamed(ctx, [...visibleToReaders, 'email_notifications']).flatMap((each) =>
    each.kind === 'field' ? [each.field] : [],
  )
  return { ...ctx, actor: readingItself(ctx.actor, ['id', ...names]) }
}

const asServer = (ctx: Context): Context => ({ ...ctx, actor: { kind: 'system' } })

function fieldsNamed(ctx: Pick<Context, 'view'>, names: readonly string[]): Selection {
  const fields = ctx.view.byCore.get(collection)?.fields
  return names.flatMap((key) => {
    const field = fields?.get(key)?.field
    return field === undefined ? [] : [{ kind: 'field', key, field }]
  })
}

/** Fields that operations without read permission return. */
const visibleToReaders = [...shown, 'last_access_on', 'last_page'] as const

export async function readUser(ctx: Context, user: string): Promise<string> {
  const row = await readItem(asServer(ctx), rowsOf(collection, fieldsNamed(ctx, visibleToReaders)), user)
  return `{"data":${row}${ctx.actor.kind === 'public' ? ',"public":true' : ''}}`
}

/** The envelope with those users of these addresses, and those of their fields, that the caller may read. */
export async function readUsers(ctx: ReadContext, emails: readonly string[]): Promise<string> {
  const readable = findReadGrant(ctx.actor, ctx.schema, collection)?.fields
  // Whoever may not read addresses learns of none by asking for it.
  if (readable?.has('email') !== true) return '{"data":[]}'
  const selection = fieldsNamed(ctx, visibleToReaders).filter(
    (each) => each.kind === 'field' && readable.has(each.field),
  )
  const values = emails.map((email) => email.trim().toLowerCase())
  const filter = compare('email', 'in', values)
  const sort = readable.has('number')
    ? ([{ kind: 'field', path: [], field: 'number', descending: false }] as const)
    : []
  const result = await readItems(ctx, { ...rowsOf(collection, selection), filter, sort })
  return `{"data":${jsonOf(result)}}`
}

export async function ownNumber(ctx: Context): Promise<string> {
  const row = await readItem(asServer(ctx), rowsOf(collection, fieldsNamed(ctx, ['id'])), ownUser(ctx))
  return String((JSON.parse(row) as { readonly id: number }).id)
}

/** Throws unless the key is that of the caller, or `me`. */
export async function assertSelf(ctx: Context, key: string): Promise<void> {
  const own = await ownNumber(ctx)
  if (key !== 'me' && key !== own) throw forbidden('update', collection)
}
