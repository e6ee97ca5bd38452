/** Which items a list shows where the collection has an archive. */
import { MenuItem, TextField } from '@mui/material'
import { useStore, useTranslate } from 'react-admin'
import { type Collection, hasFieldRight } from '../../model/model.ts'

export type Archive = 'active' | 'archived' | 'all'

export function useArchive({ name, meta }: Collection) {
  const first = meta.archive_app_filter === false ? 'all' : 'active'
  return useStore<Archive>(`archive.${name}`, first)
}

/** The stored value is text, also where the field is a number or boolean. */
export function valueOf({ fields }: Collection, field: string, text: string | null | undefined): unknown {
  const type = fields.find((each) => each.field === field)?.type
  if (text === null || text === undefined) return null
  if (type === 'boolean') return text === 'true' || text === '1'
  return type === 'integer' ? Number(text) : text
}

/** The field of the archive, if there is one that the user may read. */
function archiveField(collection: Collection): string | null {
  const { archive_field: field, archive_value: text } = collection.meta
  const isThere = field && text !== null && text !== undefined && hasFieldRight(collection, 'read', field)
  return isThere ? field : null
}

export function archiveFilter(collection: Collection, archive: Archive): object {
  const field = archiveField(collection)
  const { archive_value: text } = collection.meta
  if (field === null || archive === 'all') return {}
  const value = valueOf(collection, field, text)
  if (archive === 'archived') return { and: { [field]: { _eq: value } } }
  return { and: { _or: [{ [field]: { _neq: value } }, { [field]: { _null: true } }] } }
}

type Props = {
  readonly collection: Collection
  readonly value: Archive
  readonly onChange: (archive: Archive) => void
}

export const ArchiveSelect = ({ collection, value, onChange }: Props) => {
  const translate = useTranslate()
  if (archiveField(collection) === null) return null
  return (
    <TextField
      select
      margin="none"
      fullWidth={false}
      value={value}
      onChange={({ target }) => onChange(target.value as Archive)}
      slotProps={{ htmlInput: { 'aria-label': translate('app.archive.label') } }}
    >
      {(['active', 'archived', 'all'] as const).map((each) => (
        <MenuItem key={each} value={each}>
          {translate(`app.archive.${each}`)}
        </MenuItem>
      ))}
    </TextField>
  )
}
