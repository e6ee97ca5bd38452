/** Which fields are shown in a list, by what they are in a form. */
import { type Collection, type Field, hasFieldRight, type Model } from '../model/model.ts'
import { toName } from '../model/names.ts'
import { templatePaths } from '../model/texts.ts'
import { kindOf } from './kinds.ts'

/** Columns of a new list. */
const first = 6
const longKinds = new Set(['json', 'list', 'markdown', 'html', 'multiline', 'code', 'hash'])

/** A column of type text is as often a name as a story. */
const isLong = (model: Model, field: Field): boolean =>
  longKinds.has(kindOf(model, field)) && (field.type !== 'text' || Boolean(field.meta?.interface))

/** What can be a column. */
export const columnsOf = (collection: Collection): readonly Field[] =>
  collection.fields.filter(({ field, schema }) => schema !== null && hasFieldRight(collection, 'read', field))

/** What names an item comes first, and its key last. */
export function defaultColumns(model: Model, collection: Collection): readonly string[] {
  const names = new Set(templatePaths(collection))
  const place = ({ field, schema }: Field): number => (names.has(toName(field)) ? 0 : schema?.is_primary_key ? 2 : 1)
  return columnsOf(collection)
    .filter((field) => names.has(toName(field.field)) || (!field.meta?.hidden && !isLong(model, field)))
    .toSorted((a, b) => place(a) - place(b))
    .slice(0, first)
    .map(({ field }) => field)
}

/** The columns with one of them at another place. */
export function moved(columns: readonly string[], name: string, place: number): readonly string[] {
  const others = columns.filter((each) => each !== name)
  return [...others.slice(0, place), name, ...others.slice(place)]
}
