/** Parses the validation of fields. */

import { parseFilter } from '../conditions/filter-json.ts'
import { memoizeBy } from '../memoize.ts'
import type { Log } from '../ports/context.ts'
import type { Filter } from '../query/filter.ts'
import type { Collection, Field, Schema } from '../schema/schema.ts'
import { objectAt } from './metadata.ts'

/** Parses the validation of fields; this needs the complete list of fields. */
export function withValidation(schema: Schema, log: Log): Schema {
  const collections = new Map(schema.collections)
  for (const collection of schema.collections.values()) {
    const fields = validatedFields(collection)
    if (fields.length === 0) continue
    const checked = new Map(collection.fields)
    for (const field of fields) {
      checked.set(field.name, { ...field, validation: validationOf(field, collection.name, { schema, log }) })
    }
    collections.set(collection.name, { ...collection, fields: checked })
  }
  return { ...schema, collections }
}

const validatedFields = memoizeBy((collection: Collection): readonly Field[] =>
  [...collection.fields.values()].filter((field) => objectAt(field.meta, 'validation')),
)

function validationOf(
  field: Field,
  collection: string,
  { schema, log }: { readonly schema: Schema; readonly log: Log },
): Filter | null {
  const json = objectAt(field.meta, 'validation')
  const options = { name: 'validation', depth: 1, dynamicPaths: false, validation: true }
  try {
    return parseFilter(json, { schema, collection }, options)
  } catch (error) {
    log.warn({ collection, field: field.name, err: error }, 'The validation of a field cannot be read; it is left out')
    return null
  }
}
