/** What users change of themselves: names, password, second factor. */
import { Box, Button, Card, CardContent, Stack, TextField } from '@mui/material'
import { isApiError } from '@tandem/sdk/current'
import { type FormEvent, useState } from 'react'
import { Title, usePermissions, useTranslate } from 'react-admin'
import { fieldProblems } from '../api/problems.ts'
import { client } from '../client.ts'
import { useModelChange } from '../data-model/use-model-change.ts'
import type { Me, Model } from '../model/model.ts'
import { toText } from '../model/to-text.ts'
import { SecondFactor } from './second-factor.tsx'

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
  const [problems, setProblems] = useState<{ readonly [field: string]: string }>({})
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const given = new FormData(event.currentTarget)
    const password = toText(given.get('password'))
    const body = {
      ...Object.fromEntries(names.map((name) => [name, toText(given.get(name)) || null])),
      ...(password !== '' && { password }),
    }
    setProblems({})
    const fail = (error: unknown): never => {
      if (isApiError(error)) setProblems(fieldProblems(error.body))
      throw error
    }
    void change(() => client.users.updateMe(body).catch(fail))
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
            error={name in problems}
            helperText={problems[name]}
            autoComplete={name === 'email' ? 'email' : 'off'}
          />
        ))}
        <TextField
          name="password"
          type="password"
          autoComplete="new-password"
          label={translate('app.profile.password')}
          error={'password' in problems}
          helperText={problems['password'] ?? translate('app.profile.password_hint')}
        />
        <Button type="submit" variant="contained" sx={{ mt: 1 }}>
          {translate('ra.action.save')}
        </Button>
      </CardContent>
    </Card>
  )
}
