/** The answer to a question about rights: who was asked about, by which rules, and what each of them does. */
import { Box, Button, Card, CardContent, Chip, Stack, Typography } from '@mui/material'
import { useTranslate } from 'react-admin'
import { applicationUrl, type Row } from '../client.ts'
import type { Model } from '../model/model.ts'
import { toText } from '../model/to-text.ts'
import type { Cause, Explained, Explanation } from './explained.ts'
import { causeWords, fieldsWords, type Here, holderWords, itemsWords, ruleWords } from './explained-words.ts'
import { leveled } from './permission.ts'
import { setViewedUser, type Viewed } from './viewed.ts'

type AnswerProps = { readonly model: Model; readonly answer: Explanation }

export const Answer = ({ model, answer }: AnswerProps) => {
  const translate = useTranslate()
  const { user, roles, policies, levels } = answer
  const here: Here = { model, collection: model.collections.get(answer.collection) ?? null, translate }
  return (
    <Box component="section" aria-label={translate('app.explain.answer')} sx={{ mt: 2 }}>
      <Typography>
        <strong>{user === null ? translate('app.explain.public') : (user.email ?? '–')}</strong>
        {roles.length > 0 && ` · ${translate('app.explain.roles')}: ${roles.map(({ name }) => name).join(' → ')}`}
      </Typography>
      {model.isAdmin && user !== null && (
        <Button size="small" onClick={() => seeAs({ id: user.id, name: user.email ?? user.id })}>
          {translate('app.view_as.begin')}
        </Button>
      )}
      <Stack direction="row" useFlexGap sx={{ flexWrap: 'wrap', gap: 1, my: 1 }}>
        {policies.map(({ id, name, holders }) => (
          <Chip
            key={id}
            label={`${name} (${holders.map((each) => holderWords(here, each)).join(', ')})`}
            sx={{ maxWidth: '100%' }}
          />
        ))}
      </Stack>
      {answer.actions.map((each) => (
        <ActionCard key={each.action} here={here} explained={each} />
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

type ActionProps = { readonly here: Here; readonly explained: Explained }

const ActionCard = ({ here, explained }: ActionProps) => {
  const { translate } = here
  const { action, granted, causes, rows, rules } = explained
  return (
    <Card sx={{ mb: 1.5 }}>
      <CardContent>
        <Typography component="h2" variant="subtitle1" sx={{ fontWeight: 600 }}>
          {translate(`app.matrix.${action}`)}: {translate(granted ? 'app.explain.granted' : 'app.explain.refused')}
        </Typography>
        <ul>
          {causes.map((cause, at) => (
            <li key={`${cause.code} ${at}`}>
              <CauseText here={here} cause={cause} />
            </li>
          ))}
        </ul>
        {rows !== null && (
          <Typography variant="body2">
            {translate('app.explain.rows')}: {itemsWords(here, action, rows)}
          </Typography>
        )}
        {rules.map((rule, at) => (
          <Typography key={at} variant="body2" sx={{ color: 'text.secondary', overflowWrap: 'anywhere' }}>
            {rule.grants ? '✓' : '✗'} {ruleWords(here, rule)}: {fieldsWords(here, rule.fields)} ·{' '}
            {itemsWords(here, action, { text: rule.rows, filter: rule.filter })}
          </Typography>
        ))}
      </CardContent>
    </Card>
  )
}

type CauseProps = { readonly here: Here; readonly cause: Cause }

const CauseText = ({ here, cause }: CauseProps) => {
  const { code, message } = cause
  const general = here.translate(`app.cause.${code}`, { _: message })
  const words = causeWords(here, cause)
  return (
    <>
      {general}
      {message !== general && (
        <Typography
          variant="body2"
          {...(words === message && { lang: 'en' })}
          sx={{ color: 'text.secondary', overflowWrap: 'anywhere' }}
        >
          {words}
        </Typography>
      )}
    </>
  )
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
