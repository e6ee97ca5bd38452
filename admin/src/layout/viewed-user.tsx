/** Says that the application is seen as another user has it. */
import { Alert, Button } from '@mui/material'
import { useTranslate } from 'react-admin'
import { setViewedUser, viewedUser } from '../access/viewed.ts'
import { applicationUrl } from '../client.ts'

const endView = (): void => {
  setViewedUser(null)
  location.assign(`${applicationUrl.href}explain`)
}

export const ViewedUser = () => {
  const translate = useTranslate()
  const user = viewedUser()
  if (user === null) return null
  return (
    <Alert
      severity="warning"
      action={
        <Button color="inherit" size="small" onClick={endView}>
          {translate('app.view_as.end')}
        </Button>
      }
      sx={{ my: 1 }}
    >
      {translate('app.view_as.shown', { name: user.name })}
    </Alert>
  )
}
