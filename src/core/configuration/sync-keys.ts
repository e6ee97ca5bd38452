/** Names of rows that are the same on all servers, which `directus-sync` keeps on each. Only for administrators. */
import { isUnlimited } from '../../authz/grants.ts'
import type { Context } from '../../domain/ports/context.ts'
import { invalidPayload, TandemError } from '../../domain/rights/errors.ts'
import {
  deleteSyncKey,
  findSyncKeys,
  insertSyncKey,
  type SyncKey,
  type SyncSide,
} from '../../sql/statements/batch/sync-keys.ts'
import { inOneAttempt } from '../rows/transaction.ts'

/** A name as it is shown; `table`: the kind of the row. */
export type ShownSyncKey = Omit<SyncKey, 'kind' | 'created'> & { readonly table: string; readonly created_at: string }

/** The row of a kind that one of its two keys names. */
export type SyncTarget = { readonly table: string; readonly side: SyncSide; readonly id: string }

/** Names that one kind may have. */
const mostKeys = 100_000

/** All names of a kind, oldest first. */
export async function readSyncKeys(ctx: Pick<Context, 'actor' | 'db'>, table: string): Promise<ShownSyncKey[]> {
  assertMaySync(ctx)
  return (await findSyncKeys(ctx.db, table)).map(toShown)
}

/** One name. Throws `route-not-found`, as the tool expects. */
export async function readSyncKey(
  ctx: Pick<Context, 'actor' | 'db'>,
  { table, side, id }: SyncTarget,
): Promise<ShownSyncKey> {
  const syncKey = (await readSyncKeys(ctx, table)).find((each) => each[side] === id)
  if (syncKey === undefined) throw notThere({ table, side, id })
  return syncKey
}

type NewSyncKey = { readonly table: string; readonly local: string; readonly sync?: string | undefined }

/** Names a row, by a new uuid unless a name is given; returns the name. Throws `invalid-payload` for a row or a name twice. */
export async function createSyncKey(
  ctx: Context,
  { table, local, sync = ctx.ids.uuid() }: NewSyncKey,
): Promise<string> {
  return inOneAttempt(ctx, async (inner) => {
    const present = await readSyncKeys(inner, table)
    if (present.some((each) => each.local_id === local)) throw nameTaken('local_id', local)
    if (present.some((each) => each.sync_id === sync)) throw nameTaken('sync_id', sync)
    if (present.length >= mostKeys) throw invalidPayload('table', `Expected at most ${mostKeys} names of "${table}"`)
    await insertSyncKey(inner.db, {
      kind: table,
      local_id: local,
      sync_id: sync,
      created: ctx.clock().toISOString(),
    })
    return sync
  })
}

/** Forgets a name. Throws `route-not-found`, as the tool expects. */
export async function removeSyncKey(
  ctx: Pick<Context, 'actor' | 'db'>,
  { table, side, id }: SyncTarget,
): Promise<void> {
  assertMaySync(ctx)
  if (!(await deleteSyncKey(ctx.db, { kind: table, side, id }))) throw notThere({ table, side, id })
}

const nameTaken = (name: SyncSide, value: string) =>
  invalidPayload(name, `Expected a new "${name}" but "${value}" has a name`)

const notThere = ({ table, side, id }: SyncTarget) =>
  new TandemError({ kind: 'route-not-found', path: `/directus-extension-sync/table/${table}/${side}/${id}` })

function assertMaySync({ actor }: Pick<Context, 'actor'>): void {
  if (!isUnlimited(actor)) throw new TandemError({ kind: 'forbidden' })
}

const toShown = ({ kind, created, ...ids }: SyncKey): ShownSyncKey => ({
  table: kind,
  ...ids,
  created_at: new Date(created).toISOString(),
})
