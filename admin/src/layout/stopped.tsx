/** Says that the server does not answer, or not as it should, in place of all pages. */
import { Alert, Box, Button, Card, CardContent, Typography } from '@mui/material'
import { useTranslate } from 'react-admin'
import { hasDrafts } from '../api/drafts.ts'
import { messageOf } from '../api/errors.ts'

export const Stopped = ({ problem }: { readonly problem: unknown }) => {
  const translate = useTranslate()
  return (
    <Box component="main" sx={{ minHeight: '100vh', display: 'grid', placeItems: 'center', p: 2 }}>
      <Card sx={{ width: 'min(32rem, 100%)' }}>
        <CardContent sx={{ p: 4, display: 'grid', gap: 2 }}>
          <Typography component="h1" variant="h6">
            {translate('app.stopped.title')}
          </Typography>
          <Alert severity="error">{messageOf(problem)}</Alert>
          {hasDrafts() && <Typography>{translate('app.login.kept')}</Typography>}
          <Button variant="contained" onClick={() => location.reload()} sx={{ justifySelf: 'start' }}>
            {translate('app.stopped.again')}
          </Button>
        </CardContent>
      </Card>
    </Box>
  )
}
