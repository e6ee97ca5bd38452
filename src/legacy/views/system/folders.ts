import { type FieldTable, number } from './field-table.ts'

export const folders: FieldTable = {
  id: number,
  name: { field: 'name' },
  parent_folder: { field: 'parent' },
}
