/** A text as QR code, dark on light in both themes. */
import { Box } from '@mui/material'
import encode from 'qr'

/** Light modules around the code, without which readers do not find it. */
const margin = 4

export const QrCode = ({ text, label }: { readonly text: string; readonly label: string }) => {
  const rows = encode(text, 'raw', { ecc: 'low', border: margin })
  const path = rows.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])))
  return (
    <Box
      component="svg"
      role="img"
      aria-label={label}
      viewBox={`0 0 ${rows.length} ${rows.length}`}
      shapeRendering="crispEdges"
      sx={{ display: 'block', width: 220, maxWidth: '100%', bgcolor: '#fff', borderRadius: 1, mb: 1 }}
    >
      <path d={path.join('')} fill="#000" />
    </Box>
  )
}
