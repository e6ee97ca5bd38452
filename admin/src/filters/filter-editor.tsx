/** A filter as rules of field, operator and value, or as JSON. */
import AddIcon from '@mui/icons-material/Add'
import DeleteIcon from '@mui/icons-material/DeleteOutlined'
import {
  Alert,
  Autocomplete,
  Box,
  Button,
  createFilterOptions,
  IconButton,
  MenuItem,
  Stack,
  TextField,
} from '@mui/material'
import { useState } from 'react'
import { useTranslate } from 'react-admin'
import type { Collection, Model } from '../model/model.ts'
import { Operand } from './operand.tsx'
import {
  type FilterField,
  filterFields,
  fromRules,
  type Operator,
  operators,
  operatorsOf,
  ownFields,
  type Rule,
  type RuleList,
  toRules,
} from './rules.ts'
import { pathLabel } from './words.ts'

type Props = {
  readonly model: Model
  readonly collection: Collection
  readonly value: object | null
  /** Only fields of the item itself, whose values a form knows. */
  readonly isOwnOnly?: boolean
  /** Called with undefined while the JSON is not valid. */
  readonly onChange: (value: object | undefined) => void
}

export const FilterEditor = ({ model, collection, value, isOwnOnly = false, onChange }: Props) => {
  const translate = useTranslate()
  const [isJson, setIsJson] = useState(toRules(value) === null)
  const rules = toRules(value)
  return (
    <Box>
      {isJson || rules === null ? (
        <JsonFilter value={value} onChange={onChange} />
      ) : (
        <RuleRows
          list={rules}
          fields={isOwnOnly ? ownFields(collection) : filterFields(model, collection)}
          labelOf={(path) => pathLabel(model, collection, path, translate)}
          onChange={(list) => onChange(fromRules(list))}
        />
      )}
      <Stack direction="row" sx={{ mt: 1, justifyContent: 'space-between' }}>
        <Button size="small" disabled={isJson && rules === null} onClick={() => setIsJson(!isJson)}>
          {translate(isJson ? 'app.filter.as_rules' : 'app.filter.as_json')}
        </Button>
      </Stack>
    </Box>
  )
}

const JsonFilter = ({ value, onChange }: Pick<Props, 'value' | 'onChange'>) => {
  const translate = useTranslate()
  const [text, setText] = useState(JSON.stringify(value ?? {}, null, 2))
  const [isWrong, setIsWrong] = useState(false)
  const change = (next: string): void => {
    setText(next)
    const parsed = parseObject(next)
    setIsWrong(parsed === undefined)
    onChange(parsed)
  }
  return (
    <>
      <TextField
        multiline
        minRows={4}
        label={translate('app.filter.json')}
        value={text}
        onChange={({ target }) => change(target.value)}
        error={isWrong}
        slotProps={{ htmlInput: { spellCheck: false, style: { fontFamily: 'monospace' } } }}
      />
      {isWrong && <Alert severity="error">{translate('app.json.invalid')}</Alert>}
    </>
  )
}

function parseObject(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined
  } catch {
    return undefined
  }
}

type RowsProps = {
  readonly list: RuleList
  readonly fields: readonly FilterField[]
  readonly labelOf: (path: string) => string
  readonly onChange: (list: RuleList) => void
}

const RuleRows = ({ list, fields, labelOf, onChange }: RowsProps) => {
  const translate = useTranslate()
  const replace = (at: number, rule: Rule | null): void =>
    onChange({ ...list, rules: list.rules.flatMap((each, index) => (index === at ? (rule ?? []) : each)) })
  const add = (): void => {
    const [first] = fields
    if (first === undefined) return
    const operator = operatorsOf(first.type)[0] ?? '_eq'
    onChange({ ...list, rules: [...list.rules, { path: first.path, operator, value: '' }] })
  }
  return (
    <Stack spacing={1}>
      {list.rules.length > 1 && (
        <TextField
          select
          label={translate('app.filter.join')}
          value={list.join}
          onChange={({ target }) => onChange({ ...list, join: target.value as RuleList['join'] })}
          sx={{ maxWidth: '16rem' }}
        >
          <MenuItem value="_and">{translate('app.filter.all')}</MenuItem>
          <MenuItem value="_or">{translate('app.filter.any')}</MenuItem>
        </TextField>
      )}
      {list.rules.map((rule, at) => (
        <RuleRow key={at} rule={rule} fields={fields} labelOf={labelOf} onChange={(next) => replace(at, next)} />
      ))}
      <Box>
        <Button size="small" startIcon={<AddIcon />} onClick={add}>
          {translate('app.filter.add')}
        </Button>
      </Box>
    </Stack>
  )
}

type RowProps = {
  readonly rule: Rule
  readonly fields: readonly FilterField[]
  readonly labelOf: (path: string) => string
  readonly onChange: (rule: Rule | null) => void
}

const RuleRow = ({ rule, fields, labelOf, onChange }: RowProps) => {
  const translate = useTranslate()
  const { type = 'string', choices = [] } = fields.find(({ path }) => path === rule.path) ?? {}
  const arity = operators[rule.operator as Operator]
  const allowed = operatorsOf(type)
  const shown = allowed.includes(rule.operator as Operator) ? allowed : [...allowed, rule.operator as Operator]
  return (
    <Stack direction={{ xs: 'column', sm: 'row' }} spacing={1} sx={{ alignItems: { sm: 'center' } }}>
      <Autocomplete
        disableClearable
        options={fields.map(({ path }) => path)}
        getOptionLabel={labelOf}
        getOptionKey={(path) => path}
        filterOptions={createFilterOptions({ stringify: (path) => `${labelOf(path)} ${path}` })}
        value={rule.path}
        onChange={(_, path) => {
          const next = fields.find((each) => each.path === path)
          onChange({ path, operator: operatorsOf(next?.type ?? 'string')[0] ?? '_eq', value: '' })
        }}
        renderInput={(params) => <TextField {...params} label={translate('app.filter.field')} />}
        slotProps={{ popper: { placement: 'bottom-start', style: { minWidth: 'min(26rem, 90vw)' } } }}
        sx={{ flex: 2, minWidth: '9rem' }}
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
