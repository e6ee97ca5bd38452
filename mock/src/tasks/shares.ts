/** Shares, their sessions, and versions of items. */
import type { StoredRow } from '../rows/tables.ts'
import { among, instant, isAfter, pick, type Store, type Tasks, type Where, zoned } from './store.ts'

type Keys = readonly string[]

/** The earlier of two moments, as text. */
const earlier = (one: unknown, other: unknown): string | null => {
  const [a, b] = [zoned(one), zoned(other)]
  if (a === null || b === null) return a ?? b
  return Date.parse(a) <= Date.parse(b) ? a : b
}

type Valid = { readonly share: StoredRow; readonly facts: object }

/** Shares that count at that time, whose creator is active. */
function validShares(store: Store, now: string, where: Where): readonly Valid[] {
  return store.rows('platform_shares', where).flatMap((share) => {
    const creator = share['user_created'] == null ? undefined : store.row('platform_users', share['user_created'])
    const [start, end] = [instant(share['date_start']), instant(share['date_end'])]
    if (creator?.['status'] !== 'active') return []
    if ((start !== null && start > Date.parse(now)) || (end !== null && end <= Date.parse(now))) return []
    const facts = { creator: creator['id'], creator_role: creator['role'] ?? null }
    return [{ share, facts: { ...pick(share, ['id', 'collection', 'item', 'role']), ...facts } }]
  })
}

const isUsedUp = ({ max_uses: most, times_used: used }: StoredRow): boolean =>
  most != null && Number(used ?? 0) >= Number(most)

export const shares = {
  findShareOfSession: (store, session: string, now: string) =>
    store
      .rows('platform_sessions', (row) => row['id'] === session && isAfter(row['expires'], now))
      .flatMap((row) =>
        validShares(store, now, { id: row['share'] }).map(({ share, facts }) => ({
          ...facts,
          expires: earlier(row['expires'], share['date_end']),
        })),
      ),
  findLoginShare: (store, id: string | null, now: string) =>
    validShares(store, now, (row) => row['id'] === id && !isUsedUp(row)).map(({ share, facts }) => ({
      ...facts,
      password: share['password'] ?? null,
      date_end: zoned(share['date_end']),
    })),
  countShareUse: (store, id: string, password: string | null) =>
    store.change(
      'platform_shares',
      (row) => row['id'] === id && (row['password'] ?? null) === password && !isUsedUp(row),
      (row) => ({ times_used: Number(row['times_used'] ?? 0) + 1 }),
    ),
  insertShareSession(
    store,
    ...[id, hash, share, created, expires, ends]: [string, string, string, string, string, string | null]
  ) {
    store.add('platform_sessions', { id, token_hash: hash, share, created, expires: earlier(expires, ends) })
    return [{}]
  },
  isShareSession: (store, id: string) =>
    store.rows('platform_sessions', (row) => row['id'] === id && row['share'] != null),
  renewSessionOfShare(store, ...[id, now, expires, from, to]: [string, string, string, string | null, string | null]) {
    const [session] = store.rows(
      'platform_sessions',
      (row) => row['id'] === id && isAfter(row['expires'], now) && (from === null || row['token_hash'] === from),
    )
    const shares = session === undefined ? [] : validShares(store, now, { id: session['share'] })
    for (const { share } of shares)
      store.change('platform_sessions', { id }, (row) => ({
        refreshed: now,
        token_hash: to ?? row['token_hash'],
        expires: earlier(expires, share['date_end']),
      }))
    return shares.map(({ facts }) => facts)
  },
  deleteSessionsOfShares: (store, keys: Keys) => store.remove('platform_sessions', ({ share }) => among(keys, share)),
  findShareInfo: (store, id: string | null, now: string) =>
    validShares(store, now, { id }).map(({ share }) => ({
      ...pick(share, ['id', 'collection', 'item', 'max_uses', 'times_used']),
      hasPassword: share['password'] != null,
      date_start: zoned(share['date_start']),
      date_end: zoned(share['date_end']),
    })),
  findSharedItem: (store, id: string, now: string) =>
    store.rows('platform_shares', { id }).map((row) => ({
      ...pick(row, ['collection', 'item']),
      isOver: (row['date_end'] != null && !isAfter(row['date_end'], now)) || isUsedUp(row),
    })),
  findWrittenShares: (store, keys: Keys) =>
    store
      .rows('platform_shares', ({ id }) => among(keys, id))
      .map((row) => {
        const [start, end] = [instant(row['date_start']), instant(row['date_end'])]
        const hasLevels = store.rows('platform_role_levels', ({ role }) => role === row['role']).length > 0
        const isEmpty = start !== null && end !== null && end <= start
        return { ...pick(row, ['id', 'collection', 'item']), isEmpty, hasLevels }
      }),
  setSharedItem: (store, id: string, item: string) => store.change('platform_shares', { id }, { item }),
} satisfies Tasks

const version = ['id', 'collection', 'item', 'delta', 'hash'] as const

const saved =
  (join: (before: object, delta: object) => object) =>
  (store: Store, ...[id, delta, now, user]: [string, string, string, string | null]): readonly unknown[] =>
    store
      .change('platform_versions', { id }, (row) => ({
        date_updated: now,
        user_updated: user,
        delta: join((row['delta'] as object | null) ?? {}, JSON.parse(delta) as object),
      }))
      .map((row) => pick(row, ['delta']))

export const versions = {
  findVersionRow: (store, id: string) => store.rows('platform_versions', { id }).map((row) => pick(row, version)),
  lockVersion: () => [],
  findVersionId: (store, collection: string, item: string, key: string) =>
    store.rows('platform_versions', { collection, item, key }).map(({ id }) => ({ id })),
  findVersionItems: (store, keys: Keys) => store.rows('platform_versions', ({ id }) => among(keys, id)),
  beginVersion: (store, id: string, item: string, hash: string) =>
    store.change('platform_versions', { id }, { item, hash }),
  setVersionHash: (store, id: string, hash: string) => store.change('platform_versions', { id }, { hash }),
  mergeDelta: saved((before, delta) => ({ ...before, ...delta })),
  replaceDelta: saved((_before, delta) => delta),
  noteVersionSave: () => [],
  findRevisionVersion: () => [],
} satisfies Tasks
