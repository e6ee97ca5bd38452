/** Field names of revisions. */
import type { FieldTable } from './field-table.ts'

export const revisions: FieldTable = {
  id: { field: 'id' },
  activity: { field: 'activity' },
  collection: { field: 'collection' },
  item: { field: 'item' },
  data: { field: 'data' },
  delta: { field: 'delta' },
}
