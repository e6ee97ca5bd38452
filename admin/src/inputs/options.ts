/** Options of interfaces that inputs follow, by what a field is in a form; both generations spell them alike. */
import type { Field } from '../model/model.ts'
import type { Kind } from './kinds.ts'

export type OptionKind = 'text' | 'lines' | 'number' | 'flag' | 'words' | 'folder' | 'choice' | 'fields'

export type Option = {
  readonly name: string
  readonly kind: OptionKind
  /** The name of its text, if options of other kinds have the same name. */
  readonly text?: string
  /** Of a choice; each has a text. */
  readonly values?: readonly string[]
}

const text = (name: string): Option => ({ name, kind: 'text' })
const number = (name: string): Option => ({ name, kind: 'number' })
const flag = (name: string): Option => ({ name, kind: 'flag' })
const words = (name: string): Option => ({ name, kind: 'words' })
const choice = (name: string, ...values: readonly string[]): Option => ({ name, kind: 'choice', values })

const numbers = [text('placeholder'), number('min'), number('max'), number('step')]
const files: readonly Option[] = [{ name: 'folder', kind: 'folder' }, words('allowedMimeTypes')]

export const optionsByKind: { readonly [kind in Kind]?: readonly Option[] } = {
  text: [text('placeholder'), flag('trim'), flag('masked')],
  multiline: [text('placeholder'), flag('trim'), number('rows')],
  markdown: [text('placeholder'), number('rows')],
  code: [text('placeholder'), number('rows'), { name: 'template', kind: 'lines', text: 'code_template' }],
  list: [{ name: 'fields', kind: 'fields' }],
  group: [choice('start', 'open', 'closed')],
  integer: numbers,
  number: numbers,
  boolean: [text('label')],
  time: [flag('includeSeconds')],
  datetime: [flag('includeSeconds')],
  timestamp: [flag('includeSeconds')],
  multi: [text('placeholder')],
  tags: [text('placeholder'), words('presets')],
  one: [text('template')],
  many: [text('template')],
  file: files,
  image: files,
  notice: [text('text')],
}

const dates = [choice('format', 'short', 'long'), flag('relative')]
const times = [flag('use24'), flag('includeSeconds')]

/** Options of how lists show a field. */
export const displayByKind: { readonly [kind in Kind]?: readonly Option[] } = {
  date: dates,
  time: times,
  datetime: [...dates, ...times],
  timestamp: [...dates, ...times],
}

/** Undefined for an option that is not there, is empty, or has another type. */
const given = (field: Field, name: string): unknown => {
  const value = field.meta?.options?.[name]
  return value === '' || value === null ? undefined : value
}

export function textOption(field: Field, name: string): string | undefined {
  const value = given(field, name)
  return typeof value === 'string' ? value : undefined
}

export function numberOption(field: Field, name: string): number | undefined {
  const value = given(field, name)
  return typeof value === 'number' ? value : undefined
}

export function flagOption(field: Field, name: string): boolean | undefined {
  const value = given(field, name)
  return typeof value === 'boolean' ? value : undefined
}

/** A list of words, or one text with commas. */
export function wordsOption(field: Field, ...names: readonly string[]): readonly string[] {
  const value = names.map((name) => given(field, name)).find((each) => each !== undefined)
  const list = Array.isArray(value) ? value : typeof value === 'string' ? value.split(',') : []
  return list.map((each) => String(each).trim()).filter((each) => each !== '')
}
