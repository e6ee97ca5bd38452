import type { FieldTable } from './field-table.ts'

export const permissions: FieldTable = {
  id: { field: 'id' },
  collection: { field: 'collection', holds: 'collection' },
  role: { field: 'role' },
  status: { field: 'status' },
  create: { field: 'create' },
  read: { field: 'read' },
  update: { field: 'update' },
  delete: { field: 'delete' },
  comment: { field: 'comment' },
  explain: { field: 'explain' },
  read_field_blacklist: { field: 'read_field_blacklist' },
  write_field_blacklist: { field: 'write_field_blacklist' },
  status_blacklist: { field: 'status_blacklist' },
}
