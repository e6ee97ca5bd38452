/** Names of rows that a tool for configuration keeps. */
import { allRows, change, hasRows, type Runner } from '../answers.ts'

/** `local_id`: the key of the row here. `sync_id`: its name on all servers. */
export type SyncKey = {
  readonly kind: string
  readonly local_id: string
  readonly sync_id: string
  readonly created: string
}

/** By which of the two a row is named. */
export type SyncSide = 'local_id' | 'sync_id'

/** All names of a kind, oldest first. */
export const findSyncKeys = (db: Runner, kind: string): Promise<readonly SyncKey[]> =>
  allRows(db, {
    task: 'findSyncKeys',
    text: 'select kind, local_id, sync_id, created from platform_sync_keys where kind = $1 order by created, local_id',
    values: [kind],
  })

/** Stores a name; refused by the database if the row has one, or if the name is taken. */
export const insertSyncKey = (db: Runner, key: SyncKey): Promise<void> =>
  change(db, {
    task: 'insertSyncKey',
    text: 'insert into platform_sync_keys (kind, local_id, sync_id, created) values ($1, $2, $3, $4::timestamptz)',
    values: [key.kind, key.local_id, key.sync_id, key.created],
  })

type SyncName = { readonly kind: string; readonly side: SyncSide; readonly id: string }

/** Deletes a name; returns whether there was one. */
export const deleteSyncKey = (db: Runner, { kind, side, id }: SyncName): Promise<boolean> =>
  hasRows(db, {
    task: 'deleteSyncKey',
    text: `delete from platform_sync_keys where kind = $1 and case $2 when 'sync_id' then sync_id else local_id end = $3`,
    values: [kind, side, id],
  })
