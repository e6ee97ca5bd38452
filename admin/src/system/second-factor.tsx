/** Turns the one-time codes of an authenticator on and off. */
import { Alert, Box, Button, Card, CardContent, TextField, Typography } from '@mui/material'
import { type FormEvent, type ReactNode, useState } from 'react'
import { useTranslate } from 'react-admin'
import { codeOf, messageOf } from '../api/errors.ts'
import { client } from '../client.ts'
import { useModelChange } from '../data-model/use-model-change.ts'
import type { Me } from '../model/model.ts'
import { toText } from '../model/to-text.ts'
import { QrCode } from './qr-code.tsx'

type Secret = { readonly secret: string; readonly otpauth_url: string }

export const SecondFactor = ({ me }: { readonly me: Me }) => {
  const translate = useTranslate()
  const change = useModelChange()
  const [secret, setSecret] = useState<Secret | null>(null)
  const isOn = me.tfa_secret !== null
  const begin = async (password: string): Promise<void> => setSecret(await client.users.createTfaSecret({ password }))
  const finish = async (typed: string): Promise<void> => {
    const otp = typed.trim()
    if (isOn) await client.users.disableTfa({ otp })
    else await client.users.enableTfa({ secret: secret?.secret, otp } as never)
    setSecret(null)
    await change(() => Promise.resolve())
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
          <OneField
            key="begin"
            type="password"
            name="current"
            label="app.profile.current"
            submit="app.profile.begin"
            refusals={{ INVALID_CREDENTIALS: 'app.profile.wrong_password' }}
            onSubmit={begin}
          />
        ) : (
          <OneField
            key={isOn ? 'off' : 'on'}
            name="otp"
            label="app.login.code"
            submit={isOn ? 'app.profile.turn_off' : 'app.profile.turn_on'}
            refusals={{ INVALID_OTP: 'app.login.code_wrong', INVALID_PAYLOAD: 'app.login.code_wrong' }}
            onSubmit={finish}
          >
            {secret !== null && <SecretToScan {...secret} />}
          </OneField>
        )}
      </CardContent>
    </Card>
  )
}

const SecretToScan = ({ secret, otpauth_url: url }: Secret) => {
  const translate = useTranslate()
  return (
    <Box sx={{ mb: 1 }}>
      <Typography sx={{ mb: 1 }}>{translate('app.profile.hint')}</Typography>
      <QrCode text={url} label={translate('app.profile.picture')} />
      <Typography sx={{ overflowWrap: 'anywhere' }}>
        {translate('app.profile.secret')}: <code>{secret}</code> <a href={url}>{translate('app.profile.open')}</a>
      </Typography>
    </Box>
  )
}

type OneFieldProps = {
  readonly name: 'current' | 'otp'
  readonly type?: string
  readonly label: string
  readonly submit: string
  /** Code of an error → what it means here. */
  readonly refusals: { readonly [code: string]: string }
  readonly onSubmit: (value: string) => Promise<void>
  /** Shown before the field. */
  readonly children?: ReactNode
}

/** A form with one field, which says what is wrong with it. */
const OneField = ({ name, type = 'text', label, submit, refusals, onSubmit, children }: OneFieldProps) => {
  const translate = useTranslate()
  const [problem, setProblem] = useState<string | null>(null)
  const send = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    setProblem(null)
    onSubmit(toText(new FormData(event.currentTarget).get(name))).catch((error: unknown) => {
      const told = refusals[codeOf(error) ?? '']
      setProblem(told === undefined ? messageOf(error) : translate(told))
    })
  }
  return (
    <form onSubmit={send}>
      {children}
      <TextField
        name={name}
        type={type}
        required
        autoFocus={Boolean(children)}
        autoComplete={name === 'otp' ? 'one-time-code' : 'current-password'}
        label={translate(label)}
        error={problem !== null}
        helperText={problem}
        {...(name === 'otp' && { slotProps: { htmlInput: { inputMode: 'numeric' } } })}
      />
      <Button type="submit" variant="outlined">
        {translate(submit)}
      </Button>
    </form>
  )
}
