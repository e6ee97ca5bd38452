/** Why somebody may, or may not, see or change something. */
import {
  Alert,
  Autocomplete,
  Box,
  Button,
  Card,
  CardContent,
  Chip,
  MenuItem,
  Stack,
  TextField,
  Typography,
} from '@mui/material'
import { type FormEvent, useState } from 'react'
import { Title, useGetList, usePermissions, useTranslate } from 'react-admin'
import { messageOf } from '../api/errors.ts'
import { applicationUrl, client, type Row } from '../client.ts'
import type { Model } from '../model/model.ts'
import { toCollectionChoice } from '../model/texts.ts'
import { toText } from '../model/to-text.ts'
import type { Explanation } from './explained.ts'
import { actions, leveled } from './permission.ts'
import { setViewedUser, type Viewed } from './viewed.ts'

type Question = {
  readonly user: string
  readonly collection: string
  readonly action: string
  readonly item: string
  readonly field: string
}

const ask = async (question: Question): Promise<Explanation> => {
  const query = Object.fromEntries(Object.entries(question).filter(([, value]) => value !== ''))
  const operation = { method: 'GET', path: '/permissions/explain' }
  return (await client.request<{ readonly data: Explanation }>(operation, { query })).data
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
      {answer !== null && <Answer answer={answer} canSeeAs={model.isAdmin} />}
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

type AnswerProps = { readonly answer: Explanation; readonly canSeeAs: boolean }

const Answer = ({ answer, canSeeAs }: AnswerProps) => {
  const translate = useTranslate()
  const { user, roles, policies, levels } = answer
  return (
    <Box component="section" aria-label={translate('app.explain.answer')} sx={{ mt: 2 }}>
      <Typography>
        <strong>{user === null ? translate('app.explain.public') : (user.email ?? '–')}</strong>
        {roles.length > 0 && ` · ${translate('app.explain.roles')}: ${roles.map(({ name }) => name).join(' → ')}`}
      </Typography>
      {canSeeAs && user !== null && (
        <Button size="small" onClick={() => seeAs({ id: user.id, name: user.email ?? user.id })}>
          {translate('app.view_as.begin')}
        </Button>
      )}
      <Stack direction="row" useFlexGap sx={{ flexWrap: 'wrap', gap: 1, my: 1 }}>
        {policies.map(({ id, name, through }) => (
          <Chip key={id} label={`${name} (${through.join(', ')})`} sx={{ maxWidth: '100%' }} />
        ))}
      </Stack>
      {answer.actions.map((each) => (
        <Card key={each.action} sx={{ mb: 1.5 }}>
          <CardContent>
            <Typography component="h2" variant="subtitle1" sx={{ fontWeight: 600 }}>
              {translate(`app.matrix.${each.action}`)}:{' '}
              {translate(each.granted ? 'app.explain.granted' : 'app.explain.refused')}
            </Typography>
            <ul>
              {each.causes.map(({ code, message }, at) => (
                <li key={`${code} ${at}`}>
                  {translate(`app.cause.${code}`, { _: message })}
                  <Typography variant="body2" lang="en" sx={{ color: 'text.secondary', overflowWrap: 'anywhere' }}>
                    {message}
                  </Typography>
                </li>
              ))}
            </ul>
            {each.rows !== null && (
              <Typography variant="body2">
                {translate('app.explain.rows')}: {each.rows.text}
              </Typography>
            )}
            {each.rules.map((rule, at) => (
              <Typography key={at} variant="body2" sx={{ color: 'text.secondary', overflowWrap: 'anywhere' }}>
                {rule.grants ? '✓' : '✗'} {rule.name}: {rule.fields.join(', ')} · {rule.rows}
              </Typography>
            ))}
          </CardContent>
        </Card>
      ))}
      {levels.length > 0 && <Levels levels={levels} />}
    </Box>
  )
}

/** The pages are those of the user from the next load on. */
function seeAs(user: Viewed): void {
  setViewedUser(user)
  location.assign(applicationUrl)
}

/** The levels of version 8 that the roles have for the collection. */
const Levels = ({ levels }: { readonly levels: readonly Row[] }) => {
  const translate = useTranslate()
  const textOf = (level: Row): string =>
    leveled
      .map(
        (action) =>
          `${translate(`app.matrix.${action}`)} ${translate(`app.levels.${toText(level[action] ?? 'none')}`)}`,
      )
      .join(', ')
  return (
    <>
      <Typography variant="subtitle2" component="h2">
        {translate('app.levels.title')}
      </Typography>
      {levels.map((level, at) => (
        <Typography key={at} variant="body2">
          {toText(level['status'] ?? translate('app.levels.every_status'))}: {textOf(level)}
        </Typography>
      ))}
    </>
  )
}
