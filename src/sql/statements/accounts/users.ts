/** Users, for logins, mails and the operator. */
import { allRows, change, firstRow, firstValue, hasRows, type Runner } from '../answers.ts'

/** Columns of users, of which each statement reads some. */
export type UserRow = {
  /** uuid */
  readonly id: string
  readonly number: number
  readonly role: string | null
  readonly status: string
  readonly provider: string
  readonly email: string | null
  readonly first_name: string | null
  readonly last_name: string | null
  readonly password: string | null
  readonly tfa_secret: string | null
  readonly token: string | null
}

/** The facts about an account for mails. */
export type AccountRow = Pick<UserRow, 'id' | 'number' | 'password' | 'status' | 'provider'> & {
  readonly email: string
}

const account = 'select id, number, email, password, status, provider'

/** The account with an address in stored spelling. */
export function findAccountByEmail(db: Runner, email: string): Promise<AccountRow | undefined> {
  const text = `${account} from platform_users where email = $1`
  return firstRow(db, { task: 'findAccountByEmail', text, values: [email], name: 'account-by-address' })
}

/** The accounts with these addresses, with their roles. */
export function findAccountsByEmail(
  db: Runner,
  emails: readonly string[],
): Promise<readonly (AccountRow & Pick<UserRow, 'role'>)[]> {
  const text = `${account}, role from platform_users where email = any($1)`
  return allRows(db, { task: 'findAccountsByEmail', text, values: [emails] })
}

export async function findUserNumber(db: Runner, user: string): Promise<number | null> {
  const text = 'select number from platform_users where id = $1'
  return (await firstValue<number>(db, { task: 'findUserNumber', text, values: [user] })) ?? null
}

/** The account, locked until the transaction ends. */
export function lockAccount(db: Runner, user: string): Promise<AccountRow | undefined> {
  const text = `${account} from platform_users where id = $1 for update`
  return firstRow(db, { task: 'lockAccount', text, values: [user] })
}

export type LoginUser = Pick<UserRow, 'id' | 'number' | 'role' | 'status' | 'password' | 'provider' | 'tfa_secret'>

/** The user with a login address in stored spelling. */
export function findLoginUser(db: Runner, email: string): Promise<LoginUser | undefined> {
  const text = `select id, number, role, status, password, provider, tfa_secret from platform_users where email = $1`
  return firstRow(db, { task: 'findLoginUser', text, values: [email], name: 'login-user' })
}

/** The facts about a user for the operations on second factors. */
export type FactorUser = Pick<UserRow, 'id' | 'email' | 'password' | 'provider' | 'tfa_secret'>

/** The user with its second factor. */
export function findFactorUser(db: Runner, user: string): Promise<FactorUser | undefined> {
  const text = 'select id, email, password, provider, tfa_secret from platform_users where id = $1'
  return firstRow(db, { task: 'findFactorUser', text, values: [user] })
}

/** Whether the user exists and has no second factor. */
export function lacksSecondFactor(db: Runner, user: string): Promise<boolean> {
  const text = 'select 1 from platform_users where id = $1 and tfa_secret is null'
  return hasRows(db, { task: 'lacksSecondFactor', text, values: [user] })
}

/** Stores another hash of the same password, unless the password was changed meanwhile. */
export async function replacePasswordHash(
  db: Runner,
  { user, from, to }: { readonly user: string; readonly from: string | null; readonly to: string },
): Promise<void> {
  const text = 'update platform_users set password = $3 where id = $1 and password = $2'
  await change(db, { task: 'replacePasswordHash', text, values: [user, from, to] })
}

/** Sets the time of the user's last access. */
export async function touchUser(db: Runner, user: string, now: Date): Promise<void> {
  const text = 'update platform_users set last_access = $2 where id = $1'
  await change(db, { task: 'touchUser', text, values: [user, now] })
}

/** Sets the user's last page in the application. */
export async function setLastPage(db: Runner, user: string, page: string): Promise<void> {
  const text = 'update platform_users set last_page = $2 where id = $1'
  await change(db, { task: 'setLastPage', text, values: [user, page] })
}

/** Suspends an active user; false if the user is not active. */
export function suspendUser(db: Runner, user: string): Promise<boolean> {
  const text = `update platform_users set status = 'suspended' where id = $1 and status = 'active'`
  return hasRows(db, { task: 'suspendUser', text, values: [user] })
}

