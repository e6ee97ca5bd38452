/** Login by password, with the code of a second factor where the user has one, or by a provider. */
import { Alert, Box, Button, Card, CardContent, Divider, Stack, TextField, Typography } from '@mui/material'
import { type FormEvent, useEffect, useState } from 'react'
import { useLogin, useTranslate } from 'react-admin'
import { expectSession } from '../api/auth-provider.ts'
import { codeOf } from '../api/errors.ts'
import { applicationUrl, client, toServerUrl } from '../client.ts'

type Provider = { readonly name: string; readonly label?: string | null }

type Ways = { readonly providers: readonly Provider[]; readonly hasPassword: boolean; readonly project: string }

async function readWays(): Promise<Ways> {
  const [answer, info] = await Promise.all([
    client.request<{ data?: readonly Provider[]; disableDefault?: boolean }>({ method: 'GET', path: '/auth' }),
    client.server.readInfo() as Promise<{ project?: { project_name?: string } }>,
  ])
  return {
    providers: answer.data ?? [],
    hasPassword: answer.disableDefault !== true,
    project: info.project?.project_name ?? 'Tandem',
  }
}

export const LoginPage = () => {
  const translate = useTranslate()
  const [ways, setWays] = useState<Ways>({ providers: [], hasPassword: true, project: 'Tandem' })
  useEffect(() => void readWays().then(setWays, () => {}), [])
  const { providers, hasPassword, project } = ways
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
          {hasPassword && <PasswordForm />}
          {hasPassword && providers.length > 0 && <Divider sx={{ my: 2 }}>{translate('app.login.or')}</Divider>}
          <Stack spacing={1}>
            {providers.map(({ name, label }) => (
              <Button key={name} variant="outlined" href={providerUrl(name)} onClick={expectSession}>
                {translate('app.login.with', { name: label ?? name })}
              </Button>
            ))}
          </Stack>
        </CardContent>
      </Card>
    </Box>
  )
}

const providerUrl = (name: string): string => {
  const url = new URL(toServerUrl(`auth/login/${encodeURIComponent(name)}`))
  url.searchParams.set('redirect', applicationUrl.href)
  return url.href
}

const PasswordForm = () => {
  const translate = useTranslate()
  const login = useLogin()
  const [needsCode, setNeedsCode] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const [isSending, setIsSending] = useState(false)
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const given = Object.fromEntries(new FormData(event.currentTarget)) as { readonly [name: string]: string }
    setProblem(null)
    setIsSending(true)
    login(given)
      .catch((error: unknown) => {
        const code = codeOf(error)
        if (code === 'INVALID_OTP') setNeedsCode(true)
        setProblem(code === 'INVALID_OTP' && !given['otp'] ? 'app.login.code_needed' : problemOf(code))
      })
      .finally(() => setIsSending(false))
  }
  return (
    <form onSubmit={submit} noValidate={false}>
      <TextField
        name="email"
        type="email"
        required
        autoFocus
        autoComplete="username"
        label={translate('app.login.email')}
      />
      <TextField
        name="password"
        type="password"
        required
        autoComplete="current-password"
        label={translate('app.login.password')}
      />
      {needsCode && (
        <TextField
          name="otp"
          autoFocus
          autoComplete="one-time-code"
          slotProps={{ htmlInput: { inputMode: 'numeric' } }}
          label={translate('app.login.code')}
        />
      )}
      {problem !== null && (
        <Alert severity={problem === 'app.login.code_needed' ? 'info' : 'error'} sx={{ mt: 1 }}>
          {translate(problem)}
        </Alert>
      )}
      <Button type="submit" variant="contained" fullWidth disabled={isSending} sx={{ mt: 2 }}>
        {translate('app.login.submit')}
      </Button>
    </form>
  )
}

const problems: { readonly [code: string]: string } = {
  INVALID_CREDENTIALS: 'app.login.wrong',
  INVALID_OTP: 'app.login.code_wrong',
  REQUESTS_EXCEEDED: 'app.login.too_many',
  USER_SUSPENDED: 'app.login.suspended',
}

const problemOf = (code: string | null): string => problems[code ?? ''] ?? 'app.login.failed'
