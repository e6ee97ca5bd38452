import type { FieldTable } from './field-table.ts'

export const collectionPresets: FieldTable = {
  id: { field: 'id' },
  title: { field: 'bookmark' },
  user: { field: 'user' },
  role: { field: 'role' },
  collection: { field: 'collection', holds: 'collection' },
  search_query: { field: 'search' },
  filters: { field: 'filters' },
  view_type: { field: 'layout' },
  view_query: { field: 'layout_query' },
  view_options: { field: 'layout_options' },
  translation: { field: 'translation' },
}
