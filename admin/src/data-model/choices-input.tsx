/** The choices of a field, one a line. */
import { TextField } from '@mui/material'
import { useState } from 'react'
import { useTranslate } from 'react-admin'
import type { Choice } from '../model/model.ts'
import { fromLines, toLines } from './choices.ts'

type Props = {
  readonly choices: unknown
  readonly type: string
  readonly onChange: (choices: readonly Choice[]) => void
}

export const ChoicesInput = ({ choices, type, onChange }: Props) => {
  const translate = useTranslate()
  const [lines, setLines] = useState(toLines(choices))
  return (
    <TextField
      multiline
      minRows={3}
      label={translate('app.model.choices')}
      helperText={translate('app.model.choices_hint')}
      value={lines}
      onChange={({ target }) => {
        setLines(target.value)
        onChange(fromLines(target.value, type, choices))
      }}
    />
  )
}
