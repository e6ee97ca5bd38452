/** Which columns a list has, and how their values look. */

import ColumnsIcon from '@mui/icons-material/ViewWeekOutlined'
import { Box, Button, Checkbox, Chip, ListItemText, Menu, MenuItem } from '@mui/material'
import { useState } from 'react'
import { useStore, useTranslate } from 'react-admin'
import type { Row } from '../client.ts'
import { toServerUrl } from '../client.ts'
import { choicesOf, kindOf } from '../inputs/kinds.ts'
import { type Collection, type Field, hasFieldRight, type Model } from '../model/model.ts'
import { toOneOf } from '../model/relations.ts'
import { toFieldLabel, toItemText } from '../model/texts.ts'
import { firstText, toText } from '../model/to-text.ts'

/** Columns of a new list. */
const first = 6
const longKinds = new Set(['json', 'list', 'markdown', 'html', 'multiline', 'code', 'hash'])

/** A column of type text is as often a name as a story. */
const isLong = (model: Model, field: Field): boolean =>
  longKinds.has(kindOf(model, field)) && (field.type !== 'text' || Boolean(field.meta?.interface))

/** What can be a column. */
export const columnsOf = (collection: Collection): readonly Field[] =>
  collection.fields.filter(({ field, schema }) => schema !== null && hasFieldRight(collection, 'read', field))

const defaultColumns = (model: Model, collection: Collection): readonly string[] =>
  columnsOf(collection)
    .filter((field) => !field.meta?.hidden && !isLong(model, field))
    .slice(0, first)
    .map(({ field }) => field)

/** The chosen columns, kept in the browser. */
export function useColumns(model: Model, collection: Collection) {
  const [stored, setColumns] = useStore<readonly string[] | null>(`columns.${collection.name}`, null)
  const known = new Set(columnsOf(collection).map(({ field }) => field))
  const columns = (stored ?? []).filter((field) => known.has(field))
  return { columns: columns.length > 0 ? columns : defaultColumns(model, collection), setColumns }
}

type ChooserProps = {
  readonly collection: Collection
  readonly columns: readonly string[]
  readonly onChange: (columns: readonly string[]) => void
}

export const ColumnChooser = ({ collection, columns, onChange }: ChooserProps) => {
  const translate = useTranslate()
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  const toggle = (field: string): void => {
    const next = columns.includes(field) ? columns.filter((each) => each !== field) : [...columns, field]
    if (next.length > 0) onChange(next)
  }
  return (
    <>
      <Button
        size="small"
        startIcon={<ColumnsIcon />}
        aria-haspopup="menu"
        onClick={({ currentTarget }) => setAnchor(currentTarget)}
      >
        {translate('ra.action.select_columns')}
      </Button>
      <Menu open={anchor !== null} anchorEl={anchor} onClose={() => setAnchor(null)}>
        {columnsOf(collection).map((field) => (
          <MenuItem
            key={field.field}
            dense
            role="menuitemcheckbox"
            aria-checked={columns.includes(field.field)}
            onClick={() => toggle(field.field)}
          >
            <Checkbox
              checked={columns.includes(field.field)}
              size="small"
              slotProps={{ input: { tabIndex: -1, 'aria-hidden': true } }}
            />
            <ListItemText>{toFieldLabel(field)}</ListItemText>
          </MenuItem>
        ))}
      </Menu>
    </>
  )
}

type CellProps = { readonly model: Model; readonly field: Field; readonly value: unknown }

const oneLine = { maxWidth: '22rem', overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' } as const

/** The value of a column. */
export const Cell = ({ model, field, value }: CellProps) => {
  const translate = useTranslate()
  if (value === null || value === undefined) return <Box sx={{ color: 'text.secondary' }}>–</Box>
  const kind = kindOf(model, field)
  const related = toOneOf(model, field.collection, field.field)
  if (related !== null && typeof value === 'object') {
    if (kind === 'image') return <Thumbnail file={value as Row} />
    return <Box sx={oneLine}>{toItemText(related, value as Row)}</Box>
  }
  if (typeof value === 'boolean') return translate(value ? 'ra.boolean.true' : 'ra.boolean.false')
  if (kind === 'select') return <ChoiceChip field={field} value={value} />
  if (kind === 'color')
    return (
      <Box
        sx={{ width: 24, height: 24, borderRadius: 1, bgcolor: toText(value), border: 1, borderColor: 'divider' }}
        title={toText(value)}
      />
    )
  if (kind === 'timestamp') return new Date(toText(value)).toLocaleString()
  if (kind === 'datetime') return toText(value).replace('T', ' ').slice(0, 16)
  if (Array.isArray(value) && value.every((each) => typeof each === 'string'))
    return <Box sx={oneLine}>{value.join(', ')}</Box>
  const text = toText(value)
  return (
    <Box sx={oneLine} title={text.length > 60 ? text.slice(0, 400) : undefined}>
      {text}
    </Box>
  )
}

const ChoiceChip = ({ field, value }: { readonly field: Field; readonly value: unknown }) => {
  const found = choicesOf(field).find((each) => each.value === value)
  return <Chip size="small" label={found?.text ?? toText(value)} />
}

const Thumbnail = ({ file }: { readonly file: Row }) => (
  <img
    src={toServerUrl(`assets/${toText(file['id'])}?width=64&height=64&fit=cover`)}
    alt={firstText(file['title'], file['filename_download'])}
    width={32}
    height={32}
    style={{ borderRadius: 4, display: 'block' }}
  />
)
