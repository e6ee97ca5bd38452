/** Names of collections, fields and items for people. */

import type { Row } from '../client.ts'
import { type Collection, type Field, type Model, type Translated } from './model.ts'
import { isSystemName, namesOf, toName, toSystemPath, toTitle } from './names.ts'
import { toOneOf } from './relations.ts'
import { toText } from './to-text.ts'

type Texts = { readonly [name: string]: string | Texts }
/** Names of collections and fields of the platform and of choices: `users`, `users.email`, `users.status.active`. */
export type PlatformTexts = { readonly collections: Texts; readonly fields: Texts; readonly choices: Texts }

/** The language of the interface with its texts, told by the provider of them. */
let language = 'en'
let texts: PlatformTexts = { collections: {}, fields: {}, choices: {} }
export const setLanguage = (next: string, nextTexts: PlatformTexts): void => {
  language = next
  texts = nextTexts
}

const textAt = (tree: Texts, path: readonly string[]): string | undefined => {
  const found = path.reduce<string | Texts | undefined>(
    (at, name) => (typeof at === 'object' && Object.hasOwn(at, name) ? at[name] : undefined),
    tree,
  )
  return typeof found === 'string' ? found : undefined
}

const systemText = (tree: Texts, { collection, field }: Field, ...more: readonly string[]): string | undefined =>
  isSystemName(collection) ? textAt(tree, [toSystemPath(collection), field, ...more]) : undefined

const translated = (translations: readonly Translated[] | null | undefined): string | undefined =>
  translations?.find((each) => each.language?.split('-')[0] === language)?.translation

export function toLabel({ name, meta, isSystem }: Collection): string {
  const own = translated(meta.translations)
  if (own !== undefined || !isSystem) return own ?? toTitle(name)
  const path = toSystemPath(name)
  return textAt(texts.collections, [path]) ?? toTitle(path)
}

/** The label of a collection by its name, or the name of one that the user does not see. */
export function toNamedLabel(model: Model, name: string): string {
  const collection = model.collections.get(name)
  return collection === undefined ? name : toLabel(collection)
}

/** A collection in a picker: the name, and for those of the platform, whose names are English, the label before it. */
export const toCollectionChoice = (collection: Collection): string =>
  collection.isSystem ? `${toLabel(collection)} (${collection.name})` : collection.name

export const toFieldLabel = (field: Field): string =>
  translated(field.meta?.translations) ?? systemText(texts.fields, field) ?? toTitle(field.field)

/** The text of a choice of a field of the platform; undefined for other fields. */
export const toChoiceText = (field: Field, value: unknown): string | undefined =>
  systemText(texts.choices, field, String(value))

const placeholder = /\{\{\s*([^{}]+?)\s*\}\}/g

const usual = ['title', 'name', 'headline', 'label', 'subject', 'filename_download', 'email', 'code', 'slug', 'key']

/** The template that stands for an item: the own one, or the first field that usually names things, or the key. */
export function templateOf(collection: Collection): string {
  const { display_template: own } = collection.meta
  if (own) return own
  if (collection.isSystem && collection.name.endsWith('_users')) return '{{first_name}} {{last_name}} {{email}}'
  const text = collection.fields.filter(({ type, schema }) => schema !== null && (type === 'string' || type === 'text'))
  const named = usual.flatMap((name) => text.filter(({ field }) => field === name))
  const first = named[0] ?? text.find(({ schema }) => !schema?.is_primary_key)
  return `{{${toName(first?.field ?? collection.key ?? 'id')}}}`
}

/** The fields that a template names. */
export const templatePaths = (collection: Collection): readonly string[] =>
  [...templateOf(collection).matchAll(placeholder)].map(([, path = '']) => path).filter((path) => path !== '')

/** The fields that a template needs, and the key. */
export const templateFields = (collection: Collection): readonly string[] => [
  ...new Set([...(collection.key === null ? [] : [toName(collection.key)]), ...templatePaths(collection)]),
]

const atPath = (row: unknown, path: string): unknown =>
  namesOf(path).reduce<unknown>((value, name) => {
    if (Array.isArray(value)) return value.map((each) => atPath(each, toName(name)))
    return typeof value === 'object' && value !== null ? (value as Row)[name] : undefined
  }, row)

const toLine = (value: unknown): string =>
  Array.isArray(value) ? value.map(toLine).filter(Boolean).join(', ') : typeof value === 'object' ? '' : toText(value)

/** An item in one line. */
export function toItemText(collection: Collection, row: Row): string {
  const text = templateOf(collection).replaceAll(placeholder, (_, path: string) => toLine(atPath(row, path)))
  const trimmed = text.replaceAll(/\s+/g, ' ').trim()
  if (trimmed !== '') return trimmed
  const key = collection.key === null ? undefined : row[collection.key]
  return `#${toText(key ?? row['id'])}`
}

export const toRecordText = (_: Model, collection: Collection, row: Row | undefined): string =>
  row === undefined ? '' : toItemText(collection, row)

/** Fields to read so that a column of a list can be shown. */
export function columnFields(model: Model, collection: Collection, field: string): readonly string[] {
  const related = toOneOf(model, collection.name, field)
  const name = toName(field)
  return related === null ? [name] : templateFields(related).map((path) => `${name}.${path}`)
}
