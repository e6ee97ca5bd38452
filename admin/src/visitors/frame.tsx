/** The frame of pages that need no login: a card in the middle of the window. */
import { Box, Card, CardContent, Stack, Typography } from '@mui/material'
import type { ReactNode } from 'react'
import { toServerUrl } from '../client.ts'

type Props = { readonly title: string; readonly wide?: boolean; readonly children: ReactNode }

export const VisitorFrame = ({ title, wide = false, children }: Props) => (
  <Box
    component="main"
    sx={{ minHeight: '100vh', display: 'grid', placeItems: 'center', p: 2, bgcolor: 'background.default' }}
  >
    <Card sx={{ width: wide ? 'min(60rem, 100%)' : 'min(24rem, 100%)', minWidth: 0 }}>
      <CardContent sx={{ p: { xs: 2, sm: 4 } }}>
        <Stack direction="row" spacing={1.5} sx={{ alignItems: 'center', mb: 2 }}>
          <img src={toServerUrl('docs/icon.svg')} alt="" width={40} height={40} />
          <Typography component="h1" variant="h6" sx={{ overflowWrap: 'anywhere' }}>
            {title}
          </Typography>
        </Stack>
        {children}
      </CardContent>
    </Card>
  </Box>
)
