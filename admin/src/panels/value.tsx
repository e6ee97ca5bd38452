import { Box } from '@mui/material'
import { type TranslateFunction, useTranslate } from 'react-admin'
import { choiceText } from '../inputs/kinds.ts'
import { toDateText } from '../model/dates.ts'
import { withoutMarks } from '../model/exact-numbers.ts'
import type { Field } from '../model/model.ts'
import { toText } from '../model/to-text.ts'

const kinds = { timestamp: 'timestamp', dateTime: 'datetime', date: 'date', time: 'time' } as const
const isMoment = (type: string): type is keyof typeof kinds => Object.hasOwn(kinds, type)

/** Seconds tell changes apart that follow one another. */
const toMoment = (field: Field, kind: (typeof kinds)[keyof typeof kinds], value: string): string =>
  toDateText({ ...field, meta: { options: { includeSeconds: true } } }, kind, value)

const wordOf = (field: Field | undefined, value: unknown): string =>
  field === undefined ? toText(value) : choiceText(field, value)

/** Words with commas between them; JSON for what has parts. */
function textOf(field: Field | undefined, value: unknown, translate: TranslateFunction): string {
  if (value === null || value === undefined) return '–'
  if (typeof value === 'boolean') return translate(value ? 'ra.boolean.true' : 'ra.boolean.false')
  if (typeof value === 'string' && field !== undefined && isMoment(field.type))
    return toMoment(field, kinds[field.type], value)
  if (Array.isArray(value) && value.every((each) => typeof each !== 'object'))
    return value.map((each) => wordOf(field, each)).join(', ')
  return typeof value === 'object' ? withoutMarks(JSON.stringify(value, null, 1)) : wordOf(field, value)
}

/** Any value as text, cut where it is long; as its field shows it, where that is known. */
export const Value = ({ field, value }: { readonly field?: Field; readonly value: unknown }) => {
  const translate = useTranslate()
  return (
    <Box sx={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap', maxHeight: '12rem', overflowY: 'auto' }}>
      {textOf(field, value, translate)}
    </Box>
  )
}
