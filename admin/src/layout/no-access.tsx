import { Box, Typography } from '@mui/material'
import { Title, useTranslate } from 'react-admin'

/** For users without a policy that lets them into the application. */
export const NoAccess = () => {
  const translate = useTranslate()
  return (
    <Box sx={{ py: 4, maxWidth: '40rem' }}>
      <Title title="app.no_access.title" />
      <Typography component="h2" variant="h5" gutterBottom>
        {translate('app.no_access.title')}
      </Typography>
      <Typography>{translate('app.no_access.text')}</Typography>
    </Box>
  )
}
