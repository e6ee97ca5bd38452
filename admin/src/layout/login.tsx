/** Login by password, with the code of a second factor where the user has one, or by a provider. */
import { Alert, Box, Button, Card, CardContent, Divider, MenuItem, Stack, TextField, Typography } from '@mui/material'
import { type FormEvent, useEffect, useState } from 'react'
import { useLogin, useTranslate } from 'react-admin'
import { Link } from 'react-router'
import { expectSession } from '../api/auth-provider.ts'
import { hasDrafts } from '../api/drafts.ts'
import { codeOf } from '../api/errors.ts'
import { sessionHasEnded } from '../api/session-end.ts'
import { toServerUrl } from '../client.ts'
import {
  type Provider,
  problemOf,
  providerProblemOf,
  providerUrl,
  readWays,
  reason,
  usualWays,
  type Ways,
} from './login-ways.ts'

export const LoginPage = () => {
  const translate = useTranslate()
  const [ways, setWays] = useState<Ways>(usualWays)
  useEffect(() => void readWays().then(setWays, () => {}), [])
  const { providers, directories, hasPassword, project } = ways
  const hasForm = hasPassword || directories.length > 0
  return (
    <Box
      component="main"
      sx={{ minHeight: '100vh', display: 'grid', placeItems: 'center', p: 2, bgcolor: 'background.default' }}
    >
      <Card sx={{ width: 'min(24rem, 100%)' }}>
        <CardContent sx={{ p: 4 }}>
          <Stack direction="row" spacing={1.5} sx={{ alignItems: 'center', mb: 3 }}>
            <img src={toServerUrl('docs/icon.svg')} alt="" width={40} height={40} />
            <Typography component="h1" variant="h6" sx={{ overflowWrap: 'anywhere' }}>
              {project}
            </Typography>
          </Stack>
          {sessionHasEnded() && (
            <Alert severity="info" sx={{ mb: 1 }}>
              {translate('app.problem.TOKEN_EXPIRED')} {hasDrafts() && translate('app.login.kept')}
            </Alert>
          )}
          {hasForm && <PasswordForm key={String(hasPassword)} directories={directories} hasPassword={hasPassword} />}
          {hasForm && providers.length > 0 && <Divider sx={{ my: 2 }}>{translate('app.login.or')}</Divider>}
          <Providers providers={providers} />
        </CardContent>
      </Card>
    </Box>
  )
}

/** Links to the pages of providers, and why the last login there failed. */
const Providers = ({ providers }: { readonly providers: readonly Provider[] }) => {
  const translate = useTranslate()
  const [code, setCode] = useState('')
  return (
    <Stack spacing={1}>
      {reason !== null && (
        <Alert severity={reason === 'INVALID_OTP' ? 'info' : 'error'}>{translate(providerProblemOf(reason))}</Alert>
      )}
      {reason === 'INVALID_OTP' && <CodeField value={code} onChange={setCode} />}
      {providers.map(({ name, label }) => (
        <Button key={name} variant="outlined" href={providerUrl(name, code)} onClick={expectSession}>
          {translate('app.login.with', { name: label ?? name })}
        </Button>
      ))}
    </Stack>
  )
}

type CodeInput = { readonly value?: string; readonly onChange?: (code: string) => void }

const CodeField = ({ value, onChange }: CodeInput) => {
  const translate = useTranslate()
  return (
    <TextField
      name="otp"
      autoFocus
      autoComplete="one-time-code"
      slotProps={{ htmlInput: { inputMode: 'numeric' } }}
      label={translate('app.login.code')}
      {...(value !== undefined && { value })}
      {...(onChange !== undefined && { onChange: (event) => onChange(event.target.value.trim()) })}
    />
  )
}

type Accounts = { readonly directories: readonly Provider[]; readonly hasPassword: boolean }

const PasswordForm = ({ directories, hasPassword }: Accounts) => {
  const translate = useTranslate()
  const login = useLogin()
  const [needsCode, setNeedsCode] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const [isSending, setIsSending] = useState(false)
  const [directory, setDirectory] = useState(hasPassword ? '' : (directories[0]?.name ?? ''))
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const given = Object.fromEntries(new FormData(event.currentTarget)) as { readonly [name: string]: string }
    setProblem(null)
    setIsSending(true)
    login(directory === '' ? given : { ...given, provider: directory })
      .catch((error: unknown) => {
        const code = codeOf(error)
        if (code === 'INVALID_OTP') setNeedsCode(true)
        setProblem(code === 'INVALID_OTP' && !given['otp'] ? 'app.login.code_needed' : problemOf(code))
      })
      .finally(() => setIsSending(false))
  }
  return (
    <form onSubmit={submit} noValidate={false}>
      {directories.length > 0 && (
        <AccountsField {...{ directories, hasPassword }} value={directory} onChange={setDirectory} />
      )}
      <TextField
        name="email"
        type={directory === '' ? 'email' : 'text'}
        required
        autoFocus
        autoComplete="username"
        label={translate(directory === '' ? 'app.login.email' : 'app.login.name')}
      />
      <TextField
        name="password"
        type="password"
        required
        autoComplete="current-password"
        label={translate('app.login.password')}
      />
      {needsCode && <CodeField />}
      {problem !== null && (
        <Alert severity={problem === 'app.login.code_needed' ? 'info' : 'error'} sx={{ mt: 1 }}>
          {translate(problem)}
        </Alert>
      )}
      <Button type="submit" variant="contained" fullWidth disabled={isSending} sx={{ mt: 2 }}>
        {translate('app.login.submit')}
      </Button>
      {directory === '' && (
        <Button component={Link} to="/forgot-password" fullWidth sx={{ mt: 1 }}>
          {translate('app.login.forgot')}
        </Button>
      )}
    </form>
  )
}

type AccountsInput = Accounts & { readonly value: string; readonly onChange: (directory: string) => void }

/** Whose accounts the password is of. */
const AccountsField = ({ directories, hasPassword, value, onChange }: AccountsInput) => {
  const translate = useTranslate()
  return (
    <TextField
      select
      label={translate('app.login.accounts')}
      value={value}
      onChange={(event) => onChange(event.target.value)}
    >
      {hasPassword && <MenuItem value="">{translate('app.login.own')}</MenuItem>}
      {directories.map(({ name, label }) => (
        <MenuItem key={name} value={name}>
          {label ?? name}
        </MenuItem>
      ))}
    </TextField>
  )
}
