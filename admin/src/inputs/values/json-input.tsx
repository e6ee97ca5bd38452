/** JSON as text, checked while it is typed. */
import { TextField } from '@mui/material'
import { useState } from 'react'
import { useInput, useTranslate } from 'react-admin'
import { useFormContext } from 'react-hook-form'
import type { Common } from '../common.ts'
import { toProblem } from '../problem.ts'

const toJson = (value: unknown): string => (value === null || value === undefined ? '' : JSON.stringify(value, null, 2))

function isJson(text: string): boolean {
  if (text.trim() === '') return true
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

export const JsonInput = ({ label, helperText, readOnly, source, validate, placeholder }: Common) => {
  const translate = useTranslate()
  const [draft, setDraft] = useState<string | null>(null)
  const { clearErrors } = useFormContext()
  const isValid = (): string | undefined => (draft !== null && !isJson(draft) ? 'app.json.invalid' : undefined)
  const { field, fieldState, id, isRequired } = useInput({
    source,
    validate: [...validate, isValid],
    format: (value: unknown) => value ?? null,
  })
  const change = (text: string): void => {
    setDraft(text)
    clearErrors(source)
    if (isJson(text)) field.onChange(text.trim() === '' ? null : JSON.parse(text))
  }
  const isWrong = draft !== null && !isJson(draft)
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
      value={draft ?? toJson(field.value)}
      onChange={({ target }) => change(target.value)}
      onBlur={() => {
        if (!isWrong) setDraft(null)
        field.onBlur()
      }}
      error={isWrong || fieldState.invalid}
      helperText={error === undefined ? helperText || undefined : toProblem(error, translate)}
      slotProps={{ htmlInput: { readOnly, spellCheck: false, style: { fontFamily: 'monospace' } } }}
    />
  )
}
