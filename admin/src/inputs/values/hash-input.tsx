/** A value that is stored hashed or hidden: it is never shown, and only sent when it is typed anew. */
import { TextField } from '@mui/material'
import { useInput, useTranslate } from 'react-admin'
import type { Common } from '../common.ts'
import { toProblem } from '../problem.ts'

export const HashInput = ({ label, helperText, readOnly, source, validate }: Common) => {
  const translate = useTranslate()
  const { field, fieldState, id, isRequired } = useInput({
    source,
    validate,
    format: (value: unknown) => value ?? null,
  })
  const hasStored = typeof field.value === 'string' && field.value !== '' && !fieldState.isDirty
  const error = fieldState.error?.message
  return (
    <TextField
      id={id}
      name={field.name}
      inputRef={field.ref}
      type="password"
      autoComplete="new-password"
      label={label}
      required={isRequired}
      value={fieldState.isDirty ? (field.value ?? '') : ''}
      onChange={({ target }) => field.onChange(target.value === '' ? undefined : target.value)}
      onBlur={field.onBlur}
      error={fieldState.invalid}
      helperText={
        error === undefined
          ? helperText || (hasStored ? translate('app.input.stored') : undefined)
          : toProblem(error, translate)
      }
      slotProps={{ htmlInput: { readOnly } }}
    />
  )
}
