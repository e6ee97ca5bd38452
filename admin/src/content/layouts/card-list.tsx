/** The items of a list as cards: a picture, the name, and the other columns. */
import { Box, Card, CardContent, Checkbox, Typography } from '@mui/material'
import { type RaRecord, useListContext, useTranslate } from 'react-admin'
import { type Row, toServerUrl } from '../../client.ts'
import { Picture } from '../../files/picture.tsx'
import type { Field } from '../../model/model.ts'
import { toText } from '../../model/to-text.ts'
import { EditLink, Listed, never, type TableProps } from './item-table.tsx'

type Props = TableProps & { readonly picture: Field | undefined }

export const CardList = ({ columns, nameOf, actions, isEditable, picture, isNew = never }: Props) => {
  const translate = useTranslate()
  const { data = [], selectedIds, onToggleItem } = useListContext<RaRecord>()
  return (
    <Listed actions={actions}>
      <Box
        component="ul"
        aria-label={translate('app.list.table')}
        sx={{ display: 'grid', gap: 2, p: 2, m: 0, gridTemplateColumns: 'repeat(auto-fill, minmax(12rem, 1fr))' }}
      >
        {data.map((row) => (
          <Card
            key={row.id}
            component="li"
            variant="outlined"
            sx={{ position: 'relative', listStyle: 'none', ...(isNew(row) && { bgcolor: 'action.selected' }) }}
          >
            {picture !== undefined && <FilePicture file={row[picture.field] as Row | null} />}
            {actions !== null && (
              <Checkbox
                size="small"
                checked={selectedIds.includes(row.id)}
                onChange={() => onToggleItem(row.id)}
                slotProps={{ input: { 'aria-label': translate('app.list.select', { name: nameOf(row) }) } }}
                sx={{ position: 'absolute', top: 4, right: 4, p: 0.25, borderRadius: 1, bgcolor: 'background.paper' }}
              />
            )}
            <CardContent sx={{ overflowWrap: 'anywhere', '&:last-child': { pb: 1.5 } }}>
              <Box sx={{ pr: picture === undefined ? 3 : 0 }}>
                {isEditable ? <EditLink row={row}>{nameOf(row)}</EditLink> : nameOf(row)}
              </Box>
              {columns
                .filter(({ name }) => name !== picture?.field && toText(row[name]) !== nameOf(row))
                .map(({ name, label, render }) => (
                  <Box key={name} sx={{ mt: 0.5, fontSize: '0.875rem' }}>
                    <Typography variant="caption" component="span" sx={{ color: 'text.secondary', mr: 1 }}>
                      {label}
                    </Typography>
                    <Box component="span" sx={{ '& > *': { display: 'inline-flex' } }}>
                      {render(row)}
                    </Box>
                  </Box>
                ))}
            </CardContent>
          </Card>
        ))}
      </Box>
    </Listed>
  )
}

const FilePicture = ({ file }: { readonly file: Row | null }) => (
  <Box sx={{ height: 140, bgcolor: 'action.hover' }}>
    {file !== null && (
      <Picture
        src={toServerUrl(`assets/${toText(file['id'])}?width=360&height=280&fit=cover`)}
        alt=""
        loading="lazy"
        style={{ width: '100%', height: 140, objectFit: 'cover' }}
      />
    )}
  </Box>
)
