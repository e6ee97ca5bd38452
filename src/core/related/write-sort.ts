/** Sort numbers of new rows: they are appended at the end. */

import type { Key } from '../../domain/query/key.ts'
import type { Change, Changes } from '../../domain/query/mutation.ts'
import type { Collection } from '../../domain/schema/schema.ts'
import type { Creation, Entry, Plan } from './plan.ts'
import { isLinked } from './plan-children.ts'
import type { Run } from './write-run.ts'

/** The creations, with the next free number of their parent if they have none. */
export async function sorted(
  run: Run,
  child: Collection,
  { creates, updates, rows }: Plan,
  removed: ReadonlySet<string>,
): Promise<readonly Creation[]> {
  const open = creates.filter(({ entry, changes }) => {
    const { sortField } = entry.relation
    return sortField !== null && !changes.has(sortField)
  })
  if (open.length === 0) return creates
  const last = await highestStored(run, child, open)
  const raise = (entry: Entry, value: unknown): void => {
    const number = Number(value)
    if (value !== null && Number.isFinite(number)) last.set(entry, Math.max(last.get(entry) ?? 0, number))
  }
  for (const entry of new Set(open.map((each) => each.entry))) {
    for (const row of rows.values()) {
      const isLeaving = removed.has(String(row.key)) || !isLinked(row, entry)
      if (!isLeaving) raise(entry, row.stored.get(entry.relation.sortField ?? '') ?? null)
    }
  }
  for (const { entry, changes } of [...creates, ...updates]) raise(entry, input(entry, changes))
  const isOpen = new Set<Creation>(open)
  return creates.map((each) => {
    if (!isOpen.has(each)) return each
    const position = (last.get(each.entry) ?? 0) + 1
    last.set(each.entry, position)
    const fill: Changes = new Map<string, Change>([
      [each.entry.relation.sortField as string, { kind: 'value', value: position }],
    ])
    return { ...each, fill }
  })
}

function input({ relation }: Entry, changes: Changes): unknown {
  const change = relation.sortField === null ? undefined : changes.get(relation.sortField)
  return change?.kind === 'value' ? change.value : null
}

/** For parents whose rows were only partly read. */
async function highestStored(run: Run, child: Collection, open: readonly Creation[]): Promise<Map<Entry, number>> {
  const last = new Map<Entry, number>()
  const entries = [...new Set(open.map(({ entry }) => entry))]
  const partial = entries.filter(({ change, parent }) => change.kind === 'detail' && !parent.isNew)
  for (const group of Map.groupBy(partial, ({ relation }) => relation.foreignKey).values()) {
    const { foreignKey, sortField } = group[0]?.relation ?? {}
    if (foreignKey === undefined || typeof sortField !== 'string') continue
    const parents: Key[] = group.map(({ parent }) => parent.key)
    const foreign = { field: foreignKey, parents }
    const highest = await run.ctx.rows.highest(run.ctx, child, { field: sortField, foreign })
    for (const entry of group) last.set(entry, highest.get(String(entry.parent.key)) ?? 0)
  }
  return last
}
