/** A list of words. */
import { Autocomplete, TextField } from '@mui/material'
import { useInput, useTranslate } from 'react-admin'
import { toText } from '../../model/to-text.ts'
import type { Common } from '../common.ts'
import { toProblem } from '../problem.ts'

type Props = Common & { readonly presets: readonly string[] }

export const TagsInput = ({ label, helperText, readOnly, source, validate, placeholder, presets }: Props) => {
  const translate = useTranslate()
  const { field, fieldState, id, isRequired } = useInput({
    source,
    validate,
    format: (value: unknown) => value ?? null,
  })
  const words = Array.isArray(field.value) ? field.value.map(toText) : []
  const error = fieldState.error?.message
  return (
    <Autocomplete
      id={id}
      multiple
      freeSolo
      autoSelect
      readOnly={readOnly}
      options={presets}
      value={words}
      onChange={(_, next) =>
        field.onChange(next.length === 0 ? null : [...new Set(next.map((each) => each.trim()).filter(Boolean))])
      }
      onBlur={field.onBlur}
      renderInput={(params) => (
        <TextField
          {...params}
          label={label}
          placeholder={placeholder}
          required={isRequired}
          error={fieldState.invalid}
          helperText={error === undefined ? helperText || translate('app.input.tags') : toProblem(error, translate)}
          slotProps={{ htmlInput: { ...params.inputProps, required: false } }}
        />
      )}
    />
  )
}
