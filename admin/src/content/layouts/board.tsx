/** The items of a list in columns by a field with choices. Moving a card changes the field. */
import { Box, MenuItem, Paper, TextField, Typography } from '@mui/material'
import { type DragEvent, useState } from 'react'
import { type RaRecord, useListContext, useNotify, useRefresh, useTranslate, useUpdate } from 'react-admin'
import { messageOf } from '../../api/errors.ts'
import { choicesOf } from '../../inputs/kinds.ts'
import { isWritable } from '../../inputs/writable.ts'
import type { Collection, Field } from '../../model/model.ts'
import { toFieldLabel } from '../../model/texts.ts'
import { EditLink, Listed, never, type TableProps } from './item-table.tsx'

type Props = Pick<TableProps, 'nameOf' | 'isEditable' | 'isNew'> & {
  readonly collection: Collection
  readonly field: Field
}

export const Board = ({ collection, field, nameOf, isEditable, isNew = never }: Props) => {
  const translate = useTranslate()
  const { data = [], resource } = useListContext<RaRecord>()
  const notify = useNotify()
  const refresh = useRefresh()
  const [update] = useUpdate()
  const [dragged, setDragged] = useState<RaRecord | null>(null)
  const canMove = isEditable && isWritable(collection, field, 'update')
  const columns = [
    ...choicesOf(field),
    ...(data.some((row) => row[field.field] === null) ? [{ value: '', text: translate('app.layout.none') }] : []),
  ]
  const valueOf = (row: RaRecord): string => String(row[field.field] ?? '')
  const move = (row: RaRecord, text: string): void => {
    if (valueOf(row) === text) return
    const value = columns.find((each) => String(each.value) === text)?.value ?? ''
    const changes = { [field.field]: value === '' ? null : value }
    void update(
      resource,
      { id: row.id, data: changes, previousData: row, meta: { force: true } },
      { onSuccess: refresh, onError: (error) => notify(messageOf(error), { type: 'error', multiLine: true }) },
    )
  }
  return (
    <Listed actions={null}>
      <Box
        sx={{ display: 'flex', gap: 2, p: 2, overflowX: 'auto' }}
        tabIndex={0}
        role="region"
        aria-label={translate('app.list.table')}
      >
        {columns.map(({ value, text }) => {
          const rows = data.filter((row) => valueOf(row) === String(value))
          return (
            <Paper
              key={value}
              variant="outlined"
              component="section"
              aria-label={text}
              onDragOver={(event: DragEvent) => dragged !== null && event.preventDefault()}
              onDrop={() => dragged !== null && move(dragged, String(value))}
              sx={{ flex: '1 0 15rem', p: 1, bgcolor: 'action.hover' }}
            >
              <Typography component="h2" variant="subtitle2" sx={{ mb: 1 }}>
                {text} ({rows.length})
              </Typography>
              {rows.map((row) => (
                <Paper
                  key={row.id}
                  draggable={canMove}
                  onDragStart={() => setDragged(row)}
                  onDragEnd={() => setDragged(null)}
                  sx={{
                    p: 1,
                    mb: 1,
                    overflowWrap: 'anywhere',
                    ...(canMove && { cursor: 'grab' }),
                    ...(isNew(row) && { outline: 2, outlineColor: 'primary.main' }),
                  }}
                >
                  {isEditable ? <EditLink row={row}>{nameOf(row)}</EditLink> : nameOf(row)}
                  {canMove && (
                    <TextField
                      select
                      variant="standard"
                      margin="dense"
                      value={String(value)}
                      onChange={({ target }) => move(row, target.value)}
                      slotProps={{
                        htmlInput: {
                          'aria-label': translate('app.layout.move', { field: toFieldLabel(field), name: nameOf(row) }),
                        },
                      }}
                    >
                      {columns.map((each) => (
                        <MenuItem key={each.value} value={String(each.value)}>
                          {each.text}
                        </MenuItem>
                      ))}
                    </TextField>
                  )}
                </Paper>
              ))}
            </Paper>
          )
        })}
      </Box>
    </Listed>
  )
}
