/** Dynamic values: `$…` variables that are resolved when a request is answered. */
import type { FieldType } from '../query/field-types.ts'
import { type DynamicValue, type Filter, isDynamic } from '../query/filter.ts'

/** Parses a dynamic value; null when the text is not one. */
export function parseDynamicValue(text: string): DynamicValue | null {
  if (!text.startsWith('$')) return null
  if (text === '$NOW') return { kind: 'now', milliseconds: 0, months: 0 }
  if (text.startsWith('$NOW(')) return parseNow(text)
  if (text === '$CURRENT_ROLES') return { kind: 'current-roles' }
  if (text === '$CURRENT_POLICIES') return { kind: 'current-policies' }
  const match = currentText.exec(text)
  if (match === null) return null
  const path = match[2] === undefined ? [] : match[2].slice(1).split('.')
  return { kind: match[1] === 'USER' ? 'current-user' : 'current-role', path }
}

/** All dynamic values of a filter, also those of its conditions on related rows. */
export function dynamicValuesOf(filter: Filter): readonly DynamicValue[] {
  switch (filter.kind) {
    case 'compare':
      return filter.values.filter((value) => isDynamic(value))
    case 'and':
    case 'or':
      return filter.filters.flatMap(dynamicValuesOf)
    case 'not':
    case 'related':
      return dynamicValuesOf(filter.filter)
    default:
      return []
  }
}

/** Converts the value to the field's type: for a `date` field only the day of the instant, for a `time` field only its time. */
export function fitMoment(value: DynamicValue, type: FieldType | undefined): DynamicValue {
  return value.kind === 'now' && (type === 'date' || type === 'time') ? { ...value, part: type } : value
}

const currentText = /^\$CURRENT_(USER|ROLE)((?:\.\w{1,64}){1,10})?$/

const nowText = /^\$NOW\(\s*([+-]?\s*(?:\d{1,12}(?:\.\d{1,6})?|\.\d{1,6}))\s*([a-z]*)\s*\)$/i

const second = 1000
const day = 86_400 * second

/** The names of each unit. Months and years are kept as months, because their length in milliseconds varies. */
const units: readonly (readonly [
  names: string,
  step: { readonly milliseconds: number } | { readonly months: number },
])[] = [
  ['milliseconds millisecond msecs msec ms', { milliseconds: 1 }],
  ['seconds second secs sec s', { milliseconds: second }],
  ['minutes minute mins min m', { milliseconds: 60 * second }],
  ['hours hour hrs hr h', { milliseconds: 3600 * second }],
  ['days day d', { milliseconds: day }],
  ['weeks week w', { milliseconds: 7 * day }],
  ['months month mths mth mos mo', { months: 1 }],
  ['years year yrs yr y', { months: 12 }],
]

const stepByUnit = new Map(units.flatMap(([names, step]) => names.split(' ').map((name) => [name, step] as const)))

/** Limit of an offset, about a thousand years: every result is a date that every database supports. */
const furthest = 365_000 * day

function parseNow(text: string): DynamicValue | null {
  const match = nowText.exec(text)
  if (match === null) return null
  const amount = Number((match[1] ?? '').replaceAll(/\s/g, ''))
  const step = stepByUnit.get((match[2] || 'days').toLowerCase())
  if (step === undefined || !Number.isFinite(amount)) return null
  const milliseconds = 'milliseconds' in step ? Math.round(amount * step.milliseconds) : 0
  const months = 'months' in step ? Math.trunc(amount * step.months) : 0
  if (Math.abs(milliseconds) > furthest || Math.abs(months) > 12_000) return null
  return { kind: 'now', milliseconds: milliseconds + 0, months: months + 0 }
}
