/** Completes the fields of the system, which have no settings of their own. */
import type { components } from '../../generated/legacy.ts'
import { systemForms } from './system-forms.ts'

type Field = components['schemas']['Field']

/** Adds fields without a column, and how forms and lists show each field of a collection. */
export const inForms = (collection: string, fields: readonly Field[]): Field[] =>
  fields.flatMap((field) => withoutColumns(collection, field)).map((field) => inForm(collection, field))

/** Whether a collection has settings is a switch like its others; a file has a picture. */
function withoutColumns(collection: string, field: Field): readonly Field[] {
  if (collection === 'platform_collections' && field.field === 'hidden')
    return [{ ...field, field: 'managed', default_value: true }, field]
  if (collection === 'platform_files' && field.field === 'data') return [field, { ...field, field: 'preview' }]
  return [field]
}

/** Settings that the project made stay. */
function inForm(collection: string, field: Field): Field {
  const form = systemForms.get(collection)?.get(field.field ?? '')
  if (form === undefined) return field
  const { type, hidden } = form
  return {
    ...field,
    ...(type === undefined ? {} : { type }),
    ...(type === 'alias' ? { datatype: null, length: null } : {}),
    sort: form.sort,
    default_value: form.default ?? field.default_value,
    interface: field.interface ?? form.interface,
    hidden_detail: field.hidden_detail === true || hidden === 'form' || hidden === 'both',
    hidden_browse: field.hidden_browse === true || hidden === 'list' || hidden === 'both',
    options: field.options ?? (form.options as Field['options']) ?? null,
    readonly: field.readonly === true || form.readonly === true,
    width: field.width ?? form.width ?? 'full',
  }
}
