/** When a field is hidden, locked or required, and what its values have to meet: by the filter builder. */
import AddIcon from '@mui/icons-material/Add'
import { Box, Button, FormControlLabel, Paper, Switch, TextField, Typography } from '@mui/material'
import { type ReactNode, useId } from 'react'
import { useTranslate } from 'react-admin'
import { FilterEditor } from '../filters/filter-editor.tsx'
import type { Collection, Condition, Model } from '../model/model.ts'

type Place = { readonly model: Model; readonly collection: Collection }

/** `value` is undefined for a rule whose JSON is not valid. */
export type Validation = { readonly rule: object | null | undefined; readonly message: string }

type ValidationProps = Place & { readonly value: Validation; readonly onChange: (value: Validation) => void }

export const ValidationInput = ({ value, onChange, ...place }: ValidationProps) => {
  const translate = useTranslate()
  return (
    <Section title={translate('app.rules.validation')} hint={translate('app.rules.validation_hint')}>
      <FilterEditor {...place} value={value.rule ?? null} onChange={(rule) => onChange({ ...value, rule })} />
      <TextField
        label={translate('app.rules.message')}
        value={value.message}
        onChange={({ target }) => onChange({ ...value, message: target.value })}
      />
    </Section>
  )
}

/** A condition without a rule has JSON that is not valid. */
type ConditionsProps = Place & {
  readonly value: readonly Condition[]
  readonly onChange: (value: readonly Condition[]) => void
}

export const ConditionsInput = ({ value, onChange, ...place }: ConditionsProps) => {
  const translate = useTranslate()
  const replace = (at: number, next: readonly Condition[]): void => onChange(value.toSpliced(at, 1, ...next))
  return (
    <Section title={translate('app.rules.conditions')} hint={translate('app.rules.conditions_hint')}>
      {value.map((each, at) => (
        <ConditionInput
          key={at}
          {...place}
          position={at + 1}
          value={each}
          onChange={(next) => replace(at, next === null ? [] : [next])}
        />
      ))}
      <Button size="small" startIcon={<AddIcon />} onClick={() => onChange([...value, { rule: {} }])}>
        {translate('app.rules.add')}
      </Button>
    </Section>
  )
}

type ConditionProps = Place & {
  readonly position: number
  readonly value: Condition
  readonly onChange: (value: Condition | null) => void
}

const effects = ['hidden', 'readonly', 'required'] as const

const ConditionInput = ({ position, value, onChange, ...place }: ConditionProps) => {
  const translate = useTranslate()
  const name = translate('app.rules.condition', { position })
  const withRule = (rule: object | undefined): void => {
    const { rule: _, ...others } = value
    onChange(rule === undefined ? others : { ...others, rule })
  }
  return (
    <Paper variant="outlined" role="group" aria-label={name} sx={{ p: 1.5, mb: 1 }}>
      <Typography component="h4" variant="subtitle2">
        {name}
      </Typography>
      <FilterEditor {...place} isOwnOnly value={value.rule ?? {}} onChange={withRule} />
      {effects.map((effect) => (
        <FormControlLabel
          key={effect}
          control={
            <Switch
              size="small"
              checked={value[effect] === true}
              onChange={(_, checked) => onChange({ ...value, [effect]: checked })}
            />
          }
          label={translate(`app.model.${effect}`)}
        />
      ))}
      <Button size="small" color="error" onClick={() => onChange(null)}>
        {translate('ra.action.remove')}
      </Button>
    </Paper>
  )
}

type SectionProps = { readonly title: string; readonly hint: string; readonly children: ReactNode }

const Section = ({ title, hint, children }: SectionProps) => {
  const id = useId()
  return (
    <Box component="section" aria-labelledby={id} sx={{ mt: 2 }}>
      <Typography id={id} component="h3" variant="subtitle1" sx={{ fontWeight: 600 }}>
        {title}
      </Typography>
      <Typography variant="body2" sx={{ color: 'text.secondary', mb: 1 }}>
        {hint}
      </Typography>
      {children}
    </Box>
  )
}
