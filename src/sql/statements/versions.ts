/** Content versions, and the history of their saves. */
import type { Key } from '../../domain/query/key.ts'
import type { Traces } from './activity.ts'
import { allRows, change, firstRow, firstValue, type Runner } from './answers.ts'

/** From core field name to submitted value. */
export type Delta = { readonly [field: string]: unknown }

/** A version; `hash` is the digest of the item when the version was created. */
export type VersionRow = {
  readonly id: string
  readonly collection: string
  readonly item: string
  readonly delta: Delta | null
  readonly hash: string | null
}

export function findVersionRow(db: Runner, id: string): Promise<VersionRow | undefined> {
  const text = 'select id, collection, item, delta, hash from platform_versions where id = $1'
  return firstRow(db, { task: 'findVersionRow', text, values: [id] })
}

/** Locks the version until the transaction ends. */
export async function lockVersion(db: Runner, id: string): Promise<void> {
  const text = 'select 1 from platform_versions where id = $1 for update'
  await change(db, { task: 'lockVersion', text, values: [id] })
}

/** The id of the version of an item with that `key`. */
export function findVersionId(
  db: Runner,
  { collection, item, key }: { readonly collection: string; readonly item: string; readonly key: string },
): Promise<string | undefined> {
  const text = 'select id from platform_versions where collection = $1 and item = $2 and key = $3'
  const statement = { task: 'findVersionId', text, values: [collection, item, key], name: 'version-by-key' }
  return firstValue(db, statement)
}

export type VersionItem = Pick<VersionRow, 'id' | 'collection' | 'item'>

export function findVersionItems(db: Runner, keys: readonly string[]): Promise<readonly VersionItem[]> {
  const text = 'select id, collection, item from platform_versions where id = any($1::uuid[])'
  return allRows(db, { task: 'findVersionItems', text, values: [keys] })
}

/** Stores the item of a new version, and the item's digest. */
export async function beginVersion(
  db: Runner,
  { id, item, hash }: { readonly id: string; readonly item: string; readonly hash: string },
): Promise<void> {
  const text = 'update platform_versions set item = $2, hash = $3 where id = $1'
  await change(db, { task: 'beginVersion', text, values: [id, item, hash] })
}

/** Stores the digest of the item that the version is up to date with. */
export async function setVersionHash(db: Runner, id: string, hash: string): Promise<void> {
  const text = 'update platform_versions set hash = $2 where id = $1'
  await change(db, { task: 'setVersionHash', text, values: [id, hash] })
}

/** The content of a version after a save: fields are added, or the whole is replaced. */
const saves = { merge: `(coalesce(delta, '{}')::jsonb || $2::jsonb)::json`, replace: '$2::json' } as const

/** The keys of the stored content that the change lacks, and the change. */
const mergedDelta = `concat('{', concat_ws(',', (
      select group_concat(concat(json_quote(k.k), ':', json_extract(delta, concat('$.', json_quote(k.k)))) separator ',')
      from json_table(json_keys(coalesce(delta, '{}')), '$[*]' columns (k longtext path '$')) k
      where not json_contains(json_keys($2), json_quote(k.k))),
    nullif(substr($2, 2, char_length($2) - 2), '')), '}')`

const saveText = (delta: string): string =>
  `update platform_versions set date_updated = $3, user_updated = $4, delta = ${delta} where id = $1`

export type SaveMode = keyof typeof saves

/** Saves changes in the version. Returns its whole content; undefined if the version was deleted. */
export function saveDelta(
  db: Runner,
  mode: SaveMode,
  save: { readonly id: string; readonly delta: Delta; readonly now: Date; readonly user: string | null },
): Promise<Delta | undefined> {
  const { id, delta, now, user } = save
  const values = [id, JSON.stringify(delta), now, user]
  const text = `${saveText(saves[mode])} returning delta`
  const there = saveText(mode === 'merge' ? mergedDelta : '$2')
  const texts = { mysql: [there, 'select delta from platform_versions where id = $1'] }
  return firstValue(db, { task: `${mode}Delta`, text, texts, values })
}

/**
 * A save for history. `revision`: the content of the version and the saved changes; null if only activity is recorded.
 */
export type NotedSave = Traces & {
  readonly user: string
  readonly now: Date
  readonly collection: string
  readonly item: string
  readonly revision: { readonly version: string; readonly data: Delta; readonly delta: Delta } | null
}

const activity = `insert into platform_activity
  (action, "user", "timestamp", ip, user_agent, origin, collection, item)
  values ('version_save', $1::uuid, $2, $3, $4, $5, $6, $7)`

const activityWithRevision = `with a as (${activity} returning id)
  insert into platform_revisions (activity, collection, item, data, delta, version)
  select a.id, $6::text, $7::text, $8::json, $9::json, $10::uuid from a`

/** Writes an activity entry for a save, and a revision of the version. */
export async function noteVersionSave(db: Runner, saved: NotedSave): Promise<void> {
  const { user, now, ip, userAgent, origin, collection, item, revision } = saved
  const values = [user, now, ip, userAgent, origin, collection, item]
  if (revision === null) return change(db, { task: 'noteVersionSave', text: activity, values })
  const { version, data, delta } = revision
  const contents = [JSON.stringify(data), JSON.stringify(delta), version]
  const texts = {
    mysql: [
      activity,
      `insert into platform_revisions (activity, collection, item, data, delta, version)
        values (last_insert_id(), $6, $7, $8, $9, $10)`,
    ],
  }
  await change(db, { task: 'noteVersionSave', text: activityWithRevision, texts, values: [...values, ...contents] })
}

/** The version of a revision; null if the revision belongs to the item. */
export async function findRevisionVersion(db: Runner, revision: Key): Promise<string | null> {
  const text = 'select version from platform_revisions where id = $1'
  return (await firstValue<string>(db, { task: 'findRevisionVersion', text, values: [revision] })) ?? null
}
