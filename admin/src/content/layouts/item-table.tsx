/** The rows of a list: choose, sort, open. */
import CloseIcon from '@mui/icons-material/CloseOutlined'
import {
  Box,
  Checkbox,
  Chip,
  IconButton,
  Link,
  Stack,
  Table,
  TableBody,
  TableCell,
  TableHead,
  TableRow,
  Typography,
} from '@mui/material'
import { type ReactNode, useState } from 'react'
import { type RaRecord, useCreatePath, useListContext, useTranslate } from 'react-admin'
import { Link as RouterLink } from 'react-router'
import { type Column, HeaderCell, ofWidth } from './header-cell.tsx'

export type TableProps = {
  readonly columns: readonly Column[]
  /** Names a row where its checkbox is read out. */
  readonly nameOf: (row: RaRecord) => string
  /** Buttons for chosen rows; null if rows cannot be chosen. */
  readonly actions: ReactNode
  readonly isEditable: boolean
  /** Whether somebody else has changed the row while it was shown. */
  readonly isNew?: (row: RaRecord) => boolean
}

/** Rows, with buttons for the chosen ones above them, or why there are none. */
export const Listed = ({ actions, children }: { readonly actions: ReactNode; readonly children: ReactNode }) => {
  const translate = useTranslate()
  const { data = [], isPending, selectedIds, filterValues } = useListContext<RaRecord>()
  if (isPending) return null
  if (data.length === 0) {
    const isFiltered = Object.keys(filterValues as object).length > 0
    return (
      <Box sx={{ p: 4, textAlign: 'center' }}>{translate(isFiltered ? 'app.list.none_found' : 'app.list.none')}</Box>
    )
  }
  return (
    <Box sx={{ position: 'relative' }}>
      {actions !== null && selectedIds.length > 0 && <Chosen>{actions}</Chosen>}
      {children}
    </Box>
  )
}

/** Column → its width in pixels; others are as wide as their values. */
export type Widths = { readonly [column: string]: number }

type ItemTableProps = TableProps & {
  readonly onMove?: (column: string, place: number) => void
  readonly widths?: Widths
  /** Without a width, the column is as wide as its values again. */
  readonly onWidth?: (column: string, width?: number) => void
}

export const never = (): boolean => false

export const ItemTable = ({
  columns,
  nameOf,
  actions,
  isEditable,
  isNew = never,
  onMove,
  widths = {},
  onWidth,
}: ItemTableProps) => {
  const translate = useTranslate()
  const { data = [], selectedIds, onSelect, onToggleItem } = useListContext<RaRecord>()
  const [dragged, setDragged] = useState<string | null>(null)
  const chosen = new Set(selectedIds)
  const isAll = data.length > 0 && data.every(({ id }) => chosen.has(id))
  const isSome = !isAll && chosen.size > 0
  return (
    <Listed actions={actions}>
      <Box sx={{ overflowX: 'auto' }} tabIndex={0} role="region" aria-label={translate('app.list.table')}>
        <Table size="small">
          <TableHead>
            <TableRow>
              {actions !== null && (
                <TableCell padding="checkbox">
                  <Checkbox
                    checked={isAll}
                    indeterminate={isSome}
                    onChange={() => onSelect(isAll ? [] : data.map(({ id }) => id))}
                    slotProps={{
                      input: {
                        'aria-label': translate('ra.action.select_all'),
                        ref: (input: HTMLInputElement | null) => {
                          if (input !== null) input.indeterminate = isSome
                        },
                      },
                    }}
                  />
                </TableCell>
              )}
              {columns.map((column, place) => (
                <HeaderCell
                  key={column.name}
                  column={column}
                  width={widths[column.name]}
                  isDragging={dragged !== null}
                  {...(onMove !== undefined && { onDrag: setDragged })}
                  onDrop={() => dragged !== null && onMove?.(dragged, place)}
                  {...(onWidth !== undefined && { onWidth: (width) => onWidth(column.name, width) })}
                />
              ))}
            </TableRow>
          </TableHead>
          <TableBody>
            {data.map((row) => (
              <TableRow
                key={row.id}
                hover
                selected={chosen.has(row.id)}
                sx={{ ...(isNew(row) && { boxShadow: (theme) => `inset 4px 0 ${theme.palette.primary.main}` }) }}
              >
                {actions !== null && (
                  <TableCell padding="checkbox">
                    <Checkbox
                      checked={chosen.has(row.id)}
                      onChange={() => onToggleItem(row.id)}
                      slotProps={{ input: { 'aria-label': translate('app.list.select', { name: nameOf(row) }) } }}
                    />
                  </TableCell>
                )}
                {columns.map((column, at) => (
                  <TableCell key={column.name} sx={ofWidth(widths[column.name])}>
                    {at === 0 && isEditable ? (
                      <EditLink row={row}>
                        {row[column.name] == null || row[column.name] === '' ? nameOf(row) : column.render(row)}
                      </EditLink>
                    ) : (
                      column.render(row)
                    )}
                    {at === 0 && isNew(row) && (
                      <Chip size="small" label={translate('app.live.changed')} sx={{ ml: 1 }} />
                    )}
                  </TableCell>
                ))}
              </TableRow>
            ))}
          </TableBody>
        </Table>
      </Box>
    </Listed>
  )
}

export const EditLink = ({ row, children }: { readonly row: RaRecord; readonly children: ReactNode }) => {
  const createPath = useCreatePath()
  const { resource } = useListContext()
  return (
    <Link component={RouterLink} to={createPath({ resource, type: 'edit', id: row.id })} sx={{ fontWeight: 600 }}>
      {children}
    </Link>
  )
}

/** What can be done with the chosen rows. */
const Chosen = ({ children }: { readonly children: ReactNode }) => {
  const translate = useTranslate()
  const { selectedIds, onUnselectItems } = useListContext()
  return (
    <Stack
      direction="row"
      useFlexGap
      role="toolbar"
      aria-label={translate('ra.action.bulk_actions', { smart_count: selectedIds.length })}
      sx={{ flexWrap: 'wrap', alignItems: 'center', gap: 1, px: 1, py: 0.5, bgcolor: 'action.selected' }}
    >
      <IconButton size="small" aria-label={translate('ra.action.unselect')} onClick={() => onUnselectItems()}>
        <CloseIcon fontSize="small" />
      </IconButton>
      <Typography variant="body2" sx={{ flexGrow: 1 }}>
        {translate('ra.action.bulk_actions', { smart_count: selectedIds.length })}
      </Typography>
      {children}
    </Stack>
  )
}
