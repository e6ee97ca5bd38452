/** A filter as rules of field, operator and value, or as JSON. */
import AddIcon from '@mui/icons-material/Add'
import { Alert, Box, Button, MenuItem, Stack, TextField } from '@mui/material'
import { useCallback, useState } from 'react'
import { useTranslate } from 'react-admin'
import { withMarks, withoutMarks } from '../model/exact-numbers.ts'
import type { Collection, Model } from '../model/model.ts'
import { filterFields, ownFields } from './fields.ts'
import { type FieldsAt, RuleRow } from './rule-row.tsx'
import { fromRules, operatorsOf, type Rule, type RuleList, toRules } from './rules.ts'
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
  const fieldsAt = useCallback<FieldsAt>(
    (way) => (isOwnOnly ? ownFields(collection) : filterFields(model, collection, way)),
    [model, collection, isOwnOnly],
  )
  return (
    <Box>
      {isJson || rules === null ? (
        <JsonFilter value={value} onChange={onChange} />
      ) : (
        <RuleRows
          list={rules}
          fieldsAt={fieldsAt}
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
  const [text, setText] = useState(withoutMarks(JSON.stringify(value ?? {}, null, 2)))
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
    const value: unknown = JSON.parse(withMarks(text))
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined
  } catch {
    return undefined
  }
}

type RowsProps = {
  readonly list: RuleList
  readonly fieldsAt: FieldsAt
  readonly labelOf: (path: string) => string
  readonly onChange: (list: RuleList) => void
}

const RuleRows = ({ list, fieldsAt, labelOf, onChange }: RowsProps) => {
  const translate = useTranslate()
  const replace = (at: number, rule: Rule | null): void =>
    onChange({ ...list, rules: list.rules.flatMap((each, index) => (index === at ? (rule ?? []) : each)) })
  const add = (): void => {
    const [first] = fieldsAt('')
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
        <RuleRow key={at} {...{ rule, fieldsAt, labelOf }} onChange={(next) => replace(at, next)} />
      ))}
      <Box>
        <Button size="small" startIcon={<AddIcon />} onClick={add}>
          {translate('app.filter.add')}
        </Button>
      </Box>
    </Stack>
  )
}
