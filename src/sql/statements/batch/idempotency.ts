/** Answers stored under idempotency keys. The time is that of the database, which all replicas share. */
import { change, countRows, firstRow, firstValue, type Runner } from '../answers.ts'

/** `body`: JSON text; null = none. */
export type StoredAnswer = {
  readonly status: number
  readonly body: string | null
  readonly headers: { readonly [name: string]: string }
}

export type CallerKey = { readonly caller: string; readonly key: string }

/** A row that another transaction has inserted would be waited for. The pool releases locks of a session after the end. */
const lockTexts = {
  mysql: `select get_lock(concat('tandem-', left(sha2(concat_ws(char(10 using utf8mb4), database(), $1, $2), 256), 32)), 0) = 1 as mine`,
}

/** Whether this transaction got the lock of the key. It does not wait. The lock is released after the end of the transaction. */
export async function tryLockKey(db: Runner, { caller, key }: CallerKey): Promise<boolean> {
  const text = `select pg_try_advisory_xact_lock(hashtextextended($1::text || chr(10) || $2::text, hashtext(coalesce(current_schema(), '')))) as mine`
  const statement = { task: 'tryLockKey', text, texts: lockTexts, values: [caller, key], name: 'key-turn' }
  return (await firstValue(db, statement)) === true
}

type StoredRow = {
  readonly digest: string
  readonly status: number
  readonly body: string | null
  readonly headers: object
}

/** Why only the key of a request is stored: its answer was too large, or contains a secret. */
export type OmittedReason = 'large' | 'secret'

/** In place of the status of an answer. */
const omittedReasons = { large: 0, secret: 1 } as const

/** The answer under the key, or the reason for its absence, and the digest of its request; null without an entry for the key. */
export async function findStoredAnswer(
  db: Runner,
  { caller, key }: CallerKey,
): Promise<{ readonly digest: string; readonly answer: StoredAnswer | OmittedReason } | null> {
  const text = `select digest, status, body, headers from platform_idempotency_keys
  where caller = $1 and key = $2 and expires > now()`
  const row = await firstRow<StoredRow>(db, { task: 'findKept', text, values: [caller, key], name: 'kept-answer' })
  if (row === undefined) return null
  const { digest, status, body, headers } = row
  if (status === omittedReasons.large) return { digest, answer: 'large' }
  if (status === omittedReasons.secret) return { digest, answer: 'secret' }
  return { digest, answer: { status, body, headers: headers as StoredAnswer['headers'] } }
}

/** The number of keys that the caller has, counted to `most`. */
export async function countKeys(db: Runner, caller: string, most: number): Promise<number> {
  const text = `select count(*)::int as number from (select 1 from platform_idempotency_keys where caller = $1 limit $2) k`
  return (await firstValue<number>(db, { task: 'countKeys', text, values: [caller, most], name: 'count-keys' })) ?? 0
}

type Keeping = CallerKey & {
  readonly digest: string
  readonly answer: StoredAnswer | OmittedReason
  readonly ttl: number
}

/** Keeps an answer, or only the key. Takes the place of one whose time is over. */
export async function keepAnswer(db: Runner, { caller, key, digest, answer, ttl }: Keeping): Promise<void> {
  const text = `insert into platform_idempotency_keys (caller, key, digest, status, body, headers, expires)
  values ($1, $2, $3, $4, $5, $6::json, now() + $7 * interval '1 millisecond')
  on conflict (caller, key) do update set digest = excluded.digest, status = excluded.status, body = excluded.body,
    headers = excluded.headers, expires = excluded.expires`
  const { status, body, headers } =
    typeof answer === 'string' ? { status: omittedReasons[answer], body: null, headers: {} } : answer
  const values = [caller, key, digest, status, body, JSON.stringify(headers), ttl]
  await change(db, { task: 'keepAnswer', text, values, name: 'keep-answer' })
}

/** Deletes answers whose time is over, at most so many. Returns their number. */
export function deleteExpired(db: Runner, most: number): Promise<number> {
  const text = `delete from platform_idempotency_keys where (caller, key) in
  (select caller, key from platform_idempotency_keys where expires <= now() order by caller, key limit $1 for update skip locked)`
  const texts = {
    mysql: 'delete from platform_idempotency_keys where expires <= now() order by caller, "key" limit $1',
  }
  return countRows(db, { text, texts, values: [most] })
}
