/** The options of an interface: a form for those that inputs follow, and all of them as JSON. */
import { Box, Button, FormControlLabel, MenuItem, Switch, TextField } from '@mui/material'
import { useState } from 'react'
import { useGetList, useTranslate } from 'react-admin'
import type { Row } from '../client.ts'
import type { Option } from '../inputs/options.ts'
import { withMarks, withoutMarks } from '../model/exact-numbers.ts'
import { toText } from '../model/to-text.ts'
import { ListFieldsInput } from './list-fields-input.tsx'

type Props = {
  readonly known: readonly Option[]
  readonly value: Row
  /** Called with undefined while the JSON is not valid. */
  readonly onChange: (value: Row | undefined) => void
}

export const OptionsForm = ({ known, value, onChange }: Props) => {
  const translate = useTranslate()
  const [isJson, setIsJson] = useState(false)
  const set = (name: string, next: unknown): void => {
    const { [name]: _, ...others } = value
    onChange(next === undefined ? others : { ...others, [name]: next })
  }
  return (
    <Box>
      {isJson ? (
        <JsonOptions value={value} onChange={onChange} />
      ) : (
        <Box sx={{ display: 'grid', columnGap: 2, gridTemplateColumns: { sm: '1fr 1fr' }, alignItems: 'center' }}>
          {known.map((each) => (
            <OptionInput
              key={each.name}
              option={each}
              value={value[each.name]}
              onChange={(next) => set(each.name, next)}
            />
          ))}
        </Box>
      )}
      <Button size="small" onClick={() => setIsJson(!isJson)}>
        {translate(isJson ? 'app.option.as_form' : 'app.option.as_json')}
      </Button>
    </Box>
  )
}

type InputProps = {
  readonly option: Option
  readonly value: unknown
  /** Called with undefined for an option that shall not be there. */
  readonly onChange: (value: unknown) => void
}

const OptionInput = ({ option, value, onChange }: InputProps) => {
  const translate = useTranslate()
  const label = translate(`app.option.${option.text ?? option.name}`)
  switch (option.kind) {
    case 'flag':
      return (
        <FormControlLabel
          control={<Switch checked={value === true} onChange={(_, checked) => onChange(checked || undefined)} />}
          label={label}
        />
      )
    case 'number':
      return (
        <TextField
          type="number"
          label={label}
          value={toText(value)}
          onChange={({ target }) => onChange(target.value === '' ? undefined : Number(target.value))}
          slotProps={{ htmlInput: { step: 'any' } }}
        />
      )
    case 'words':
      return <WordsInput label={label} value={value} onChange={onChange} />
    case 'folder':
      return <FolderInput label={label} value={value} onChange={onChange} />
    case 'fields':
      return <ListFieldsInput label={label} value={value} onChange={onChange} />
    case 'choice':
      return (
        <TextField
          select
          label={label}
          value={toText(value)}
          onChange={({ target }) => onChange(target.value || undefined)}
        >
          <MenuItem value="">{translate('app.option.usual')}</MenuItem>
          {option.values?.map((each) => (
            <MenuItem key={each} value={each}>
              {translate(`app.option.values.${each}`)}
            </MenuItem>
          ))}
        </TextField>
      )
    case 'lines':
    case 'text':
      return (
        <TextField
          label={label}
          multiline={option.kind === 'lines'}
          value={toText(value)}
          onChange={({ target }) => onChange(target.value || undefined)}
        />
      )
    default: {
      const never: never = option.kind
      return never
    }
  }
}

type LabeledProps = Omit<InputProps, 'option'> & { readonly label: string }

const WordsInput = ({ label, value, onChange }: LabeledProps) => {
  const translate = useTranslate()
  const [text, setText] = useState(Array.isArray(value) ? value.map(toText).join(', ') : toText(value))
  const change = (next: string): void => {
    setText(next)
    const list = next.split(',').map((each) => each.trim())
    const words = list.filter((each) => each !== '')
    onChange(words.length === 0 ? undefined : words)
  }
  return (
    <TextField
      label={label}
      helperText={translate('app.option.words')}
      value={text}
      onChange={({ target }) => change(target.value)}
    />
  )
}

const FolderInput = ({ label, value, onChange }: LabeledProps) => {
  const translate = useTranslate()
  const { data = [] } = useGetList('system/folders', {
    pagination: { page: 1, perPage: 200 },
    sort: { field: 'name', order: 'ASC' },
  })
  const folders = (data as readonly Row[]).map(({ id, name }) => ({ id: toText(id), name: toText(name) }))
  const chosen = toText(value)
  const isKnown = chosen === '' || folders.some(({ id }) => id === chosen)
  return (
    <TextField select label={label} value={chosen} onChange={({ target }) => onChange(target.value || undefined)}>
      <MenuItem value="">{translate('app.model.nothing')}</MenuItem>
      {(isKnown ? folders : [...folders, { id: chosen, name: chosen }]).map(({ id, name }) => (
        <MenuItem key={id} value={id}>
          {name}
        </MenuItem>
      ))}
    </TextField>
  )
}

const JsonOptions = ({ value, onChange }: Omit<Props, 'known'>) => {
  const translate = useTranslate()
  const [text, setText] = useState(withoutMarks(JSON.stringify(value, null, 2)))
  const isWrong = parse(text) === undefined
  return (
    <TextField
      multiline
      minRows={3}
      maxRows={12}
      label={translate('app.model.options')}
      value={text}
      error={isWrong}
      helperText={isWrong ? translate('app.json.invalid') : translate('app.model.options_hint')}
      onChange={({ target }) => {
        setText(target.value)
        onChange(parse(target.value))
      }}
      slotProps={{ htmlInput: { spellCheck: false, style: { fontFamily: 'monospace' } } }}
    />
  )
}

function parse(text: string): Row | undefined {
  try {
    const value: unknown = JSON.parse(withMarks(text.trim() === '' ? '{}' : text))
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Row) : undefined
  } catch {
    return undefined
  }
}
