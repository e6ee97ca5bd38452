/** Roles and users → rows here. */
import { filled, flag, listAt, type SourceRecord, tellBroken } from '../records.ts'
import { copied, type Draft, fit, flagText, mirrorOf, type Tell } from './drafts.ts'

export const rolesMirror = mirrorOf(
  'platform_roles',
  ['number'],
  `number integer, name varchar(100), description text, external_id varchar(255), ip_access text, enforce_tfa boolean,
  module_listing json, collection_listing json, nav_blacklist text`,
)

/** Gives a row without an external id one that is the same in every run. */
export type ExternalId = (table: string, number: string) => string

export function draftRole(row: SourceRecord, externalId: ExternalId, tell: Tell): Draft {
  if (filled(row, 'nav_override') !== null) {
    tell(`The nav_override of the role ${row['name']} is left out: version 8 dropped it`)
  }
  tellBroken(row, ['module_listing', 'collection_listing'], `the role ${row['id']}`, tell)
  return {
    ...copied(rolesMirror, row, { number: 'id', enforce_tfa: 'enforce_2fa' }),
    name: row['name'] ?? '',
    external_id: filled(row, 'external_id') ?? externalId('roles', row['id'] ?? ''),
    ip_access: listAt(row, 'ip_whitelist')?.join(',') ?? null,
  }
}

export const usersMirror = mirrorOf(
  'platform_users',
  ['number'],
  `number integer, status varchar(16), role uuid, first_name varchar(50), last_name varchar(50), email varchar(128),
  password varchar(255), token varchar(255), tfa_secret varchar(255), title varchar(191), company varchar(191),
  language varchar(255), timezone varchar(64), locale_options json, appearance varchar(255),
  email_notifications boolean, last_access timestamptz, last_page varchar(255), external_identifier varchar(255)`,
)

const sourceNames = {
  number: 'id',
  tfa_secret: '2fa_secret',
  language: 'locale',
  appearance: 'theme',
  last_access: 'last_access_on',
}

export const avatarsMirror = mirrorOf('platform_users', ['number'], 'number integer, avatar uuid')

/** What users of version 7 have in tables of their own, and what must be unique here. */
export type AccountFacts = {
  readonly roles: ReadonlyMap<string, string>
  /** Roles by user, of version 7. */
  readonly rolesOfUsers: ReadonlyMap<string, string>
  /** Users whose address another one has, in other letter case: the address that they get. */
  readonly addresses: ReadonlyMap<string, string>
  /** The user who keeps a static token that several have. */
  readonly holders: ReadonlyMap<string, string>
  readonly hashToken: (token: string) => string
  readonly externalId: ExternalId
}

const statuses: { readonly [status: string]: string } = {
  deleted: 'archived',
  '0': 'archived',
  '1': 'active',
  '2': 'draft',
}
const knownStatuses: ReadonlySet<string> = new Set(['draft', 'invited', 'active', 'suspended', 'archived'])

export function draftUser(row: SourceRecord, facts: AccountFacts, tell: Tell): Draft {
  const id = row['id'] ?? ''
  const input = row['status'] ?? 'draft'
  const status = statuses[input] ?? input
  if (!knownStatuses.has(status)) tell(`The user ${id} has the status ${input}, which is not known; it is suspended`)
  const number = filled(row, 'role') ?? facts.rolesOfUsers.get(id) ?? null
  const role = number === null ? null : (facts.roles.get(number) ?? null)
  if (number !== null && role === null) tell(`The user ${id} has the role ${number}, which is not there; it has none`)
  const token = ownToken(row, facts, tell)
  tellBroken(row, ['locale_options'], `the user ${id}`, tell)
  return {
    ...copied(usersMirror, row, sourceNames),
    status: knownStatuses.has(status) ? status : 'suspended',
    role,
    email: facts.addresses.get(id) ?? filled(row, 'email')?.trim().toLowerCase() ?? null,
    token: token === null ? null : facts.hashToken(token),
    email_notifications: row['email_notifications'] === undefined ? 'true' : flagText(flag(row, 'email_notifications')),
    last_page: fit(filled(row, 'last_page'), 255, () => undefined),
    external_identifier: filled(row, 'external_id') ?? facts.externalId('users', id),
  }
}

/** A token leads to one user here, as it did there: to the first one. */
function ownToken(row: SourceRecord, { holders }: AccountFacts, tell: Tell): string | null {
  const token = filled(row, 'token')
  const holder = token === null ? undefined : holders.get(token)
  if (holder === undefined || holder === row['id']) return token
  tell(`The user ${row['id']} has no static token here: the user ${holder} has the same`)
  return null
}

export type Address = {
  readonly id: string
  readonly email: string
  readonly token: string | null
  readonly isActive: boolean
}

/** The first active user of each token, or the first one. */
export const findHolders = (all: readonly Address[]): ReadonlyMap<string, string> =>
  new Map(
    all
      .toSorted((left, right) => Number(right.isActive) - Number(left.isActive))
      .toReversed()
      .flatMap(({ id, token }) => (token === null ? [] : [[token, id] as const])),
  )

/**
 * Addresses are one in every letter case here. The first active user keeps it, the others get one that names their
 * number: `ann+7@example.com`.
 */
export function separateAddresses(all: readonly Address[], tell: Tell): ReadonlyMap<string, string> {
  const replacements = new Map<string, string>()
  const taken = new Set(all.map(({ email }) => email.trim().toLowerCase()))
  for (const [email, users] of Map.groupBy(all, (each) => each.email.trim().toLowerCase())) {
    if (users.length === 1 || email === '') continue
    const keeper = users.find(({ isActive }) => isActive) ?? users[0]
    for (const { id } of users.filter((each) => each !== keeper)) {
      const [name = '', host = ''] = email.split('@')
      let other = `${name}+${id}@${host}`
      while (taken.has(other)) other = `${name}+${id}-${taken.size}@${host}`
      taken.add(other)
      replacements.set(id, other)
      tell(
        `The users ${keeper?.id} and ${id} have one address, ${email}: ${keeper?.id} keeps it and ${id} logs in as ${other}`,
      )
    }
  }
  return replacements
}