export async function suspendUsersOfRoles(db: Runner, roles: readonly string[]): Promise<void> {
  const text = `with held as (update platform_users set status = 'suspended' where role::text = any($1) returning id)
    delete from platform_sessions where "user" in (select id from held)`
  const texts = {
    mysql: [
      `update platform_users set status = 'suspended' where role = any($1::uuid[])`,
      'delete from platform_sessions where "user" in (select id from platform_users where role = any($1::uuid[]))',
    ],
  }
  await change(db, { task: 'suspendUsersOfRoles', text, texts, values: [roles] })
}

/** The active users among these, with their roles. */
export function findActiveUsers(
  db: Runner,
  users: readonly string[],
): Promise<readonly Pick<UserRow, 'id' | 'role'>[]> {
  const text = `select id, role from platform_users where id = any($1::uuid[]) and status = 'active' order by id`
  return allRows(db, { task: 'findActiveUsers', text, values: [users] })
}

/** A user who writes or receives mails. */
export type Correspondent = Pick<UserRow, 'id' | 'first_name' | 'last_name'> & { readonly email: string }

const correspondent = 'select id, email, first_name, last_name from platform_users where email is not null and'

/** The active users with these numbers and an address. */
export function findCorrespondents(db: Runner, numbers: readonly number[]): Promise<readonly Correspondent[]> {
  const text = `${correspondent} status = 'active' and number = any($1) order by number`
  return allRows(db, { task: 'findCorrespondents', text, values: [numbers] })
}

/** The address and names of one user; undefined without an address. */
export function findOwnAddress(db: Runner, user: string): Promise<Correspondent | undefined> {
  return firstRow(db, { task: 'findOwnAddress', text: `${correspondent} id = $1`, values: [user] })
}

/** A user that the operator creates; the address is in lower case. */
export type NewUser = {
  readonly id: string
  readonly email: string
  readonly passwordHash: string
  readonly role: string
  readonly firstName?: string | null
  readonly lastName?: string | null
  readonly tokenHash?: string | null
}

/** Creates an active user; false if the address is taken. */
export function insertUser(db: Runner, user: NewUser): Promise<boolean> {
  const { id, firstName = null, lastName = null, email, passwordHash, tokenHash = null, role } = user
  const text = `insert into platform_users (id, first_name, last_name, email, password, token, role, status)
    values ($1, $2, $3, $4, $5, $6, $7, 'active') on conflict (email) do nothing`
  return hasRows(db, { text, values: [id, firstName, lastName, email, passwordHash, tokenHash, role] })
}

/** Replaces the hash of a user's static token; false if no user has the address. */
export function setTokenHash(db: Runner, email: string, hash: string | null): Promise<boolean> {
  return hasRows(db, { text: 'update platform_users set token = $2 where email = $1', values: [email, hash] })
}

/** Whether the user stands for an identity provider. Only administrators can write `provider`. */
export const isProvisioner = (db: Runner, user: string): Promise<boolean> =>
  hasRows(db, { text: `select 1 from platform_users where id = $1 and provider = 'scim'`, values: [user] })

/** Replaces the token of the user that represents an identity provider; false if no such user exists. */
export const setProvisionerToken = (db: Runner, hash: string | null): Promise<boolean> =>
  hasRows(db, { text: `update platform_users set token = $1 where provider = 'scim'`, values: [hash] })

/** Creates that user. It has no role, no address and no password. */
export const insertProvisioner = (db: Runner, id: string, hash: string): Promise<boolean> =>
  hasRows(db, {
    text: `insert into platform_users (id, first_name, provider, token, status) values ($1, 'SCIM', 'scim', $2, 'active')`,
    values: [id, hash],
  })

export type TokenHolder = Pick<UserRow, 'id' | 'role' | 'status' | 'token'>

/** The user with that address, in lower case, and the hash of the static token. */
export const findTokenHolder = (db: Runner, email: string): Promise<TokenHolder | undefined> =>
  firstRow(db, { text: 'select id, role, status, token from platform_users where email = $1', values: [email] })

/** Stores the hash of a token for a user without one. False if another user has that token. */
export const giveFirstToken = (
  db: Runner,
  { id, tokenHash }: { readonly id: string; readonly tokenHash: string },
): Promise<boolean> =>
  hasRows(db, {
    text: `update platform_users set token = $2 where id = $1 and token is null
      and not exists (select 1 from (select token from platform_users where token = $2) taken)`,
    values: [id, tokenHash],
  })

/** Stores the hash of the password of a user without one. */
export const setPasswordHash = (
  db: Runner,
  { user, hash }: { readonly user: string; readonly hash: string },
): Promise<void> =>
  change(db, {
    text: 'update platform_users set password = $2 where id = $1 and password is null',
    values: [user, hash],
  })
