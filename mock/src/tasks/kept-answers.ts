/** Answers stored under idempotency keys. */
import type { StoredRow } from '../rows/tables.ts'
import type { Store, Tasks } from './store.ts'

const table = 'platform_idempotency_keys'

const answersUnder = (store: Store, caller: string, key: string): readonly StoredRow[] => {
  const now = store.clock().getTime()
  return store.rows(table, (row) => row['caller'] === caller && row['key'] === key && Number(row['expires']) > now)
}

type Kept = readonly [
  caller: string,
  key: string,
  digest: string,
  status: number,
  body: string | null,
  headers: string,
  ttl: number,
]

/** Requests are answered one after another, so the lock is free. */
export const keptAnswers = {
  tryLockKey: () => [{ mine: true }],
  findKept: (store, caller: string, key: string) =>
    answersUnder(store, caller, key).map((row) => ({ ...row, headers: JSON.parse(String(row['headers'])) as object })),
  countKeys: (store, caller: string) => [{ number: store.rows(table, (row) => row['caller'] === caller).length }],
  keepAnswer(store, ...[caller, key, digest, status, body, headers, ttl]: Kept) {
    store.remove(table, (row) => row['caller'] === caller && row['key'] === key)
    store.add(table, { caller, key, digest, status, body, headers, expires: store.clock().getTime() + ttl })
    return []
  },
} satisfies Tasks
