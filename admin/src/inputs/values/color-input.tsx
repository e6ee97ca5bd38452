/** A colour as text and as a swatch that opens the picker of the browser. */
import { Box, InputAdornment, TextField } from '@mui/material'
import type { ChangeEvent } from 'react'
import { regex, useInput, useTranslate } from 'react-admin'
import type { Common } from '../common.ts'
import { toProblem } from '../problem.ts'

/** The colour as the picker takes it, which knows neither short forms nor transparency; null for none. */
function toPicked(value: unknown): string | null {
  const digits = typeof value === 'string' ? /^#([0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/i.exec(value)?.[1] : undefined
  if (digits === undefined) return null
  return `#${digits.length > 4 ? digits.slice(0, 6) : digits.slice(0, 3).replaceAll(/./g, '$&$&')}`
}

/** The element itself cannot be empty: without a colour it shows none, and a frame of dashes. */
const hidden = { opacity: 0 }
const empty = {
  border: '1px dashed',
  borderColor: 'text.secondary',
  borderRadius: 1,
  '&::-webkit-color-swatch': hidden,
  '&::-moz-color-swatch': hidden,
}

export const ColorInput = ({ label, helperText, readOnly, source, validate }: Common) => {
  const translate = useTranslate()
  const { field, fieldState, id, isRequired } = useInput({
    source,
    validate: [...validate, regex(/^#([0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/i, 'app.input.color')],
  })
  const picked = toPicked(field.value)
  const error = fieldState.error?.message
  return (
    <TextField
      {...field}
      value={field.value ?? ''}
      onChange={({ target }) => field.onChange(target.value === '' ? null : target.value)}
      id={id}
      label={label}
      required={isRequired}
      error={fieldState.invalid}
      helperText={error === undefined ? helperText || undefined : toProblem(error, translate)}
      slotProps={{
        htmlInput: { readOnly },
        input: {
          startAdornment: (
            <InputAdornment position="start">
              <Box
                component="input"
                type="color"
                aria-label={translate('app.input.pick', { name: label })}
                disabled={readOnly}
                value={picked ?? '#000000'}
                onChange={({ target }: ChangeEvent<HTMLInputElement>) => field.onChange(target.value.toUpperCase())}
                sx={{ width: 28, height: 28, p: 0, border: 0, background: 'none', ...(picked === null && empty) }}
              />
            </InputAdornment>
          ),
        },
      }}
    />
  )
}
