/** Which rows of a translation field are shown: those in the languages that were asked for. */

import { compare, type Filter, matchAll } from '../query/filter.ts'
import { TandemError } from '../rights/errors.ts'
import type { Field, FieldRelation, Schema } from './schema.ts'
import type { View } from './view.ts'

type Shown = { readonly schema: Schema; readonly view: View }

type Many = Extract<FieldRelation, { kind: 'one-to-many' }>

/** The rows of a translation field in the languages; all rows of other fields, and without languages. */
export function inLanguages(shown: Shown, field: Field, languages: readonly string[] | null): Filter {
  const { relation } = field
  if (languages === null || relation?.kind !== 'one-to-many' || !field.special.includes('translations')) return matchAll
  const language = relation.junctionField ?? languageField(shown, relation)
  if (language === null)
    throw new TandemError({ kind: 'not-relational', collection: relation.collection, field: 'lang' })
  return compare(language, 'in', languages)
}

/** The column of a translation that holds its language: the one of the type, otherwise one of that name. */
function languageField({ schema, view }: Shown, { collection }: Many): string | null {
  const shown = view.byCore.get(collection)?.byCore
  const fields = [...(schema.collections.get(collection)?.fields.values() ?? [])].filter(({ name }) => shown?.has(name))
  const target =
    fields.find(({ meta }) => meta?.['type'] === 'lang') ?? fields.find(({ name }) => languageNames.has(name))
  return target?.name ?? null
}

const languageNames: ReadonlySet<string> = new Set(['lang', 'language'])
