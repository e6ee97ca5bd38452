/** Dates and times. What has a zone is shown in that of the browser, and says so. */
import { TextField } from '@mui/material'
import { useInput, useTranslate } from 'react-admin'
import type { Common } from '../common.ts'
import { toProblem } from '../problem.ts'

type Kind = 'date' | 'time' | 'datetime' | 'timestamp'

const inputTypes = { date: 'date', time: 'time', datetime: 'datetime-local', timestamp: 'datetime-local' } as const
const lengths = { date: 10, time: 8, datetime: 19, timestamp: 19 } as const

const two = (value: number): string => String(value).padStart(2, '0')

/** `2026-05-01T10:00:00.000Z` as the clock on the wall shows it. */
export function toLocal(instant: string): string {
  const at = new Date(instant)
  if (Number.isNaN(at.getTime())) return ''
  const day = `${String(at.getFullYear()).padStart(4, '0')}-${two(at.getMonth() + 1)}-${two(at.getDate())}`
  return `${day}T${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`
}

const format =
  (kind: Kind) =>
  (value: unknown): string => {
    if (typeof value !== 'string' || value === '') return ''
    return (kind === 'timestamp' ? toLocal(value) : value).slice(0, lengths[kind])
  }

const parse =
  (kind: Kind) =>
  (text: string): string | null => {
    if (text === '') return null
    const whole = (kind === 'datetime' || kind === 'timestamp') && text.length === 16 ? `${text}:00` : text
    if (kind !== 'timestamp') return whole
    const at = new Date(whole)
    return Number.isNaN(at.getTime()) ? null : at.toISOString()
  }

type Props = Common & { readonly kind: Kind; readonly hasSeconds: boolean }

export const MomentInput = ({ kind, hasSeconds, label, helperText, readOnly, ...rest }: Props) => {
  const translate = useTranslate()
  const { field, fieldState, id, isRequired } = useInput({ ...rest, format: format(kind), parse: parse(kind) })
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone
  const hint = kind === 'timestamp' ? translate('app.input.zone', { zone }) : ''
  const error = fieldState.error?.message
  return (
    <TextField
      {...field}
      id={id}
      type={inputTypes[kind]}
      label={label}
      required={isRequired}
      error={fieldState.invalid}
      helperText={
        error === undefined
          ? [helperText || '', hint].filter(Boolean).join(' · ') || undefined
          : toProblem(error, translate)
      }
      slotProps={{ inputLabel: { shrink: true }, htmlInput: { step: hasSeconds ? 1 : 60, readOnly } }}
    />
  )
}
