/** API keys of users. */
import { allRows, change, firstRow, hasRows, type Runner } from '../answers.ts'
import type { TokenOwner } from './sessions.ts'

/** A key without its hash. Times are instants. */
export type StoredKey = {
  readonly id: string
  readonly user: string
  readonly name: string
  readonly prefix: string
  /** Ids separated by commas; null = all rights of the user. */
  readonly policies: string | null
  readonly max_requests: number | null
  readonly max_cost: number | null
  readonly expires: string | null
  readonly created: string
  readonly last_used: string | null
}

/** The user of a key, with what the key may do. */
export type KeyOwner = TokenOwner &
  Pick<StoredKey, 'name' | 'policies' | 'max_requests' | 'max_cost' | 'last_used'> & { readonly key: string }

const columns = `id, "user", name, prefix, policies, max_requests, max_cost, expires, created, last_used`

export async function insertKey(
  db: Runner,
  key: Omit<StoredKey, 'last_used'> & { readonly hash: string },
): Promise<void> {
  const text = `insert into platform_keys
    (id, "user", name, prefix, hash, policies, max_requests, max_cost, expires, created)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9::timestamptz, $10::timestamptz)`
  const { id, user, name, prefix, hash, policies, max_requests: requests, max_cost: cost, expires, created } = key
  const values = [id, user, name, prefix, hash, policies, requests, cost, expires, created]
  await change(db, { task: 'insertKey', text, values })
}

/** The keys of a user, or of all users, newest first. */
export function findKeys(db: Runner, user: string | null): Promise<readonly StoredKey[]> {
  const text = `select ${columns} from platform_keys where $1::text is null or "user"::text = $1::text
    order by created desc, id`
  return allRows(db, { task: 'findKeys', text, values: [user] })
}

/** The user of the key with this hash, also of an expired one. */
export function findKeyOwner(db: Runner, hash: string): Promise<KeyOwner | undefined> {
  const text = `select u.id, u.role, u.status, u.tfa_secret is not null as has_tfa, k.expires, k.id as key, k.name, k.policies,
      k.max_requests, k.max_cost, k.last_used
    from platform_keys k join platform_users u on u.id = k."user" where k.hash = $1`
  return firstRow(db, { task: 'findKeyOwner', text, values: [hash], name: 'key-owner' })
}

/** A user as whom a key may act. */
export function findKeyUser(db: Runner, user: string): Promise<{ id: string; role: string | null } | undefined> {
  const text = 'select id, role from platform_users where id = $1'
  return firstRow(db, { task: 'findKeyUser', text, values: [user] })
}

export function findPoliciesByName(
  db: Runner,
  names: readonly string[],
): Promise<readonly { readonly id: string; readonly name: string }[]> {
  const text = 'select id, name from platform_policies where name = any($1) order by name, id'
  return allRows(db, { task: 'findPoliciesByName', text, values: [names] })
}

/** Notes the use of a key, unless a use was noted after `before`. */
export async function noteKeyUse(db: Runner, id: string, { now, before }: { now: Date; before: Date }): Promise<void> {
  const text = 'update platform_keys set last_used = $2 where id = $1 and (last_used is null or last_used < $3)'
  await change(db, { task: 'noteKeyUse', text, values: [id, now, before] })
}

/** A key of the user, or of any user, which nobody else changes until the end of the transaction. */
export function lockKey(db: Runner, id: string, user: string | null): Promise<StoredKey | undefined> {
  const text = `select ${columns} from platform_keys
    where id::text = $1::text and ($2::text is null or "user"::text = $2::text) for update`
  return firstRow(db, { task: 'lockKey', text, values: [id, user] })
}

export async function storeKey(db: Runner, key: StoredKey): Promise<void> {
  const text = `update platform_keys set name = $2, policies = $3, max_requests = $4, max_cost = $5, expires = $6::timestamptz
    where id = $1`
  const { id, name, policies, max_requests: requests, max_cost: cost, expires } = key
  await change(db, { task: 'storeKey', text, values: [id, name, policies, requests, cost, expires] })
}

/** Deletes a key of the user, or of any user; false if there is none. */
export function deleteKey(db: Runner, id: string, user: string | null): Promise<boolean> {
  const text = 'delete from platform_keys where id::text = $1::text and ($2::text is null or "user"::text = $2::text)'
  return hasRows(db, { task: 'deleteKey', text, values: [id, user] })
}
