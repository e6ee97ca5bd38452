import { Button, Stack, Typography } from '@mui/material'
import { Title, useTranslate } from 'react-admin'
import { Link, useLocation } from 'react-router'

/** For addresses that lead nowhere, or to what the user may not see. */
export const NotFound = () => {
  const translate = useTranslate()
  const { pathname } = useLocation()
  return (
    <Stack spacing={2} sx={{ py: 4, maxWidth: '40rem', alignItems: 'flex-start' }}>
      <Title title="app.not_found.title" />
      <Typography component="h2" variant="h5">
        {translate('app.not_found.title')}
      </Typography>
      <Typography sx={{ overflowWrap: 'anywhere' }}>{translate('app.not_found.text', { path: pathname })}</Typography>
      <Button component={Link} to="/" variant="contained">
        {translate('app.menu.home')}
      </Button>
    </Stack>
  )
}
