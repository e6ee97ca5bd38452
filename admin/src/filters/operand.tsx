/** What a rule of a filter compares with: one of the choices of the field, or what is typed. */
import { MenuItem, TextField } from '@mui/material'
import { useState } from 'react'
import { useTranslate } from 'react-admin'
import type { Choice } from '../model/model.ts'
import { type Rule, toOperand, toOperandText } from './rules.ts'

/** Operators that compare with a whole value. */
const operatorsWithChoices: ReadonlySet<string> = new Set(['_eq', '_neq'])

type OperandProps = {
  readonly rule: Rule
  readonly type: string
  readonly choices: readonly Choice[]
  readonly arity: 'one' | 'many'
  readonly onChange: (rule: Rule) => void
}

/** Keeps what is typed until it is left, so that `1.` or `a,` are not rewritten under the cursor. */
export const Operand = ({ rule, type, choices, arity, onChange }: OperandProps) => {
  const translate = useTranslate()
  const [text, setText] = useState(toOperandText(rule.value))
  const change = (next: string): void => {
    setText(next)
    onChange({ ...rule, value: toOperand(next, type, arity) })
  }
  const options =
    type === 'boolean'
      ? ['true', 'false'].map((value) => ({ value, text: translate(`ra.boolean.${value}`) }))
      : choices.filter(() => operatorsWithChoices.has(rule.operator))
  const isChosen = text === '' || options.some(({ value }) => String(value) === text)
  if (options.length > 0 && isChosen && arity === 'one') {
    return (
      <TextField
        select
        label={translate('app.filter.value')}
        value={text}
        onChange={({ target }) => change(target.value)}
        sx={{ flex: 2 }}
      >
        {options.map((each) => (
          <MenuItem key={each.value} value={String(each.value)}>
            {each.text}
          </MenuItem>
        ))}
      </TextField>
    )
  }
  return (
    <TextField
      label={translate('app.filter.value')}
      value={text}
      onChange={({ target }) => change(target.value)}
      helperText={arity === 'many' ? translate('app.filter.many') : undefined}
      sx={{ flex: 2, minWidth: '9rem' }}
    />
  )
}
