/** Dates and times as lists show them, by the display options of their field. */
import type { Field } from './model.ts'

/** The language of the interface, as it is spoken where the browser is at home: en-GB for English. */
export function placeLanguage(): string {
  const { lang } = document.documentElement
  return navigator.languages.find((each) => each.split('-')[0] === lang) ?? lang
}

/** A moment in one line. */
export const toMomentText = (time: string | number): string =>
  new Date(time).toLocaleString(placeLanguage(), { dateStyle: 'medium', timeStyle: 'medium' })

export const toCountText = (count: number): string => count.toLocaleString(placeLanguage())

type Options = {
  readonly format?: unknown
  readonly relative?: unknown
  /** The same in version 8. */
  readonly showRelative?: unknown
  readonly use24?: unknown
  readonly includeSeconds?: unknown
}

const units = [
  ['year', 31_557_600],
  ['month', 2_629_800],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const

/** `Yesterday`, `in 3 hours`. */
function toRelative(time: Date, now: Date, language: string): string {
  const seconds = (time.getTime() - now.getTime()) / 1000
  const [unit, size] = units.find(([, length]) => Math.abs(seconds) >= length) ?? ['second', 1]
  return new Intl.RelativeTimeFormat(language, { numeric: 'auto' }).format(Math.round(seconds / size), unit)
}

type Place = { readonly now: Date; readonly language: string }

/** `kind`: what the field is; times of day have no date. */
export function toDateText(
  { meta }: Field,
  kind: 'date' | 'time' | 'datetime' | 'timestamp',
  text: string,
  { now, language }: Place = { now: new Date(), language: placeLanguage() },
): string {
  const options: Options = { ...meta?.options, ...meta?.display_options }
  const time = new Date(kind === 'time' ? `1970-01-01T${text}` : kind === 'date' ? `${text}T00:00` : text)
  if (Number.isNaN(time.getTime())) return text
  if (kind !== 'time' && (options.relative ?? options.showRelative) === true) return toRelative(time, now, language)
  const style = options.format === 'long' || options.format === 'short' ? options.format : 'medium'
  const hours = typeof options.use24 === 'boolean' ? { hour12: !options.use24 } : {}
  return new Intl.DateTimeFormat(language, {
    ...(kind !== 'time' && { dateStyle: style }),
    ...(kind !== 'date' && { timeStyle: options.includeSeconds === true ? 'medium' : 'short', ...hours }),
  }).format(time)
}
