/** A text as QR code, dark on light in both themes; nothing for a text that is too long for one. */
import { Box } from '@mui/material'
import { toQrCode } from '../small/qr.ts'

/** Light modules around the code, without which it is not found. */
const margin = 4

export const QrCode = ({ text, label }: { readonly text: string; readonly label: string }) => {
  const rows = toQrCode(text)
  if (rows === null) return null
  const size = rows.length + margin * 2
  const path = rows.flatMap((row, y) =>
    row.flatMap((isDark, x) => (isDark ? [`M${x + margin} ${y + margin}h1v1h-1z`] : [])),
  )
  return (
    <Box
      component="svg"
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      sx={{ display: 'block', width: 220, maxWidth: '100%', bgcolor: '#fff', borderRadius: 1, mb: 1 }}
    >
      <path d={path.join('')} fill="#000" />
    </Box>
  )
}
