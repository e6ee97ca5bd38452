/** The tables of the data model; their own operations show and change their rows. */
import type { FieldTable } from './field-table.ts'

export const collections: FieldTable = {
  collection: { field: 'collection', holds: 'collection' },
  hidden: { field: 'hidden' },
  single: { field: 'singleton' },
  icon: { field: 'icon' },
  note: { field: 'note' },
  translation: { field: 'translations' },
}

export const fields: FieldTable = {
  id: { field: 'id' },
  collection: { field: 'collection', holds: 'collection' },
  field: { field: 'field' },
  type: { field: 'type' },
  interface: { field: 'interface' },
  options: { field: 'options' },
  locked: { field: 'locked' },
  validation: { field: 'validation' },
  required: { field: 'required' },
  readonly: { field: 'readonly' },
  hidden_detail: { field: 'hidden' },
  hidden_browse: { field: 'hidden_browse' },
  sort: { field: 'sort' },
  width: { field: 'width' },
  group: { field: 'group' },
  note: { field: 'note' },
  translation: { field: 'translations' },
}

export const relations: FieldTable = {
  id: { field: 'id' },
  collection_many: { field: 'many_collection', holds: 'collection' },
  field_many: { field: 'many_field' },
  collection_one: { field: 'one_collection', holds: 'collection' },
  field_one: { field: 'one_field' },
  junction_field: { field: 'junction_field' },
}
