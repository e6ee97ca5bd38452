/** The choices of a field as lines that people type: `value = text`, or the value alone. */
import type { Choice } from '../model/model.ts'
import { toText } from '../model/to-text.ts'

const isChoice = (value: unknown): value is Choice => typeof value === 'object' && value !== null && 'value' in value

/** Choices that are no objects are texts and values in one. */
export const toLines = (choices: unknown): string =>
  (Array.isArray(choices) ? (choices as readonly unknown[]) : [])
    .map((each) => (isChoice(each) ? each : { text: toText(each), value: toText(each) }))
    .map(({ text, value }) => (text === undefined || text === String(value) ? String(value) : `${value} = ${text}`))
    .join('\n')

/** What else a choice has, such as a colour, stays with its value. */
export function fromLines(lines: string, type: string, before: unknown): readonly Choice[] {
  const known = (Array.isArray(before) ? (before as readonly unknown[]) : []).filter(isChoice)
  return lines
    .split('\n')
    .map((line) => line.split('='))
    .filter(([value = '']) => value.trim() !== '')
    .map(([first = '', ...rest]) => {
      const typed = first.trim()
      const isNumber = (type === 'integer' || type === 'float') && Number.isFinite(Number(typed))
      const value = isNumber ? Number(typed) : typed
      return { ...known.find((each) => each.value === value), text: rest.join('=').trim() || typed, value }
    })
}
