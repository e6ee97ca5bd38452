/** One rule of a filter: field, operator and value. */
import DeleteIcon from '@mui/icons-material/DeleteOutlined'
import { Autocomplete, createFilterOptions, IconButton, MenuItem, Stack, TextField } from '@mui/material'
import { useMemo, useState } from 'react'
import { useTranslate } from 'react-admin'
import type { FilterField } from './fields.ts'
import { Operand } from './operand.tsx'
import { wayOf } from './paths.ts'
import { type Operator, operators, operatorsOf, type Rule } from './rules.ts'

/** What can be chosen behind a way to related items; that of the item itself is empty. */
export type FieldsAt = (way: string) => readonly FilterField[]

type RowProps = {
  readonly rule: Rule
  readonly fieldsAt: FieldsAt
  readonly labelOf: (path: string) => string
  readonly onChange: (rule: Rule | null) => void
}

export const RuleRow = ({ rule, fieldsAt, labelOf, onChange }: RowProps) => {
  const translate = useTranslate()
  const known = useMemo(
    () => [...fieldsAt(''), ...fieldsAt(wayOf(rule.path))].find(({ path }) => path === rule.path),
    [fieldsAt, rule.path],
  )
  const { type = 'string', choices = [] } = known ?? {}
  const arity = operators[rule.operator as Operator]
  const allowed = operatorsOf(type)
  const shown = allowed.includes(rule.operator as Operator) ? allowed : [...allowed, rule.operator as Operator]
  return (
    <Stack direction={{ xs: 'column', sm: 'row' }} spacing={1} sx={{ alignItems: { sm: 'center' } }}>
      <FieldChoice
        {...{ fieldsAt, labelOf }}
        path={rule.path}
        onChange={(next) => onChange({ path: next.path, operator: operatorsOf(next.type)[0] ?? '_eq', value: '' })}
      />
      <TextField
        select
        label={translate('app.filter.operator')}
        value={rule.operator}
        onChange={({ target }) => onChange({ ...rule, operator: target.value })}
        sx={{ flex: 2, minWidth: '9rem' }}
      >
        {shown.map((each) => (
          <MenuItem key={each} value={each}>
            {translate(`app.operator.${each}`)}
          </MenuItem>
        ))}
      </TextField>
      {arity !== 'none' && <Operand key={rule.path} {...{ rule, type, choices, arity, onChange }} />}
      <IconButton aria-label={translate('app.filter.remove')} onClick={() => onChange(null)}>
        <DeleteIcon />
      </IconButton>
    </Stack>
  )
}

type ChoiceProps = Pick<RowProps, 'fieldsAt' | 'labelOf'> & {
  readonly path: string
  readonly onChange: (field: FilterField) => void
}

/** More would make the list slow; what is typed finds the others. */
const most = 200

/** The fields at hand, by their labels. A way to related items is followed by the fields at its end. */
const FieldChoice = ({ path, fieldsAt, labelOf, onChange }: ChoiceProps) => {
  const translate = useTranslate()
  const isNear = useMemo(() => fieldsAt('').some((each) => each.path === path), [fieldsAt, path])
  const [way, setWay] = useState(isNear ? '' : wayOf(path))
  const [isOpen, setIsOpen] = useState(false)
  const [text, setText] = useState(labelOf(path))
  const fields = useMemo(() => fieldsAt(way), [fieldsAt, way])
  const wayOption = (each: FilterField): string => `${labelOf(each.path)} › …`
  const optionLabel = (option: string): string => {
    if (option === '') return translate('app.filter.all_fields')
    const field = fields.find((each) => each.path === option)
    return field?.isWay ? wayOption(field) : labelOf(option)
  }
  const choose = (option: string): void => {
    const field = fields.find((each) => each.path === option)
    if (option !== '' && !field?.isWay) {
      setIsOpen(false)
      setText(labelOf(option))
      if (field !== undefined) onChange(field)
      return
    }
    setWay(option)
    setText('')
  }
  return (
    <Autocomplete
      disableClearable
      disableCloseOnSelect
      open={isOpen}
      onOpen={() => setIsOpen(true)}
      onClose={() => setIsOpen(false)}
      options={[...(way === '' ? [] : ['']), ...fields.map((each) => each.path)]}
      getOptionLabel={optionLabel}
      getOptionKey={(option) => option}
      filterOptions={createFilterOptions({ stringify: (option) => `${optionLabel(option)} ${option}`, limit: most })}
      value={path}
      inputValue={text}
      // A way is no value: its name is not written into the input.
      onInputChange={(_, next, reason) => reason !== 'selectOption' && setText(next)}
      onChange={(_, option) => choose(option)}
      renderInput={(params) => <TextField {...params} label={translate('app.filter.field')} />}
      slotProps={{ popper: { placement: 'bottom-start', style: { minWidth: 'min(26rem, 90vw)' } } }}
      sx={{ flex: 2, minWidth: '9rem' }}
    />
  )
}
