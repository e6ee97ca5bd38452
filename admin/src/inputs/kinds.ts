/** What a field is in a form: by its relation, the interface that its metadata names, and its type. */

import type { Choice, Collection, Field, Model } from '../model/model.ts'
import { toManyOf, toOneOf } from '../model/relations.ts'
import { toChoiceText } from '../model/texts.ts'
import { firstText, toText } from '../model/to-text.ts'

export type Kind =
  | 'text'
  | 'multiline'
  | 'markdown'
  | 'html'
  | 'code'
  | 'integer'
  | 'number'
  | 'exact'
  | 'boolean'
  | 'date'
  | 'time'
  | 'datetime'
  | 'timestamp'
  | 'select'
  | 'multi'
  | 'tags'
  | 'json'
  | 'list'
  | 'color'
  | 'icon'
  | 'hash'
  | 'file'
  | 'image'
  | 'one'
  | 'many'
  | 'translations'
  | 'group'
  | 'notice'
  | 'divider'
  | 'none'

/** Interfaces of the current generation. What is not here follows the type. */
const currentInterfaces: { readonly [name: string]: Kind } = {
  input: 'text',
  'input-multiline': 'multiline',
  'input-rich-text-md': 'markdown',
  'input-rich-text-html': 'html',
  'input-code': 'code',
  'input-hash': 'hash',
  'select-dropdown': 'select',
  'select-radio': 'select',
  'select-multiple-dropdown': 'multi',
  'select-multiple-checkbox': 'multi',
  'select-color': 'color',
  'select-icon': 'icon',
  tags: 'tags',
  list: 'list',
  translations: 'translations',
  'presentation-divider': 'divider',
  'presentation-notice': 'notice',
}

/** Interfaces of version 8. */
const olderInterfaces: { readonly [name: string]: Kind } = {
  'text-input': 'text',
  slug: 'text',
  icon: 'icon',
  textarea: 'multiline',
  markdown: 'markdown',
  wysiwyg: 'html',
  code: 'code',
  hashed: 'hash',
  dropdown: 'select',
  'radio-buttons': 'select',
  status: 'select',
  checkboxes: 'multi',
  color: 'color',
  repeater: 'list',
  json: 'json',
  translation: 'translations',
  divider: 'divider',
}

const interfaces = { ...olderInterfaces, ...currentInterfaces }

const byRelation = ['select-dropdown-m2o', 'list-o2m', 'list-m2m', 'list-m2a', 'file', 'file-image', 'files']
const olderByRelation = ['many-to-one', 'one-to-many', 'many-to-many']

/** The names of interfaces, also those whose fields are known by their type or relation. */
export const interfaceNames = {
  current: [...Object.keys(currentInterfaces), 'boolean', 'datetime', ...byRelation, 'group-raw', 'group-detail'],
  older: [...Object.keys(olderInterfaces), 'numeric', 'toggle', 'date', 'time', ...olderByRelation],
}

/** What a field will be by its interface and type alone, before its relation and choices are known. */
export const wishedKind = (name: string, type: string): Kind =>
  (Object.hasOwn(relational, name) ? relational[name] : undefined) ??
  (Object.hasOwn(interfaces, name) ? interfaces[name] : undefined) ??
  (Object.hasOwn(types, type) ? types[type] : undefined) ??
  'text'

/** Interfaces of relations, which a form knows by the relation itself. */
const relational: { readonly [name: string]: Kind } = {
  'select-dropdown-m2o': 'one',
  'many-to-one': 'one',
  'list-o2m': 'many',
  'list-m2m': 'many',
  'list-m2a': 'many',
  'one-to-many': 'many',
  'many-to-many': 'many',
  files: 'many',
  file: 'file',
  'file-image': 'image',
  image: 'image',
}

const types: { readonly [type: string]: Kind } = {
  text: 'multiline',
  integer: 'integer',
  bigInteger: 'exact',
  decimal: 'exact',
  float: 'number',
  boolean: 'boolean',
  date: 'date',
  time: 'time',
  dateTime: 'datetime',
  timestamp: 'timestamp',
  csv: 'tags',
  json: 'json',
  geometry: 'json',
  hash: 'hash',
}

/** Choices need a list of them; lists, tags and lines of text need a type that holds them. */
const fits = (kind: Kind, field: Field): boolean => {
  if (kind === 'select' || kind === 'multi') return choicesOf(field).length > 0
  if (kind === 'tags' || kind === 'list') return field.type === 'json' || field.type === 'csv'
  if (kind === 'text' || kind === 'markdown' || kind === 'html' || kind === 'icon')
    return field.type === 'string' || field.type === 'text'
  return true
}

/** Whether items of the collection are files. */
export const isFiles = ({ isSystem, name }: Collection): boolean => isSystem && name.endsWith('_files')

export function kindOf(model: Model, field: Field): Kind {
  const { interface: name } = field.meta ?? {}
  if (field.schema === null) return aliasKind(model, field)
  const related = toOneOf(model, field.collection, field.field)
  if (related !== null) {
    if (!isFiles(related)) return 'one'
    return name === 'file-image' || name === 'image' ? 'image' : 'file'
  }
  const wished = typeof name === 'string' && Object.hasOwn(interfaces, name) ? interfaces[name] : undefined
  if (wished !== undefined && fits(wished, field)) return wished
  return (
    (Object.hasOwn(types, field.type) ? types[field.type] : undefined) ??
    (field.type.startsWith('geometry') ? 'json' : 'text')
  )
}

function aliasKind(model: Model, field: Field): Kind {
  const { interface: name, special } = field.meta ?? {}
  const relation = toManyOf(model, field.collection, field.field)
  if (relation !== null) {
    const isTranslated = name?.startsWith('translation') || special?.includes('translations')
    return isTranslated && relation.junction?.related ? 'translations' : 'many'
  }
  if (special?.includes('group') || name?.startsWith('group-')) return 'group'
  return name === 'presentation-notice' ? 'notice' : name?.includes('divider') ? 'divider' : 'none'
}

/** The choices of a field: a list of texts and values, of words, or an object from values to texts (version 8). */
export function choicesOf(field: Field): readonly Choice[] {
  const { meta } = field
  const given = meta?.options?.['choices'] ?? meta?.options?.['status_mapping']
  if (Array.isArray(given)) {
    return given.flatMap((each: unknown): readonly Choice[] => {
      if (typeof each === 'string' || typeof each === 'number') return [{ text: String(each), value: each }]
      if (typeof each !== 'object' || each === null || !('value' in each)) return []
      const { text, value } = each as { text?: string; value: string | number }
      const isNamed = text !== undefined && text !== value
      return [{ text: isNamed ? text : (toChoiceText(field, value) ?? String(value)), value }]
    })
  }
  if (typeof given !== 'object' || given === null) return []
  return Object.entries(given).map(([value, text]) => ({
    value,
    text:
      typeof text === 'object' && text !== null ? firstText((text as { name?: unknown }).name, value) : String(text),
  }))
}

/** The text of a chosen value, or the value where no choice has it. */
export const choiceText = (field: Field, value: unknown): string =>
  choicesOf(field).find((each) => each.value === value)?.text ?? toText(value)
