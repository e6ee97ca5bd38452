/** What the link of a share shows: one item, to whoever has the link and its password. */
import { Alert, Box, Button, TextField, Typography } from '@mui/material'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useTranslate } from 'react-admin'
import { useParams } from 'react-router'
import { codeOf, messageOf } from '../api/errors.ts'
import { client, type Row } from '../client.ts'
import { toTitle } from '../model/names.ts'
import { toText } from '../model/to-text.ts'
import { Value } from '../panels/value.tsx'
import { VisitorFrame } from './frame.tsx'

type Info = { readonly collection: string; readonly item: string; readonly password: string | null }

/** The session of the visitor stays in the page, beside whoever is logged in here. */
async function openShare(share: string, { collection, item }: Info, password: string): Promise<Row> {
  const { access_token: token } = (await client.shares.authenticate(
    { share, mode: 'json', ...(password !== '' && { password }) },
    { token: null },
  )) as { access_token: string }
  const operation = { method: 'GET', path: '/items/{collection}/{id}' }
  const input = { path: { collection, id: item }, query: { fields: ['*'] } }
  return (await client.request<{ readonly data: Row }>(operation, input, { token })).data
}

/** The password is wrong, or it is right and the rights of the share do not reach the item. */
const refusals: { readonly [code: string]: string } = {
  INVALID_CREDENTIALS: 'app.shares.refused',
  FORBIDDEN: 'app.shares.shows_nothing',
}

export const SharedItem = () => {
  const translate = useTranslate()
  const { share = '' } = useParams()
  const [item, setItem] = useState<Row | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const { data: info, error } = useQuery({
    queryKey: ['share', share],
    queryFn: async () => (await client.shares.readInfo(share, { token: null })) as unknown as Info,
  })
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    if (info === undefined) return
    const password = toText(new FormData(event.currentTarget).get('password'))
    openShare(share, info, password).then(setItem, (reason: unknown) => {
      const told = refusals[codeOf(reason) ?? '']
      setProblem(told === undefined ? messageOf(reason) : translate(told))
    })
  }
  if (error !== null)
    return (
      <VisitorFrame title={translate('app.shares.shared')}>
        <Alert severity="error">{translate('app.shares.invalid')}</Alert>
      </VisitorFrame>
    )
  if (info === undefined) return null
  if (item !== null) return <Shown title={toTitle(info.collection)} item={item} />
  return (
    <VisitorFrame title={translate('app.shares.shared')}>
      <Typography sx={{ mb: 1 }}>{translate('app.shares.open_text')}</Typography>
      <form onSubmit={submit}>
        {info.password !== null && (
          <TextField
            name="password"
            type="password"
            required
            autoFocus
            autoComplete="off"
            label={translate('app.login.password')}
          />
        )}
        {problem !== null && (
          <Alert severity="error" sx={{ mt: 1 }}>
            {problem}
          </Alert>
        )}
        <Button type="submit" variant="contained" fullWidth sx={{ mt: 2 }}>
          {translate('app.shares.open')}
        </Button>
      </form>
    </VisitorFrame>
  )
}

const Shown = ({ title, item }: { readonly title: string; readonly item: Row }) => (
  <VisitorFrame title={title} wide>
    <Box
      component="dl"
      sx={{ display: 'grid', gridTemplateColumns: { xs: '1fr', sm: '12rem 1fr' }, columnGap: 2, m: 0 }}
    >
      {Object.entries(item).map(([field, value]) => (
        <Box key={field} sx={{ display: 'contents' }}>
          <Typography component="dt" variant="body2" sx={{ color: 'text.secondary', overflowWrap: 'anywhere' }}>
            {toTitle(field)}
          </Typography>
          <Box component="dd" sx={{ m: 0, mb: 1.5, minWidth: 0 }}>
            <Value value={value} />
          </Box>
        </Box>
      ))}
    </Box>
  </VisitorFrame>
)
