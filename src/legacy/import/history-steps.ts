/** Steps of activity and revisions. */

import { parsed, type SourceRecord } from './records.ts'
import type { Draft } from './rows/drafts.ts'
import {
  activityMirror,
  activitySeenMirror,
  draftActivity,
  draftRevision,
  draftSeen,
  parentOf,
  revisionsMirror,
} from './rows/history.ts'
import type { Numbers } from './rows/values.ts'
import { type ImportState, streamed, tableOf } from './step.ts'

export async function takeHistory(state: ImportState, numbers: Numbers): Promise<void> {
  await state.take({
    name: 'directus_activity',
    mirror: activityMirror,
    rows: streamed(state, activityMirror, 'directus_activity', (row) => draftActivity(row, numbers)),
  })
  if (tableOf(state, 'directus_activity_seen') !== undefined) {
    await state.take({
      name: 'directus_activity_seen',
      mirror: activitySeenMirror,
      rows: streamed(state, activitySeenMirror, 'directus_activity_seen', (row) => draftSeen(row, numbers)),
      options: { references: [ofActivity] },
    })
  }
  await state.take({
    name: 'directus_revisions',
    mirror: revisionsMirror,
    rows: () => {
      state.valueReport.forget('directus_revisions')
      const draft = (row: SourceRecord): Draft => {
        for (const column of ['data', 'delta']) {
          if (parsed(row[column] ?? null) !== undefined) continue
          const cell = { table: 'directus_revisions', column, key: row['id'] ?? '' }
          state.valueReport.add(cell, row[column] ?? '', 'no JSON, so it is left out')
        }
        return draftRevision(row, numbers, state.installation)
      }
      return streamed(state, revisionsMirror, 'directus_revisions', draft)()
    },
    options: { references: [ofActivity] },
  })
  await linkParents(state, numbers)
}

/** Old entries may have been deleted there, and what belongs to them may not. */
const ofActivity = { column: 'activity', table: 'platform_activity', target: 'id' } as const

/** Revisions that were nested in another write name one that may come after them, so they are linked when all are here. */
async function linkParents(state: ImportState, numbers: Numbers): Promise<void> {
  const table = tableOf(state, 'directus_revisions')
  const names = ['id', 'parent_collection', 'parent_item']
  if (table === undefined || !names.every((name) => table.columns.some((column) => column.name === name))) return
  for await (const page of state.source.rows(table, names, ['id'])) {
    const parents = page.flatMap(([id = null, parent_collection = null, parent_item = null]) => {
      const parent = parentOf({ id, parent_collection, parent_item }, numbers)
      return parent === null ? [] : [parent]
    })
    if (parents.length > 0) await state.link(parents)
  }
}
