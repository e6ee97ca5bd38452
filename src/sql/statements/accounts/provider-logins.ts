/** Logins by identity providers: their users, links to other users, and what works once. */
import { longText } from '../../dialects/mysql/types.ts'
import { allRows, change, firstRow, hasRows, type Runner } from '../answers.ts'
import type { UserRow } from './users.ts'

export type ProviderUser = Omit<UserRow, 'password' | 'token'>

const user = 'select u.id, u.number, u.role, u.status, u.provider, u.email, u.first_name, u.last_name, u.tfa_secret'

/** A person at a provider. `anyCase`: the identifier is an address, whose case does not matter. */
export type ProviderAccount = { readonly provider: string; readonly identifier: string; readonly anyCase: boolean }

/**
 * The user of a person; an exact match comes first. A user with a link to the provider is the linked person alone,
 * whatever the external identifier says.
 */
export function findProviderUser(db: Runner, person: ProviderAccount): Promise<ProviderUser | undefined> {
  const text = `${user} from platform_users u
    where u.provider = $1 and (u.external_identifier = $2 or ($3::boolean and lower(u.external_identifier) = lower($2)))
        and not exists (select 1 from platform_linked_logins o where o."user" = u.id and o.provider = $1)
      or u.id in (select l."user" from platform_linked_logins l where l.provider = $1
        and (l.identifier = $2 or ($3::boolean and lower(l.identifier) = lower($2))))
    order by u.external_identifier = $2 desc nulls last, u.number limit 1`
  return firstRow(db, {
    task: 'findProviderUser',
    text,
    values: [person.provider, person.identifier, person.anyCase],
    name: 'provider-user',
  })
}

/** The user with an address in stored spelling. */
export function findUserToLink(db: Runner, email: string): Promise<ProviderUser | undefined> {
  const text = `${user} from platform_users u where u.email = $1`
  return firstRow(db, { task: 'findUserToLink', text, values: [email] })
}

/** Links a person to a user; false if the user is linked to another person of that provider, or the person to a user. */
export function linkLogin(db: Runner, user: string, { provider, identifier }: ProviderAccount): Promise<boolean> {
  const text = `insert into platform_linked_logins ("user", provider, identifier) values ($1, $2, $3) on conflict do nothing`
  return hasRows(db, { task: 'linkLogin', text, values: [user, provider, identifier] })
}

/** Links a user of a login provider to the person that its external identifier is, unless it is linked already. */
export async function keepLogin(db: Runner, user: string): Promise<void> {
  const text = `insert into platform_linked_logins ("user", provider, identifier)
    select id, provider, external_identifier from platform_users
      where id = $1 and provider <> 'default' and external_identifier is not null on conflict do nothing`
  await change(db, { task: 'keepLogin', text, values: [user] })
}

/** Removes all links of a user, and makes it one of no provider. */
export async function unlinkLogins(db: Runner, user: string): Promise<void> {
  const links = 'delete from platform_linked_logins where "user" = $1'
  await change(db, { task: 'unlinkLogins', text: links, values: [user] })
  const text = `update platform_users set provider = 'default', external_identifier = null
    where id = $1 and provider <> 'default'`
  await change(db, { task: 'forgetProvider', text, values: [user] })
}

/** Which of these ids are those of roles and of policies. */
export async function findRightsById(
  db: Runner,
  ids: readonly string[],
): Promise<{ readonly roles: readonly string[]; readonly policies: readonly string[] }> {
  const text = `select id, true as "isRole" from platform_roles where id::text = any($1)
    union all select id, false from platform_policies where id::text = any($1)`
  type RightRow = { readonly id: string; readonly isRole: boolean | number }
  const rows = await allRows<RightRow>(db, { task: 'findRightsById', text, values: [ids] })
  // MariaDB answers with a number.
  const of = (isRole: boolean): readonly string[] =>
    rows.filter((row) => Boolean(row.isRole) === isRole).map(({ id }) => id)
  return { roles: of(true), policies: of(false) }
}

/** The roles with these names, which compare without regard to case; `name` is in lower case. */
export function findRolesByName(
  db: Runner,
  names: readonly string[],
): Promise<readonly { readonly id: string; readonly name: string }[]> {
  const text = `select id, lower(name) as name from platform_roles
    where lower(name) in (select lower(each) from unnest($1::text[]) as each) order by number`
  const given = `json_table($1, '$[*]' columns (v ${longText} path '$'))`
  const texts = {
    mysql: text.replace('lower(each) from unnest($1::text[]) as each', () => `lower(j.v) from ${given} j`),
  }
  return allRows(db, { task: 'findRolesByName', text, texts, values: [names] })
}

/** The entries by which a user holds these policies itself. */
export function findOwnEntries(
  db: Runner,
  user: string,
  policies: readonly string[],
): Promise<readonly { readonly id: string; readonly policy: string }[]> {
  const text = 'select id, policy from platform_access where "user" = $1 and policy::text = any($2)'
  return allRows(db, { task: 'findOwnEntries', text, values: [user, policies] })
}

/** Uses up an id until it expires; false if it was used before. */
export async function useOnce(
  db: Runner,
  id: string,
  { now, expires }: { readonly now: Date; readonly expires: Date },
) {
  await change(db, { task: 'forgetUsed', text: 'delete from platform_used_tokens where expires < $1', values: [now] })
  const text = 'insert into platform_used_tokens (id, expires) values ($1, $2) on conflict do nothing'
  return hasRows(db, { task: 'useOnce', text, values: [id, expires] })
}
