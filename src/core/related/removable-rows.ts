/** Decides which of the omitted rows are removed. */
import { findReadGrant, isUnlimited } from '../../authz/grants.ts'
import type { Key } from '../../domain/query/key.ts'
import type { Changes } from '../../domain/query/mutation.ts'
import type { Collection } from '../../domain/schema/schema.ts'
import { keysAmong } from '../rows/seen-rows.ts'
import type { KeyedDraft } from '../rows/write-batch.ts'
import type { Plan, Removal } from './plan.ts'
import type { RowName, Run } from './write-run.ts'

export type Removed = {
  readonly keys: readonly string[]
  /** Number of rows that no payload named. */
  readonly omitted: number
  readonly deletes: readonly Key[]
  readonly unlinks: readonly KeyedDraft[]
  /** The parents for which rows are unlinked. */
  readonly parents: readonly { readonly key: Key; readonly parent: RowName }[]
}

/**
 * Rows that the actor cannot read are kept: the list could not contain them. An actor without any read permission is
 * assumed to have sent a complete list. Removal always needs its own permission.
 */
export async function removableKeys(run: Run, child: Collection, { removals }: Plan): Promise<Removed> {
  const visible = await visibleKeys(run, child, removals)
  const going = removals.filter(({ key, named }) => named || visible === null || visible.has(String(key)))
  const deleted = new Set(going.filter(({ action }) => action === 'delete').map(({ key }) => key))
  const unlinked = going.filter(({ key }) => !deleted.has(key))
  return {
    keys: going.map(({ key }) => String(key)),
    omitted: going.filter(({ named }) => !named).length,
    deletes: [...deleted],
    unlinks: unlinked.map(({ key, entry }) => ({ key, changes: unlink(entry.relation.foreignKey), path: entry.path })),
    parents: unlinked.map(({ key, entry }) => ({ key, parent: entry.parent })),
  }
}

const unlink = (field: string): Changes => new Map([[field, { kind: 'value', value: null }]])

/** Null = all of them. */
async function visibleKeys(
  { ctx }: Run,
  child: Collection,
  removals: readonly Removal[],
): Promise<ReadonlySet<string> | null> {
  const omitted = removals.filter(({ named }) => !named).map(({ key }) => key)
  const grant = omitted.length === 0 || isUnlimited(ctx.actor) ? null : findReadGrant(ctx.actor, ctx.schema, child.name)
  if (grant === null || grant.rows.kind === 'all') return null
  return keysAmong(ctx, child, { keys: omitted, rows: grant.rows })
}
