/** Where the links of mails lead: an invitation that is accepted, or a forgotten password, with a new password. */
import { Alert, Button, TextField, Typography } from '@mui/material'
import { type FormEvent, useState } from 'react'
import { useTranslate } from 'react-admin'
import { Link, useSearchParams } from 'react-router'
import { messageOf } from '../api/errors.ts'
import { client } from '../client.ts'
import { toText } from '../model/to-text.ts'
import { VisitorFrame } from './frame.tsx'

type Props = { readonly kind: 'reset' | 'invite' }

const NewPassword = ({ kind }: Props) => {
  const translate = useTranslate()
  const [params] = useSearchParams()
  const token = params.get('token')
  const [isDone, setIsDone] = useState(false)
  const [problem, setProblem] = useState<string | null>(token === null ? translate('app.password.no_token') : null)
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const password = toText(new FormData(event.currentTarget).get('password'))
    const body = { token: token ?? '', password }
    const work = kind === 'reset' ? client.auth.resetPassword(body) : client.users.acceptInvite(body)
    work.then(
      () => setIsDone(true),
      (error: unknown) => setProblem(messageOf(error)),
    )
  }
  return (
    <VisitorFrame title={translate(`app.password.${kind}`)}>
      {isDone ? (
        <>
          <Alert severity="success">{translate('app.password.done')}</Alert>
          <Button component={Link} to="/login" variant="contained" fullWidth sx={{ mt: 2 }}>
            {translate('app.login.submit')}
          </Button>
        </>
      ) : (
        <form onSubmit={submit}>
          <Typography sx={{ mb: 1 }}>{translate(`app.password.${kind}_text`)}</Typography>
          <TextField
            name="password"
            type="password"
            required
            autoComplete="new-password"
            label={translate('app.profile.password')}
          />
          {problem !== null && (
            <Alert severity="error" sx={{ mt: 1 }}>
              {problem}
            </Alert>
          )}
          <Button type="submit" variant="contained" fullWidth disabled={token === null} sx={{ mt: 2 }}>
            {translate('app.password.set')}
          </Button>
        </form>
      )}
    </VisitorFrame>
  )
}

export const ResetPassword = () => <NewPassword kind="reset" />

export const AcceptInvite = () => <NewPassword kind="invite" />
