/** What a field holds where nothing is written: the default of its column, or what the server fills in. */
import { MenuItem, TextField } from '@mui/material'
import { useTranslate } from 'react-admin'
import type { Field } from '../model/model.ts'

const moments = ['date-created', 'date-updated']
const users = ['user-created', 'user-updated']

const filledByType: { readonly [type: string]: readonly string[] } = {
  date: moments,
  time: moments,
  dateTime: moments,
  timestamp: moments,
  uuid: [...users, 'uuid'],
}

const filledIn: ReadonlySet<string> = new Set(Object.values(filledByType).flat())

/** What the server fills in by the field's metadata; '' = nothing. */
export const filledInOf = (field: Field | null): string =>
  field?.meta?.special?.find((each) => filledIn.has(each)) ?? ''

/** The metadata with what the server fills in, if that is changed. What else the field is stays. */
export function specialOf(field: Field | null, type: string, chosen: string): { special?: readonly string[] } {
  const next = filledByType[type]?.includes(chosen) ? chosen : ''
  const before = field?.meta?.special ?? []
  if (next === filledInOf(field)) return {}
  return { special: [...before.filter((each) => !filledIn.has(each)), ...(next === '' ? [] : [next])] }
}

type FilledInProps = { readonly type: string; readonly value: string; readonly onChange: (value: string) => void }

/** For types that the server can fill in. */
export const FilledInInput = ({ type, value, onChange }: FilledInProps) => {
  const translate = useTranslate()
  const choices = filledByType[type]
  if (choices === undefined) return null
  return (
    <TextField
      select
      label={translate('app.model.filled_in')}
      value={choices.includes(value) ? value : ''}
      onChange={({ target }) => onChange(target.value)}
    >
      <MenuItem value="">{translate('app.model.not_filled_in')}</MenuItem>
      {choices.map((each) => (
        <MenuItem key={each} value={each}>
          {translate(`app.model.filled_${each.replace('-', '_')}`)}
        </MenuItem>
      ))}
    </TextField>
  )
}

const withoutDefault: ReadonlySet<string> = new Set(['json', 'csv', 'hash', 'uuid'])

export const hasDefaultInput = (field: Field | null, type: string): boolean =>
  !withoutDefault.has(type) && (field === null || isPlainColumn(field, type))

/** A column whose default can be typed in: no key, and neither computed nor of another type than before. */
const isPlainColumn = ({ schema, type: before }: Field, type: string): boolean =>
  schema !== null && !schema.is_primary_key && !schema.is_generated && before === type

/** The default as it was typed: empty is none. */
export function toDefault(text: string, type: string): unknown {
  if (text === '') return null
  if (type === 'boolean') return text === 'true'
  const number = Number(text)
  return (type === 'integer' || type === 'float') && !Number.isNaN(number) ? number : text
}

type DefaultProps = { readonly type: string; readonly value: string; readonly onChange: (value: string) => void }

export const DefaultInput = ({ type, value, onChange }: DefaultProps) => {
  const translate = useTranslate()
  const isBoolean = type === 'boolean'
  return (
    <TextField
      select={isBoolean}
      label={translate('app.model.default_value')}
      helperText={translate('app.model.default_hint')}
      value={value}
      onChange={({ target }) => onChange(target.value)}
    >
      {isBoolean &&
        ['', 'true', 'false'].map((each) => (
          <MenuItem key={each} value={each}>
            {translate(each === '' ? 'app.model.nothing' : `ra.boolean.${each}`)}
          </MenuItem>
        ))}
    </TextField>
  )
}
