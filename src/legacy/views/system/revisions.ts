import type { FieldTable } from './field-table.ts'

export const revisions: FieldTable = {
  id: { field: 'id' },
  activity: { field: 'activity' },
  collection: { field: 'collection', holds: 'collection' },
  item: { field: 'item' },
  data: { field: 'data' },
  delta: { field: 'delta' },
  // The handlers replace the number of the parent revision by what these names ask about it.
  parent_collection: { field: 'parent' },
  parent_item: { field: 'parent' },
  parent_changed: { field: 'parent' },
}
