import { Box } from '@mui/material'
import { toText } from '../model/to-text.ts'

/** Words with commas between them; JSON for what has parts. */
function textOf(value: unknown): string {
  if (value === null || value === undefined) return '–'
  if (Array.isArray(value) && value.every((each) => typeof each !== 'object')) return value.map(toText).join(', ')
  return typeof value === 'object' ? JSON.stringify(value, null, 1) : toText(value)
}

/** Any value as text, cut where it is long. */
export const Value = ({ value }: { readonly value: unknown }) => {
  return (
    <Box sx={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap', maxHeight: '12rem', overflowY: 'auto' }}>
      {textOf(value)}
    </Box>
  )
}
