import { Box } from '@mui/material'
import { toText } from '../model/to-text.ts'

/** Any value as text, cut where it is long. */
export const Value = ({ value }: { readonly value: unknown }) => {
  const text =
    value === null || value === undefined
      ? '–'
      : typeof value === 'object'
        ? JSON.stringify(value, null, 1)
        : toText(value)
  return (
    <Box sx={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap', maxHeight: '12rem', overflowY: 'auto' }}>{text}</Box>
  )
}
