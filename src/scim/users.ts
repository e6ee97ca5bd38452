import type { Context } from '../domain/ports/context.ts'
import type { Row } from '../domain/ports/row-store.ts'
import { compare } from '../domain/query/filter.ts'
import type { Selection } from '../domain/query/query.ts'
import { ownFields } from '../domain/query/rows-of.ts'
import { ofNoProvider, roleExternal, userExternal } from './attributes.ts'
import { addressOf, invalidValue, newExternal, type ScimContext, textOf, toResource } from './resource.ts'
import { type Resource, readable } from './rows.ts'
import type { ScimUser } from './types.ts'

const fields = [
  'id',
  userExternal,
  'provider',
  'email',
  'first_name',
  'last_name',
  'title',
  'language',
  'timezone',
  'status',
]

/** Users that are not deleted. */
export const userResource: Resource = {
  collection: 'platform_users',
  external: userExternal,
  named: { column: 'provider', filter: ofNoProvider },
  live: compare('status', 'neq', ['archived']),
  select: (ctx, wants) => [
    ...ownFields(...readable(ctx, 'platform_users', fields)),
    ...(wants('groups') ? ownRole(ctx) : []),
  ],
}

/** The role, if the caller may read it. */
function ownRole(ctx: Context): Selection {
  const inner = readable(ctx, 'platform_roles', ['id', roleExternal, 'name'])
  if (!inner.includes('id') || readable(ctx, 'platform_users', ['role']).length === 0) return []
  return [{ kind: 'one', key: 'role', field: 'role', selection: ownFields(...inner), filter: { kind: 'all' } }]
}

export function toUser(site: ScimContext, row: Row, wants: (name: string) => boolean): ScimUser {
  const { email, first_name: firstName, last_name: lastName, title, language, timezone, status, role } = row
  const external = row[userExternal] as string | null | undefined
  return toResource(
    site,
    'User',
    {
      id: idOf(row),
      externalId: external ?? undefined,
      userName: email ?? undefined,
      name: {
        ...(lastName == null ? {} : { familyName: lastName }),
        ...(firstName == null ? {} : { givenName: firstName }),
      },
      displayName: displayName(row),
      emails: typeof email === 'string' ? [{ value: email, type: 'work', primary: true }] : undefined,
      title: title ?? undefined,
      locale: language ?? undefined,
      timezone: timezone ?? undefined,
      active: status === undefined ? undefined : status === 'active',
      groups: role === undefined ? undefined : role === null ? [] : [toGroupReference(site, role as Row)],
    },
    wants,
  )
}

/** The id that SCIM shows for a user: the external one, unless it is unique at a login provider alone. */
export function idOf(row: Row): string {
  const external = row[userExternal]
  return !isOfProvider(row) && typeof external === 'string' ? external : String(row['id'])
}

/** Whether the user logs in by a provider, where the external id is the key of the person at first. */
export const isOfProvider = ({ provider }: Row): boolean => provider !== undefined && provider !== 'default'

function toGroupReference(site: ScimContext, role: Row) {
  const id = String(role[roleExternal] ?? role['id'])
  const display = typeof role['name'] === 'string' ? { display: role['name'] } : {}
  return { value: id, $ref: addressOf(site, 'Groups', id), ...display }
}

/** First and last name, or the address. */
export function displayName({ first_name: firstName, last_name: lastName, email }: Row): string | undefined {
  const name = [firstName, lastName].filter((each) => typeof each === 'string' && each !== '').join(' ')
  return name === '' ? ((email as string | null | undefined) ?? undefined) : name
}

/** The attributes that clients can write, as the patch library changes them. */
export type UserDraft = {
  readonly externalId?: unknown
  readonly userName?: unknown
  readonly name?: unknown
  readonly emails?: unknown
  readonly title?: unknown
  readonly locale?: unknown
  readonly timezone?: unknown
  readonly active?: unknown
}

/** The attributes of a stored user that the caller may read, to be patched. */
export const toDraft = (row: Row): UserDraft => ({
  ...('email' in row ? { userName: row['email'], emails: [{ value: row['email'], type: 'work', primary: true }] } : {}),
  name: {
    ...('last_name' in row ? { familyName: row['last_name'] } : {}),
    ...('first_name' in row ? { givenName: row['first_name'] } : {}),
  },
  ...(userExternal in row ? { externalId: row[userExternal] } : {}),
  ...('title' in row ? { title: row['title'] } : {}),
  ...('language' in row ? { locale: row['language'] } : {}),
  ...('timezone' in row ? { timezone: row['timezone'] } : {}),
  ...('status' in row ? { active: row['status'] === 'active' } : {}),
})

