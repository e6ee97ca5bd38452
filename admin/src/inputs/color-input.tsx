/** A colour as text and as a swatch that opens the picker of the browser. */
import { InputAdornment, TextField } from '@mui/material'
import { regex, useInput, useTranslate } from 'react-admin'
import type { Common } from './common.ts'
import { toProblem } from './problem.ts'

const isShort = (value: unknown): value is string => typeof value === 'string' && /^#[0-9a-f]{6}$/i.test(value)

export const ColorInput = ({ label, helperText, readOnly, source, validate }: Common) => {
  const translate = useTranslate()
  const { field, fieldState, id, isRequired } = useInput({
    source,
    validate: [...validate, regex(/^#([0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/i, 'app.input.color')],
  })
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
              <input
                type="color"
                aria-label={translate('app.input.pick', { name: label })}
                disabled={readOnly}
                value={isShort(field.value) ? field.value : '#000000'}
                onChange={({ target }) => field.onChange(target.value.toUpperCase())}
                style={{ width: 28, height: 28, padding: 0, border: 0, background: 'none' }}
              />
            </InputAdornment>
          ),
        },
      }}
    />
  )
}
