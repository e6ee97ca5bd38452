/** Which columns a list has, and how their values look. */

import ColumnsIcon from '@mui/icons-material/ViewWeekOutlined'
import { Box, Button, Chip } from '@mui/material'
import { type ComponentProps, useState } from 'react'
import { useStore, useTranslate } from 'react-admin'
import type { Row } from '../../client.ts'
import { toServerUrl } from '../../client.ts'
import { Picture } from '../../files/picture.tsx'
import { choiceText, kindOf } from '../../inputs/kinds.ts'
import { columnsOf, defaultColumns } from '../../inputs/shown.ts'
import { later, laterPart } from '../../lazy.tsx'
import { toDateText } from '../../model/dates.ts'
import type { Collection, Field, Model } from '../../model/model.ts'
import { toOneOf } from '../../model/relations.ts'
import { toItemText } from '../../model/texts.ts'
import { firstText, toText } from '../../model/to-text.ts'
import type { Widths } from './item-table.tsx'

const ColumnMenu = later(() => import('./column-menu.tsx'), 'ColumnMenu')
const IconPicture = laterPart(() => import('../../inputs/values/icons/icon-picture.tsx'), 'IconPicture')

/** The chosen columns, kept in the browser. */
export function useColumns(model: Model, collection: Collection) {
  const [stored, setColumns] = useStore<readonly string[] | null>(`columns.${collection.name}`, null)
  const known = new Set(columnsOf(collection).map(({ field }) => field))
  const columns = (stored ?? []).filter((field) => known.has(field))
  return { columns: columns.length > 0 ? columns : defaultColumns(model, collection), setColumns }
}

/** The widths that columns were given, kept in the browser. */
export function useWidths({ name }: Collection) {
  const [widths, setWidths] = useStore<Widths>(`widths.${name}`, {})
  const setWidth = (column: string, width?: number): void => {
    const { [column]: _, ...others } = widths
    setWidths(width === undefined ? others : { ...others, [column]: width })
  }
  return { widths, setWidth, setWidths }
}

type ChooserProps = Omit<ComponentProps<typeof ColumnMenu>, 'anchor' | 'onClose'>

export const ColumnChooser = (props: ChooserProps) => {
  const translate = useTranslate()
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
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
      {anchor !== null && <ColumnMenu {...props} anchor={anchor} onClose={() => setAnchor(null)} />}
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
  if (kind === 'select') return <Chip size="small" label={choiceText(field, value)} />
  if (kind === 'icon') return <IconPicture name={toText(value)} />
  if (kind === 'color')
    return (
      <Box
        sx={{ width: 24, height: 24, borderRadius: 1, bgcolor: toText(value), border: 1, borderColor: 'divider' }}
        title={toText(value)}
      />
    )
  if (kind === 'timestamp' || kind === 'datetime' || kind === 'date' || kind === 'time')
    return <Box sx={{ whiteSpace: 'nowrap' }}>{toDateText(field, kind, toText(value))}</Box>
  if (Array.isArray(value) && value.every((each) => typeof each === 'string'))
    return <Box sx={oneLine}>{value.map((each) => choiceText(field, each)).join(', ')}</Box>
  const text = toText(value)
  return (
    <Box sx={oneLine} title={text.length > 60 ? text.slice(0, 400) : undefined}>
      {text}
    </Box>
  )
}

const Thumbnail = ({ file }: { readonly file: Row }) => (
  <Picture
    isSmall
    src={toServerUrl(`assets/${toText(file['id'])}?width=64&height=64&fit=cover`)}
    alt={firstText(file['title'], file['filename_download'])}
    width={32}
    height={32}
    style={{ borderRadius: 4, display: 'block' }}
  />
)
