/** Asks for the mail with the link to a new password. */
import { Alert, Button, TextField, Typography } from '@mui/material'
import { type FormEvent, useState } from 'react'
import { useTranslate } from 'react-admin'
import { Link } from 'react-router'
import { messageOf } from '../api/errors.ts'
import { client } from '../client.ts'
import { toText } from '../model/to-text.ts'
import { VisitorFrame } from './frame.tsx'

export const ForgotPassword = () => {
  const translate = useTranslate()
  const [isDone, setIsDone] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const email = toText(new FormData(event.currentTarget).get('email'))
    client.auth.requestPasswordReset({ email }).then(
      () => setIsDone(true),
      (error: unknown) => setProblem(messageOf(error)),
    )
  }
  return (
    <VisitorFrame title={translate('app.password.reset')}>
      {isDone ? (
        <Alert severity="success">{translate('app.password.sent')}</Alert>
      ) : (
        <form onSubmit={submit}>
          <Typography sx={{ mb: 1 }}>{translate('app.password.forgot_text')}</Typography>
          <TextField
            name="email"
            type="email"
            required
            autoFocus
            autoComplete="username"
            label={translate('app.login.email')}
          />
          {problem !== null && (
            <Alert severity="error" sx={{ mt: 1 }}>
              {problem}
            </Alert>
          )}
          <Button type="submit" variant="contained" fullWidth sx={{ mt: 2 }}>
            {translate('app.password.send')}
          </Button>
        </form>
      )}
      <Button component={Link} to="/login" fullWidth sx={{ mt: 1 }}>
        {translate('app.password.back')}
      </Button>
    </VisitorFrame>
  )
}
