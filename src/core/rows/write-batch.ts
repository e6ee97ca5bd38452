/**
 * Writes items of one collection: removes unchanged masks, looks up values, checks permissions and validations, and
 * writes rows of one shape in one statement. The result is the same as if each item were written alone.
 */
import { assertMutation, authorizeMutation } from '../../authz/authorize.ts'
import { withReferenceColumns } from '../../domain/conditions/reference-values.ts'
import type { Context } from '../../domain/ports/context.ts'
import type { WriteLog } from '../../domain/ports/write-log.ts'
import type { Key } from '../../domain/query/key.ts'
import type { Changes } from '../../domain/query/mutation.ts'
import { invalidPayload } from '../../domain/rights/errors.ts'
import { keyValues } from '../../domain/schema/row-keys.ts'
import type { Collection } from '../../domain/schema/schema.ts'
import { checkAny } from './check-many-to-any.ts'
import { withoutComputed } from './computed-values.ts'
import { isKeyPart } from './keys.ts'
import { lookUp } from './look-ups.ts'
import { deleteRows, type Insertion, insertRows, prepareRows, updateEach } from './write-items.ts'
import { inPath } from './write-paths.ts'
import { withoutMasks } from './write-rows.ts'

/**
 * The changes of an item, and its path in the payload. `fill`: values of the server for fields without a value.
 * `isTaken`: a row that is hidden from the actor has the key, so the creation is rejected as for a missing row.
 */
export type Draft = {
  readonly changes: Changes
  readonly path: string
  readonly fill?: Changes
  readonly isTaken?: boolean
}

export type KeyedDraft = Draft & { readonly key: Key }

/** Creates the items; the keys are in their order. */
export async function createBatch(
  ctx: Context,
  collection: Collection,
  { drafts, log }: { readonly drafts: readonly Draft[]; readonly log: WriteLog },
): Promise<readonly Key[]> {
  return insertRows(ctx, await prepareBatch(ctx, collection, drafts), log)
}

/** Checks permissions and validations of new items and makes their rows, without writing them. */
export async function prepareBatch(ctx: Context, collection: Collection, drafts: readonly Draft[]): Promise<Insertion> {
  const items = drafts.map(({ changes }) => withReferenceColumns(collection, withoutMasks(collection, changes)))
  const paths = drafts.map(({ path }) => path)
  const lookedUp = await lookUp(ctx, collection, 'create', items)
  const mutation = { kind: 'create', collection: collection.name, items } as const
  const scope = { ...ctx, lookedUp }
  const authorized = located(
    paths,
    () => authorizeMutation(scope, mutation),
    (index) => assertMutation(scope, { ...mutation, items: items.slice(index, index + 1) }),
  )
  const filled = authorized.items.map((changes, index) => {
    const fill = drafts[index]?.fill
    return fill === undefined ? changes : new Map([...fill, ...changes])
  })
  for (const [index, changes] of filled.entries())
    checkAny(ctx, collection, changes, { action: 'create', path: paths[index] ?? '' })
  const isRefused = drafts.some(({ isTaken }) => isTaken === true)
  return prepareRows(ctx, { ...authorized, items: filled }, { collection, lookedUp, paths, isRefused })
}

/** Updates each row. Returns the keys in order, without duplicates. `touches`: history is written for every item. */
export async function updateBatch(
  ctx: Context,
  collection: Collection,
  {
    drafts,
    ...options
  }: { readonly drafts: readonly KeyedDraft[]; readonly log: WriteLog; readonly touches?: boolean },
): Promise<readonly Key[]> {
  const rows = drafts.map(({ key, changes }) => ({
    key,
    changes: withoutOwnKey(collection, withReferenceColumns(collection, withoutMasks(collection, changes)), key),
  }))
  const items = await withoutComputed(ctx, collection, rows)
  const paths = drafts.map(({ path }) => path)
  const payloads = items.map(({ changes }) => changes)
  const lookedUp = await lookUp(ctx, collection, 'update', payloads)
  const mutation = { kind: 'update-each', collection: collection.name, items } as const
  const scope = { ...ctx, lookedUp }
  const authorized = located(
    paths,
    () => authorizeMutation(scope, mutation),
    (index) => assertMutation(scope, { ...mutation, items: items.slice(index, index + 1) }),
  )
  for (const [index, { changes }] of authorized.items.entries()) {
    assertKeepsKey(collection, changes)
    checkAny(ctx, collection, changes, { action: 'update', path: paths[index] ?? '' })
  }
  return updateEach(ctx, authorized, { ...options, collection, lookedUp, paths })
}

export async function deleteBatch(
  ctx: Context,
  collection: Collection,
  { keys, log }: { readonly keys: readonly Key[]; readonly log: WriteLog },
): Promise<readonly Key[]> {
  const target = { kind: 'keys', keys } as const
  return deleteRows(ctx, authorizeMutation(ctx, { kind: 'delete', collection: collection.name, target }), {
    collection,
    keys,
    log,
  })
}

/** Removes the item's own key from its changes, which needs no permission. */
export function withoutOwnKey(collection: Collection, changes: Changes, key: Key | null): Changes {
  if (key === null) return changes
  const own = [...keyValues(collection, key)].filter(([name, value]) => {
    const change = changes.get(name)
    if (change?.kind !== 'value' || typeof change.value === 'object') return false
    return isKeyPart(collection, name, { received: change.value, own: value })
  })
  if (own.length === 0) return changes
  const rest = new Map(changes)
  for (const [name] of own) rest.delete(name)
  return rest
}

/** Throws if the changes contain the key: keys cannot be changed. */
export function assertKeepsKey(collection: Collection, changes: Changes): void {
  const name = collection.keyColumns.find((each) => changes.has(each))
  if (name === undefined) return
  throw invalidPayload(name, `Expected the item's own key for field "${name}"`)
}

/** Checks all items at once. After a rejection it checks them one by one to find the path. */
function located<T>(paths: readonly string[], whole: () => T, one: (index: number) => unknown): T {
  try {
    return whole()
  } catch (error) {
    if (paths.every((path) => path === '')) throw error
    for (const [index, path] of paths.entries()) inPath(path, () => one(index))
    throw error
  }
}