type Columns = { readonly [column: string]: string | null }

export function columnsOfNew(draft: UserDraft): Columns {
  const external = textOf(draft.externalId, 'externalId') ?? null
  return {
    ...namesOf(draft),
    email: emailOf(draft),
    status: isActive(draft.active) === true ? 'active' : 'draft',
    // Only administrators may write it, so it is omitted when empty.
    ...(external === null ? {} : { [userExternal]: external }),
  }
}

/**
 * The columns of a stored user that differ from what the draft says. Absent texts become null. A column that the caller
 * may not read (the row lacks it) is written whenever the draft has a value, so that the answer tells nothing about it.
 */
export function changedColumns(row: Row, draft: UserDraft): Columns {
  const columns: { [column: string]: string | null | undefined } = { ...namesOf(draft), email: newEmail(row, draft) }
  const isFree = isOfProvider(row)
  columns[userExternal] = newExternal({ id: row['id'], before: row[userExternal], isFree }, draft.externalId)
  columns['status'] = newStatus(row, isActive(draft.active))
  const changed = Object.entries(columns).filter(
    ([name, value]) => value !== undefined && value !== row[name] && (value !== null || name in row),
  )
  return Object.fromEntries(changed) as Columns
}

/** A user who could not log in before keeps the status, which records the reason. */
function newStatus(row: Row, active: boolean | undefined): string | undefined {
  const isUnknown = row['status'] == null
  if (active === undefined || (!isUnknown && active === (row['status'] === 'active'))) return undefined
  if (active) return 'active'
  return isUnknown || row['status'] === 'active' ? 'suspended' : undefined
}

function namesOf({ name, title, locale, timezone }: UserDraft): Columns {
  const parts = objectOf(name, 'name')
  return {
    first_name: textOf(parts['givenName'], 'name.givenName') ?? null,
    last_name: textOf(parts['familyName'], 'name.familyName') ?? null,
    title: textOf(title, 'title') ?? null,
    language: textOf(locale, 'locale') ?? null,
    timezone: textOf(timezone, 'timezone') ?? null,
  }
}

function objectOf(value: unknown, name: string): { readonly [key: string]: unknown } {
  if (value === undefined || value === null) return {}
  if (typeof value === 'object' && !Array.isArray(value)) return value as { readonly [key: string]: unknown }
  throw invalidValue(name, 'an object', value)
}

/** `userName`, or the primary address if `userName` is not an address. */
function emailOf(draft: UserDraft): string {
  const userName = textOf(draft.userName, 'userName')
  const email = userName?.includes('@') === true ? userName : primaryEmail(draft)
  if (email?.includes('@') === true) return email.trim().toLowerCase()
  throw invalidValue('userName', 'an address, or one in "emails"', draft.userName)
}

/** A new `userName` wins over a new address. */
function newEmail(row: Row, draft: UserDraft): string | null {
  const before = (row['email'] ?? null) as string | null
  const userName = textOf(draft.userName, 'userName') ?? before
  if (userName !== before) return emailOf(draft)
  const primary = primaryEmail(draft) ?? before
  return primary === before ? before : emailOf({ emails: draft.emails })
}

function primaryEmail({ emails }: UserDraft): string | null {
  if (emails === undefined || emails === null) return null
  if (!Array.isArray(emails)) throw invalidValue('emails', 'a list', emails)
  const entries = emails.map((each) => objectOf(each, 'emails'))
  const { value } = entries.find((each) => isTrue(each['primary'])) ?? entries[0] ?? {}
  return textOf(value, 'emails.value') ?? null
}

const isTrue = (value: unknown): boolean => value === true || (typeof value === 'string' && /^true$/i.test(value))

/** Some identity providers send texts. */
function isActive(value: unknown): boolean | undefined {
  if (value === undefined || value === null) return undefined
  if (typeof value === 'boolean') return value
  if (typeof value === 'string' && /^(?:true|false)$/i.test(value)) return isTrue(value)
  throw invalidValue('active', 'true or false', value)
}
