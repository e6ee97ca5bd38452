/** JSON as text, checked while it is typed. */
import { TextField } from '@mui/material'
import { useState } from 'react'
import { useInput, useTranslate } from 'react-admin'
import { useFormContext } from 'react-hook-form'
import { withMarks, withoutMarks } from '../../model/exact-numbers.ts'
import type { Common } from '../common.ts'
import { toProblem } from '../problem.ts'

const toJson = (value: unknown): string =>
  value === null || value === undefined ? '' : withoutMarks(JSON.stringify(value, null, 2))

/** The value of a text, null for none; undefined: not valid. */
function parse(text: string): unknown {
  try {
    return text.trim() === '' ? null : JSON.parse(withMarks(text))
  } catch {
    return undefined
  }
}

export const JsonInput = ({ label, helperText, readOnly, source, validate, placeholder }: Common) => {
  const translate = useTranslate()
  const [draft, setDraft] = useState<{ readonly text: string; readonly value: unknown } | null>(null)
  const { clearErrors } = useFormContext()
  const isWrong = draft !== null && draft.value === undefined
  const isValid = (): string | undefined => (isWrong ? 'app.json.invalid' : undefined)
  const { field, fieldState, id, isRequired } = useInput({
    source,
    validate: [...validate, isValid],
    format: (value: unknown) => value ?? null,
  })
  const change = (text: string): void => {
    const value = parse(text)
    setDraft({ text, value })
    clearErrors(source)
    if (value !== undefined) field.onChange(value)
  }
  // The text stays as it was typed: laid out anew when it is left, it would move what the mouse is about to click.
  const isTyped = isWrong || (draft !== null && toJson(draft.value) === toJson(field.value))
  const error = isWrong ? 'app.json.invalid' : fieldState.error?.message
  return (
    <TextField
      id={id}
      name={field.name}
      inputRef={field.ref}
      label={label}
      placeholder={placeholder}
      multiline
      minRows={3}
      maxRows={30}
      required={isRequired}
      value={isTyped && draft !== null ? draft.text : toJson(field.value)}
      onChange={({ target }) => change(target.value)}
      onBlur={field.onBlur}
      error={isWrong || fieldState.invalid}
      helperText={error === undefined ? helperText || undefined : toProblem(error, translate)}
      slotProps={{ htmlInput: { readOnly, spellCheck: false, style: { fontFamily: 'monospace' } } }}
    />
  )
}
