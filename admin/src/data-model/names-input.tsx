/** Several names, chosen from a list or, where names are free, typed in. */
import { Autocomplete, TextField } from '@mui/material'

type Props = {
  readonly label: string
  readonly helperText?: string
  readonly options: readonly string[]
  readonly value: readonly string[]
  readonly onChange: (names: readonly string[]) => void
  readonly isFree?: boolean
}

export const NamesInput = ({ label, helperText, options, value, onChange, isFree = false }: Props) => (
  <Autocomplete
    multiple
    freeSolo={isFree}
    autoSelect={isFree}
    disableCloseOnSelect
    filterSelectedOptions
    options={options}
    value={[...value]}
    onChange={(_, names) => onChange([...new Set(names.map((name) => name.trim()).filter((name) => name !== ''))])}
    renderInput={(params) => <TextField {...params} label={label} helperText={helperText} />}
  />
)
