/** Rows of several collections at once, which refer to each other by the keys that they have in the batch. */
import { isUnlimited } from '../../authz/grants.ts'
import { runAsOne } from '../../core/batch/together.ts'
import { writeItems } from '../../core/items/items.ts'
import { inReferenceOrder } from '../../core/items/reference-order.ts'
import { comparableKey } from '../../core/rows/keys.ts'
import { readKeys } from '../../core/rows/read-items.ts'
import type { Context, QueryContext, ReadContext } from '../../domain/ports/context.ts'
import type { Action } from '../../domain/rights/actor.ts'
import { invalidPayload, invalidQuery } from '../../domain/rights/errors.ts'
import { storedRow } from '../views/system-names.ts'
import { ignoringUnknown, type OpenedCollection, openCollection, openSystemCollection } from '../wire/collections.ts'
import { importable } from '../wire/import.ts'
import { parseDelete } from '../wire/mutation.ts'
import { cyclicReferences, referencesOf } from './batch-references.ts'
import { writeTable, writeWaiting } from './batch-rows.ts'
import { type BatchMode, type Item, planTable, type Table, type TableResult, type Tables } from './batch-tables.ts'

export type BatchEntry = { readonly collection: string; readonly items: readonly Item[] }

/** `prunes`: rows of the collections of the batch that are not in it are deleted; only to merge. */
export type BatchOptions = { readonly mode: BatchMode; readonly dryRun: boolean; readonly prunes: boolean }

export type BatchResult = {
  readonly applied: boolean
  readonly mode: BatchMode
  readonly collections: { readonly [name: string]: TableResult }
}

/** Writes all rows in one transaction, or none; `ignored` collects names of fields that do not exist. */
export async function importBatch(
  ctx: Context,
  entries: readonly BatchEntry[],
  options: BatchOptions,
): Promise<{ readonly result: BatchResult; readonly ignored: ReadonlySet<string> }> {
  const { mode, dryRun, prunes } = options
  if (prunes && mode !== 'merge')
    throw invalidQuery(
      'dangerouslyAllowDelete',
      `Expected "mode" to be "merge" for "dangerouslyAllowDelete" but received "${mode}"`,
    )
  const names = entries.map(({ collection }) => storedName(ctx, collection))
  const twice = names.findIndex((name, at) => names.indexOf(name) !== at)
  if (twice !== -1) throw invalidPayload(String(twice), `Expected "${entries[twice]?.collection}" once`)
  const opened = entries.map((each, at) => openTable(ctx, each, { name: names[at] ?? '', options }))
  const free: Context = { ...ctx, limits: { ...ctx.limits, batch: null } }
  return runAsOne(free, { dryRun, what: 'import' }, async (inner) => {
    // The work may be repeated, so it begins with nothing each time.
    const tables = opened.map((each) => (each === null ? null : emptied(each)))
    await writeAll(
      inner,
      tables.filter((each) => each !== null),
      options,
    )
    const results = entries.map(({ collection }, at) => [collection, tables[at]?.result ?? emptyResult()] as const)
    const ignored = tables.flatMap((each) => [...(each?.opened.scope.ignored ?? []), ...(each?.ignored ?? [])])
    return {
      result: { applied: !dryRun, mode, collections: Object.fromEntries(results) },
      ignored: new Set(ignored),
    }
  })
}

/** Collections of the other platform that are not here. Tools name them even if they have no rows. */
const absent: ReadonlySet<string> = new Set(['flows', 'operations', 'webhooks', 'extensions'])

const storedName = (ctx: Pick<Context, 'view' | 'server'>, collection: string): string =>
  storedRow({ collection }, '', ctx).collection

/** Null for a collection that is not here and has no rows. */
function openTable(
  ctx: ReadContext & Pick<Context, 'server'>,
  { collection: requested, items }: BatchEntry,
  { name, options }: { readonly name: string; readonly options: BatchOptions },
): Table | null {
  const [, feature = ''] = /^(?:directus|platform)_(.+)$/.exec(name) ?? []
  if (absent.has(feature)) {
    if (items.length === 0) return null
    throw invalidPayload(requested, `Expected no rows for "${requested}", which is not there`)
  }
  const actions = ['create', ...(options.mode === 'merge' ? ['update'] : []), ...(options.prunes ? ['delete'] : [])]
  const [opened] = actions.map((action) => open(ctx, name, action as Action))
  if (opened === undefined) throw new Error('No action is asked')
  const { collection } = opened
  return {
    name: requested,
    opened: collection.system ? ignoringUnknown(ctx, opened) : opened,
    collection,
    references: referencesOf(opened),
    items: collection.system ? items.map((each) => storedRow(each, name, ctx)) : items,
    result: emptyResult(),
    ignored: new Set(),
    keys: new Map(),
  }
}

const settings = 'platform_settings'

function open(ctx: QueryContext, name: string, action: Action): OpenedCollection {
  const isSystem = isUnlimited(ctx.actor) && (importable.has(name) || name === settings)
  return (isSystem ? openSystemCollection : openCollection)(ctx, name, action)
}

const emptyResult = (): TableResult => ({ existing: [], new: [], deleted: [], mapped: {} })

const emptied = (table: Table): Table => ({
  ...table,
  result: emptyResult(),
  ignored: new Set(),
  keys: new Map(),
})

async function writeAll(ctx: Context, name: readonly Table[], { mode, prunes }: BatchOptions): Promise<void> {
  const tables: Tables = new Map(name.map((each) => [each.collection.name, each]))
  const plans = []
  const ordered = inReferenceOrder(name, (waiting) => {
    throw cyclicReferences(waiting)
  })
  for (const table of ordered) plans.push(await planTable(ctx, table, mode))
  for (const plan of plans) await writeTable(ctx, plan, tables)
  for (const plan of plans) await writeWaiting(ctx, plan, tables)
  if (prunes) for (const { table } of plans.toReversed()) await prune(ctx, table)
}

/** Deletes the rows that the caller may read and that are not in the batch. */
async function prune(ctx: Context, { collection, opened, result }: Table): Promise<void> {
  if (collection.singleton || collection.keyColumns.length === 0) return
  const all = parseDelete({ query: { limit: -1 } }, opened)
  if (all.kind !== 'delete' || all.target.kind !== 'query') throw new Error('Expected a deletion by a query')
  const imported = new Set([...result.existing, ...result.new].map((key) => comparableKey(collection, key)))
  const present = await readKeys(ctx, collection, all.target.query)
  const keys = present.filter((key) => !imported.has(comparableKey(collection, key)))
  if (keys.length === 0) return
  await writeItems(ctx, { kind: 'delete', collection: collection.name, target: { kind: 'keys', keys } })
  result.deleted.push(...keys)
}
