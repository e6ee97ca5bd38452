/** The form of a new share: who it is for, and what limits it. */
import { Box, Button, MenuItem, TextField, Typography } from '@mui/material'
import { type FormEvent, useState } from 'react'
import { useGetList, useNotify, useTranslate } from 'react-admin'
import { messageOf } from '../api/errors.ts'
import { client } from '../client.ts'
import { mayRead } from '../layout/may-read.ts'
import type { Model } from '../model/model.ts'
import { toText } from '../model/to-text.ts'

type Props = {
  readonly model: Model
  readonly collection: string
  readonly item: string
  readonly onMade: () => void
}

const toMoment = (text: string): string | null => (text === '' ? null : new Date(text).toISOString())

export const NewShare = ({ model, collection, item, onMade }: Props) => {
  const translate = useTranslate()
  const notify = useNotify()
  const [role, setRole] = useState('')
  const { data: roles = [] } = useGetList(
    'system/roles',
    {
      pagination: { page: 1, perPage: 200 },
      sort: { field: 'name', order: 'ASC' },
      filter: {},
      meta: { fields: ['id', 'name'] },
    },
    { enabled: mayRead(model, 'roles') },
  )
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const form = event.currentTarget
    const given = new FormData(form)
    const text = (name: string): string => toText(given.get(name)).trim()
    client.shares
      .create({
        collection,
        item,
        name: text('name') || null,
        password: text('password') || null,
        role: role || null,
        date_start: toMoment(text('start')),
        date_end: toMoment(text('end')),
        max_uses: text('uses') === '' ? null : Number(text('uses')),
      })
      .then(
        () => {
          form.reset()
          onMade()
        },
        (error: unknown) => notify(messageOf(error), { type: 'error', multiLine: true }),
      )
  }
  const moment = { inputLabel: { shrink: true } }
  return (
    <Box component="section" aria-labelledby="new-share" sx={{ mt: 2 }}>
      <Typography id="new-share" component="h3" variant="subtitle1" sx={{ fontWeight: 600 }}>
        {translate('app.shares.new')}
      </Typography>
      <Box
        component="form"
        onSubmit={submit}
        sx={{ display: 'grid', columnGap: 1, gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr' } }}
      >
        <TextField name="name" label={translate('app.shares.name')} slotProps={{ htmlInput: { maxLength: 255 } }} />
        <TextField
          name="password"
          type="password"
          label={translate('app.login.password')}
          slotProps={{ htmlInput: { autoComplete: 'new-password' } }}
        />
        <TextField name="start" type="datetime-local" label={translate('app.shares.date_start')} slotProps={moment} />
        <TextField name="end" type="datetime-local" label={translate('app.shares.date_end')} slotProps={moment} />
        <TextField
          name="uses"
          type="number"
          label={translate('app.shares.max_uses')}
          slotProps={{ htmlInput: { min: 1, step: 1 } }}
        />
        {mayRead(model, 'roles') && (
          <TextField
            select
            label={translate('app.shares.role')}
            helperText={translate('app.shares.role_hint')}
            value={role}
            onChange={({ target }) => setRole(target.value)}
          >
            <MenuItem value="">{translate('app.shares.public')}</MenuItem>
            {roles.map(({ id, name }) => (
              <MenuItem key={id} value={String(id)}>
                {toText(name)}
              </MenuItem>
            ))}
          </TextField>
        )}
        <Box sx={{ gridColumn: '1 / -1' }}>
          <Button type="submit" variant="outlined">
            {translate('app.shares.create')}
          </Button>
        </Box>
      </Box>
    </Box>
  )
}
