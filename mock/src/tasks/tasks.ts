/** Everything that core asks of the database beside rows, by the names that statements have. */
import { identityCollections } from '../../../src/domain/schema/identity.ts'
import { shownSettings } from '../../../src/sql/statements/settings.ts'
import type { StoredRow } from '../rows/tables.ts'
import { access } from './access.ts'
import { accounts, keys, sessions, syncKeys } from './accounts.ts'
import { shares, versions } from './shares.ts'
import { among, pick, type Store, type Tasks } from './store.ts'

/** Answers stored under idempotency keys. */
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
const keptAnswers = {
  tryLockKey: () => [{ mine: true }],
  findKept: (store, caller: string, key: string) =>
    answersUnder(store, caller, key).map((row) => ({ ...row, headers: JSON.parse(String(row['headers'])) as object })),
  countKeys: (store, caller: string) => [{ number: store.rows(table, { caller }).length }],
  keepAnswer(store, ...[caller, key, digest, status, body, headers, ttl]: Kept) {
    store.remove(table, { caller, key })
    store.add(table, { caller, key, digest, status, body, headers, expires: store.clock().getTime() + ttl })
    return []
  },
} satisfies Tasks

type Keys = readonly string[]

const settingsOf = (store: Store) => store.rows('platform_settings').slice(0, 1)

const jsonText = (value: unknown): string | null => (value == null ? null : JSON.stringify(value))

const publicFiles = ['project_logo', 'public_foreground', 'public_background', 'public_favicon'] as const

const settings = {
  readShownSettings: (store) => settingsOf(store).map((row) => pick(row, shownSettings)),
  readProject: (store) =>
    settingsOf(store).map((row) => ({
      name: row['project_name'],
      color: row['project_color'],
      url: row['project_url'] ?? null,
    })),
  readSettingEntries: (store) => settingsOf(store).map(({ entries }) => ({ entries: jsonText(entries) })),
  readRegistration: (store) =>
    settingsOf(store).map((row) => ({
      enabled: row['public_registration'],
      verify: row['public_registration_verify_email'],
      role: row['public_registration_role'] ?? null,
      filter: row['public_registration_email_filter'] ?? null,
    })),
  readPasswordPolicy: (store) => settingsOf(store).map((row) => ({ policy: row['auth_password_policy'] ?? null })),
  readFileSettings: (store) =>
    settingsOf(store).map((row) =>
      Object.values(
        pick(row, ['file_naming', 'asset_url_naming', 'file_mimetype_whitelist', 'storage_default_folder']),
      ),
    ),
  readTransformSettings: (store) =>
    settingsOf(store).map((row) => [row['storage_asset_transform'], jsonText(row['storage_asset_presets'])]),
  isPublicFile: (store, id: string) => settingsOf(store).filter((row) => publicFiles.some((name) => row[name] === id)),
} satisfies Tasks

const numbered: Tasks = Object.fromEntries(
  identityCollections.map((name) => [
    `find-numbered-${name}`,
    (store: Store, numbers: readonly number[]) =>
      store.rows(name, ({ number }) => among(numbers, number)).map((row) => pick(row, ['id', 'number'])),
  ]),
)

type ItemKeys = { readonly collection: unknown; readonly item: unknown }

const items = {
  findNumbers: (store, ids: readonly unknown[]) =>
    identityCollections.flatMap((name) =>
      store.rows(name, ({ id }) => among(ids, id)).map((row) => pick(row, ['id', 'number'])),
    ),
  forgetItemRows(store, collection: string, keys: Keys, dragged: Keys) {
    const isOne = (row: object): boolean =>
      (row as ItemKeys).collection === collection && keys.includes((row as ItemKeys).item as string)
    store.remove('platform_versions', isOne)
    const gone = store.remove('platform_shares', isOne)
    const about = [...store.rows('platform_versions'), ...store.rows('platform_shares')]
    const others = new Set(about.map((row) => row['collection'] as string).filter((name) => dragged.includes(name)))
    return [{ shares: gone.length, others: [...others] }]
  },
  findComments: (store, keys: Keys) =>
    store
      .rows('platform_comments', ({ id }) => among(keys, id))
      .map((row) => pick(row, ['collection', 'item', 'comment'])),
  findCommentedItems(store, keys: Keys) {
    const rows = store.rows('platform_comments', ({ id }) => among(keys, id))
    return [...Map.groupBy(rows, ({ collection }) => collection as string)]
      .toSorted(([left], [right]) => (left < right ? -1 : 1))
      .map(([collection, own]) => ({
        collection,
        items: [...new Set(own.map(({ item }) => item as string))].toSorted(byText),
      }))
  },
} satisfies Tasks

const byText = (left: string, right: string): number => (left < right ? -1 : left > right ? 1 : 0)

const files = {
  'findFileBy-hash': (store, hash: string) =>
    store.rows('platform_files', { private_hash: hash }).map(({ id }) => ({ id })),
  'findFileBy-disk': (store, name: string) =>
    store.rows('platform_files', { filename_disk: name }).map(({ id }) => ({ id })),
  findStoredName: (store, id: string) => store.rows('platform_files', { id }),
  enterObject(store, storage: string, key: string) {
    const isTaken = store.rows('platform_files', { storage, filename_disk: key })
    if (isTaken.length > 0 || store.rows('platform_stored_objects', { storage, key }).length > 0) return []
    store.add('platform_stored_objects', { storage, key })
    return [{}]
  },
  isObjectKnown: (store, storage: string, key: string) => [
    ...store.rows('platform_files', { storage, filename_disk: key }),
    ...store.rows('platform_stored_objects', { storage, key }),
  ],
  releaseObject: (store, storage: string, key: string) => store.remove('platform_stored_objects', { storage, key }),
  // Contents without a row are in nobody's way.
  findDoomedObjects: () => [],
  doomObjects(store, storages: Keys, keys: Keys) {
    return keys.flatMap((key, at) => store.remove('platform_stored_objects', { storage: storages[at] ?? '', key }))
  },
} satisfies Tasks

const webhooks = {
  findWebhooks: (store, keys: readonly number[]) =>
    store
      .rows('platform_webhooks', ({ id }) => keys.some((key) => String(key) === String(id)))
      .map((row) => ({
        ...row,
        headers: jsonText(row['headers']),
        failing: row['failing_since'] != null,
      })),
  completeWebhook: (store, ...[id, secret, user]: [number, string, string | null]) =>
    store.change(
      'platform_webhooks',
      (row) => String(row['id']) === String(id),
      (row) => ({
        secret: row['secret'] ?? secret,
        user: row['user'] ?? (row['role'] == null ? user : null),
      }),
    ),
} satisfies Tasks

/** Requests are answered one after another, so nothing is locked. Nothing is written to the activity. */
const unneeded: Tasks = Object.fromEntries(
  [
    'checkDeferred',
    'limitStatements',
    'lockAccess',
    'lockSorting',
    'lockSingleton',
    'lockUsers',
    'lockRoles',
    'noteLogin',
    'noteShareLogin',
    'noteSuspension',
    'findRecordedItems',
  ].map((name) => [name, () => []]),
)

export const tasks: Tasks = {
  ...access,
  ...accounts,
  ...keys,
  ...syncKeys,
  ...sessions,
  ...shares,
  ...versions,
  ...settings,
  ...items,
  ...numbered,
  ...files,
  ...webhooks,
  ...keptAnswers,
  ...unneeded,
}
