/** Why somebody may, or may not, see or change something. */
import { Alert, Autocomplete, Box, Button, Card, CardContent, MenuItem, TextField, Typography } from '@mui/material'
import { type FormEvent, useState } from 'react'
import { Title, useGetList, usePermissions, useTranslate } from 'react-admin'
import { messageOf } from '../api/errors.ts'
import { client, type Row } from '../client.ts'
import type { Model } from '../model/model.ts'
import { toCollectionChoice } from '../model/texts.ts'
import { toText } from '../model/to-text.ts'
import type { Explanation } from './explained.ts'
import { Answer } from './explanation.tsx'
import { actions } from './permission.ts'

type Question = {
  readonly user: string
  readonly collection: string
  readonly action: string
  readonly item: string
  readonly field: string
}

const ask = async (question: Question): Promise<Explanation> => {
  const filled = Object.entries(question).filter(([, value]) => value !== '')
  return client.permissions.explain(Object.fromEntries(filled) as { collection: string })
}

export const ExplainPage = () => {
  const translate = useTranslate()
  const { permissions: model } = usePermissions<Model>()
  const [question, setQuestion] = useState<Question>({ user: '', collection: '', action: '', item: '', field: '' })
  const [answer, setAnswer] = useState<Explanation | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  if (model === undefined) return null
  const set = (next: Partial<Question>): void => setQuestion({ ...question, ...next })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    setProblem(null)
    ask(question).then(setAnswer, (error: unknown) => {
      setAnswer(null)
      setProblem(messageOf(error))
    })
  }
  const fields = model.collections.get(question.collection)?.fields ?? []
  return (
    <Box sx={{ py: 2, maxWidth: '60rem' }}>
      <Title title="app.menu.explain" />
      <Card>
        <CardContent component="form" onSubmit={submit}>
          <Typography sx={{ mb: 1 }}>{translate('app.explain.intro')}</Typography>
          <Box sx={{ display: 'grid', columnGap: 2, gridTemplateColumns: { md: '1fr 1fr' } }}>
            {model.isAdmin && <UserChoice onChange={(user) => set({ user })} />}
            <Autocomplete
              options={[...model.collections.values()].filter(({ isFolder }) => !isFolder)}
              getOptionLabel={toCollectionChoice}
              onChange={(_, collection) => set({ collection: collection?.name ?? '', field: '' })}
              renderInput={(params) => <TextField {...params} required label={translate('app.matrix.collection')} />}
            />
            <TextField
              select
              label={translate('app.explain.action')}
              value={question.action}
              onChange={({ target }) => set({ action: target.value })}
            >
              <MenuItem value="">{translate('app.explain.every')}</MenuItem>
              {actions.map((each) => (
                <MenuItem key={each} value={each}>
                  {translate(`app.matrix.${each}`)}
                </MenuItem>
              ))}
            </TextField>
            <TextField
              label={translate('app.explain.item')}
              value={question.item}
              onChange={({ target }) => set({ item: target.value })}
            />
            <Autocomplete
              options={fields.map(({ field }) => field)}
              value={question.field === '' ? null : question.field}
              onChange={(_, field) => set({ field: field ?? '' })}
              renderInput={(params) => <TextField {...params} label={translate('app.explain.field')} />}
            />
          </Box>
          <Button type="submit" variant="contained" sx={{ mt: 1 }} disabled={question.collection === ''}>
            {translate('app.explain.ask')}
          </Button>
        </CardContent>
      </Card>
      {problem !== null && (
        <Alert severity="error" sx={{ mt: 2 }}>
          {problem}
        </Alert>
      )}
      {answer !== null && <Answer model={model} answer={answer} />}
    </Box>
  )
}

const UserChoice = ({ onChange }: { readonly onChange: (user: string) => void }) => {
  const translate = useTranslate()
  const [text, setText] = useState('')
  const { data = [] } = useGetList('system/users', {
    filter: { q: text },
    pagination: { page: 1, perPage: 20 },
    sort: { field: 'email', order: 'ASC' },
    meta: { fields: ['id', 'email'] },
  })
  const options = [
    { id: 'public', email: translate('app.explain.public') },
    ...(data as readonly Row[]),
  ] as readonly Row[]
  return (
    <Autocomplete
      options={options}
      filterOptions={(all) => all}
      getOptionKey={(user) => toText(user['id'])}
      getOptionLabel={(user) => toText(user['email'] ?? user['id'])}
      onInputChange={(_, next, reason) => setText(reason === 'input' ? next : '')}
      onChange={(_, user) => onChange(user === null ? '' : toText(user['id']))}
      renderInput={(params) => (
        <TextField {...params} label={translate('app.explain.who')} helperText={translate('app.explain.who_hint')} />
      )}
    />
  )
}
