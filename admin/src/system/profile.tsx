/** What users change of themselves: names, password, second factor. */
import { Alert, Box, Button, Card, CardContent, Stack, TextField, Typography } from '@mui/material'
import { type FormEvent, useState } from 'react'
import { Title, useNotify, usePermissions, useTranslate } from 'react-admin'
import { messageOf } from '../api/errors.ts'
import { client } from '../client.ts'
import { useModelChange } from '../data-model/use-model-change.ts'
import type { Me, Model } from '../model/model.ts'
import { toText } from '../model/to-text.ts'

export const ProfilePage = () => {
  const { permissions: model } = usePermissions<Model>()
  if (model === undefined) return null
  return (
    <Box sx={{ py: 2, maxWidth: '40rem' }}>
      <Title title="app.menu.profile" />
      <Stack spacing={2}>
        <Names me={model.me} />
        <SecondFactor me={model.me} />
      </Stack>
    </Box>
  )
}

const names = ['first_name', 'last_name', 'email'] as const

const Names = ({ me }: { readonly me: Me }) => {
  const translate = useTranslate()
  const change = useModelChange()
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const given = new FormData(event.currentTarget)
    const password = toText(given.get('password'))
    const body = {
      ...Object.fromEntries(names.map((name) => [name, toText(given.get(name)) || null])),
      ...(password !== '' && { password }),
    }
    void change(() => client.users.updateMe(body))
  }
  return (
    <Card component="form" onSubmit={submit}>
      <CardContent>
        {names.map((name) => (
          <TextField
            key={name}
            name={name}
            label={translate(`app.profile.${name}`)}
            defaultValue={me[name] ?? ''}
            autoComplete={name === 'email' ? 'email' : 'off'}
          />
        ))}
        <TextField
          name="password"
          type="password"
          autoComplete="new-password"
          label={translate('app.profile.password')}
          helperText={translate('app.profile.password_hint')}
        />
        <Button type="submit" variant="contained" sx={{ mt: 1 }}>
          {translate('ra.action.save')}
        </Button>
      </CardContent>
    </Card>
  )
}

type Secret = { readonly secret: string; readonly otpauth_url: string }

const SecondFactor = ({ me }: { readonly me: Me }) => {
  const translate = useTranslate()
  const notify = useNotify()
  const change = useModelChange()
  const [secret, setSecret] = useState<Secret | null>(null)
  const isOn = me.tfa_secret !== null
  const begin = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const password = toText(new FormData(event.currentTarget).get('current'))
    client.users.createTfaSecret({ password }).then(
      (made) => setSecret(made as unknown as Secret),
      (error: unknown) => notify(messageOf(error), { type: 'error' }),
    )
  }
  const finish = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const otp = toText(new FormData(event.currentTarget).get('otp'))
    const body = isOn ? { otp } : { secret: secret?.secret, otp }
    const work = () => (isOn ? client.users.disableTfa(body) : client.users.enableTfa(body as never))
    void change(work).then((isDone) => isDone && setSecret(null))
  }
  return (
    <Card>
      <CardContent>
        <Typography component="h2" variant="h6">
          {translate('app.profile.second_factor')}
        </Typography>
        <Alert severity={isOn ? 'success' : 'info'} sx={{ my: 1 }}>
          {translate(isOn ? 'app.profile.is_on' : 'app.profile.is_off')}
        </Alert>
        {!isOn && secret === null ? (
          <form onSubmit={begin}>
            <TextField
              name="current"
              type="password"
              required
              autoComplete="current-password"
              label={translate('app.profile.current')}
            />
            <Button type="submit" variant="outlined">
              {translate('app.profile.begin')}
            </Button>
          </form>
        ) : (
          <form onSubmit={finish}>
            {secret !== null && (
              <Typography sx={{ overflowWrap: 'anywhere', mb: 1 }}>
                {translate('app.profile.secret')}: <code>{secret.secret}</code>{' '}
                <a href={secret.otpauth_url}>{translate('app.profile.open')}</a>
              </Typography>
            )}
            <TextField
              name="otp"
              required
              autoComplete="one-time-code"
              label={translate('app.login.code')}
              slotProps={{ htmlInput: { inputMode: 'numeric' } }}
            />
            <Button type="submit" variant="outlined">
              {translate(isOn ? 'app.profile.turn_off' : 'app.profile.turn_on')}
            </Button>
          </form>
        )}
      </CardContent>
    </Card>
  )
}
