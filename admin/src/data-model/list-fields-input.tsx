/** The fields of each group of a list. */
import AddIcon from '@mui/icons-material/Add'
import RemoveIcon from '@mui/icons-material/CloseOutlined'
import { Box, Button, FormLabel, IconButton, MenuItem, Stack, TextField } from '@mui/material'
import { useId } from 'react'
import { useTranslate } from 'react-admin'
import { toText } from '../model/to-text.ts'

type Inner = { readonly field?: string; readonly type?: string; readonly meta?: { readonly interface?: string | null } }

const types = ['string', 'text', 'integer', 'float', 'boolean', 'date', 'dateTime', 'json'] as const

type Props = { readonly label: string; readonly value: unknown; readonly onChange: (value: unknown) => void }

export const ListFieldsInput = ({ label, value, onChange }: Props) => {
  const translate = useTranslate()
  const labelId = useId()
  const fields = Array.isArray(value) ? (value as readonly Inner[]) : []
  const set = (at: number, next: Partial<Inner>): void =>
    onChange(fields.map((each, place) => (place === at ? { ...each, ...next } : each)))
  const remove = (at: number): void => {
    const left = fields.filter((_, place) => place !== at)
    onChange(left.length === 0 ? undefined : left)
  }
  return (
    <Box role="group" aria-labelledby={labelId} sx={{ gridColumn: '1 / -1', my: 1 }}>
      <FormLabel id={labelId}>{label}</FormLabel>
      {fields.map((each, at) => (
        <Stack key={at} direction="row" spacing={1} sx={{ alignItems: 'center' }}>
          <TextField
            label={translate('app.model.name')}
            value={toText(each.field)}
            onChange={({ target }) => set(at, { field: target.value })}
          />
          <TextField
            select
            label={translate('app.model.type')}
            value={each.type ?? 'string'}
            onChange={({ target }) => set(at, { type: target.value })}
          >
            {[...new Set([...types, each.type ?? 'string'])].map((type) => (
              <MenuItem key={type} value={type}>
                {type}
              </MenuItem>
            ))}
          </TextField>
          <IconButton
            aria-label={translate('app.related.remove', { name: toText(each.field) })}
            onClick={() => remove(at)}
          >
            <RemoveIcon />
          </IconButton>
        </Stack>
      ))}
      <Button size="small" startIcon={<AddIcon />} onClick={() => onChange([...fields, { field: '', type: 'string' }])}>
        {translate('app.option.add_field')}
      </Button>
    </Box>
  )
}
