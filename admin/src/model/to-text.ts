import { withoutMark, withoutMarks } from './exact-numbers.ts'

/** Any value as text: nothing for what is missing, JSON for what has parts. */
export const toText = (value: unknown): string => {
  if (value === null || value === undefined) return ''
  if (typeof value === 'string') return withoutMark(value)
  if (typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint') return value.toString()
  return withoutMarks(JSON.stringify(value) ?? '')
}

/** The first of the values that is there, as text. */
export const firstText = (...values: readonly unknown[]): string =>
  toText(values.find((each) => each !== null && each !== undefined && each !== ''))
