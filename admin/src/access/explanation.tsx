/** The answer to a question about rights: who was asked about, by which rules, and what each of them does. */
import { Box, Button, Card, CardContent, Chip, Stack, Typography } from '@mui/material'
import { useTranslate } from 'react-admin'
import { applicationUrl, type Row } from '../client.ts'
import type { Model } from '../model/model.ts'
import { toFieldLabel } from '../model/texts.ts'
import { toText } from '../model/to-text.ts'
import type { Explained, Explanation, Rule } from './explained.ts'
import { conditionWords, type Here, messageWords } from './explained-words.ts'
import { leveled } from './permission.ts'
import { setViewedUser, type Viewed } from './viewed.ts'

type AnswerProps = { readonly model: Model; readonly answer: Explanation }

export const Answer = ({ model, answer }: AnswerProps) => {
  const translate = useTranslate()
  const { user, roles, policies, levels } = answer
  const here: Here = { model, collection: model.collections.get(answer.collection) ?? null, translate }
  const throughWords = (each: string): string => messageWords(here, each) ?? each
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
        {policies.map(({ id, name, through }) => (
          <Chip key={id} label={`${name} (${through.map(throughWords).join(', ')})`} sx={{ maxWidth: '100%' }} />
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
          {causes.map(({ code, message }, at) => (
            <li key={`${code} ${at}`}>
              <Cause here={here} code={code} message={message} />
            </li>
          ))}
        </ul>
        {rows !== null && (
          <Typography variant="body2">
            {translate('app.explain.rows')}: {conditionWords(here, rows.text)}
          </Typography>
        )}
        {rules.map((rule, at) => (
          <Typography key={at} variant="body2" sx={{ color: 'text.secondary', overflowWrap: 'anywhere' }}>
            {ruleText(here, rule)}
          </Typography>
        ))}
      </CardContent>
    </Card>
  )
}

type CauseProps = { readonly here: Here; readonly code: string; readonly message: string }

const Cause = ({ here, code, message }: CauseProps) => {
  const general = here.translate(`app.cause.${code}`, { _: message })
  const told = messageWords(here, message)
  return (
    <>
      {general}
      {message !== general && (
        <Typography
          variant="body2"
          {...(told === null && { lang: 'en' })}
          sx={{ color: 'text.secondary', overflowWrap: 'anywhere' }}
        >
          {told ?? message}
        </Typography>
      )}
    </>
  )
}

function ruleText(here: Here, { grants, name, fields, rows }: Rule): string {
  const labelOf = (name: string): string => {
    const field = here.collection?.fields.find((each) => each.field === name)
    return field === undefined ? name : toFieldLabel(field)
  }
  const named = fields.includes('*') ? here.translate('app.told.every_field') : fields.map(labelOf).join(', ')
  return `${grants ? '✓' : '✗'} ${messageWords(here, name) ?? name}: ${named} · ${conditionWords(here, rows)}`
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
