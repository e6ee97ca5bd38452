/** The name of an icon: typed, or chosen from pictures. */
import { Autocomplete, Box, InputAdornment, TextField } from '@mui/material'
import { useInput, useTranslate } from 'react-admin'
import { toText } from '../../../model/to-text.ts'
import type { Common } from '../../common.ts'
import { toProblem } from '../../problem.ts'
import { icons } from './icons.ts'

const names = Object.keys(icons)

const Picture = ({ name }: { readonly name: string }) => {
  const Known = Object.hasOwn(icons, name) ? icons[name] : undefined
  return Known === undefined ? null : <Known fontSize="small" />
}

/** Words of names are found in any order, with spaces or without. */
const found = (all: readonly string[], { inputValue }: { readonly inputValue: string }): string[] => {
  const words = inputValue.toLowerCase().split(/[\s_]+/)
  return all.filter((name) => words.every((word) => name.includes(word)))
}

export const IconInput = ({ label, helperText, readOnly, source, validate }: Common) => {
  const translate = useTranslate()
  const { field, fieldState, id, isRequired } = useInput({ source, validate })
  const name = toText(field.value)
  const error = fieldState.error?.message
  return (
    <Autocomplete
      freeSolo
      fullWidth
      id={id}
      options={names}
      filterOptions={(all, state) => (Object.hasOwn(icons, state.inputValue) ? names : found(all, state))}
      inputValue={name}
      readOnly={readOnly}
      onInputChange={(_, text, reason) => {
        if (reason !== 'blur') field.onChange(text === '' ? null : text)
      }}
      renderOption={({ key, ...props }, option) => (
        <Box component="li" key={key} {...props} sx={{ gap: 1.5 }}>
          <Picture name={option} />
          {option}
        </Box>
      )}
      renderInput={(params) => (
        <TextField
          {...params}
          inputRef={field.ref}
          label={label}
          required={isRequired}
          error={fieldState.invalid}
          helperText={error === undefined ? helperText || undefined : toProblem(error, translate)}
          slotProps={{
            input: {
              ...params.InputProps,
              startAdornment: Object.hasOwn(icons, name) && (
                <InputAdornment position="start" sx={{ ml: 0.5 }}>
                  <Picture name={name} />
                </InputAdornment>
              ),
            },
          }}
        />
      )}
    />
  )
}
