/** What the settings of a collection say of statuses: which ones archive an item, and which ones require its fields. */

import type { Collection, Field } from '../schema/schema.ts'
import { flagAt, type MetadataRow, objectAt, textAt } from './metadata.ts'

/** The archive values of a collection: its own, and the status values that mean deletion on the same field. */
export function toArchive(
  row: MetadataRow | null,
  rows: readonly MetadataRow[],
  columnNamed: (name: string | null) => string | null,
): Collection['archive'] {
  const statusRow = rows.find((each) => softDeleted(each).length > 0)
  const own = columnNamed(textAt(row, 'archive_field'))
  const field = own ?? columnNamed(textAt(statusRow, 'field'))
  if (field === null) return null
  const value = textAt(row, 'archive_value')
  const words = rows.filter((each) => textAt(each, 'field') === field).flatMap(softDeleted)
  const archived = [...new Set([...(own !== null && value !== null ? [value] : []), ...words])]
  return archived.length === 0 ? null : { field, archived }
}

const softDeleted = (row: MetadataRow): readonly string[] => statusesWith(row, 'soft_delete')

/** Forms of version 8 have `1` as a text, and the statuses 0, 1, 2 as a list. */
function statusesWith(row: MetadataRow, flag: string): readonly string[] {
  const options = objectAt(row, 'options')
  const list = options?.['status_mapping']
  const mapping = Array.isArray(list) ? Object.fromEntries(list.entries()) : objectAt(options, 'status_mapping')
  return Object.keys(mapping ?? {}).filter((word) => {
    const status = objectAt(mapping, word)
    return flagAt(status, flag) || status?.[flag] === '1'
  })
}

/** Once a status asks for the required fields, items with other statuses may lack them. */
export function toRequiredBy(
  rows: readonly MetadataRow[],
  fields: ReadonlyMap<string, Field>,
): Pick<Collection, 'requiredBy'> {
  const statusRow = rows.find((row) => statusesWith(row, 'required_fields').length > 0)
  const status = textAt(statusRow, 'field')
  if (statusRow === undefined || status === null || fields.get(status)?.column == null) return {}
  const named = rows.flatMap((row) => (flagAt(row, 'required') ? (textAt(row, 'field') ?? []) : []))
  const required = named.filter((name) => {
    const column = fields.get(name)?.column
    return name !== status && column != null && !column.primaryKey && !column.autoIncrement && !column.hasDefault
  })
  return { requiredBy: { field: status, statuses: statusesWith(statusRow, 'required_fields'), required } }
}
