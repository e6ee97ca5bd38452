/** Lists of values as schemas of their own, so that generators make one type of each and can name it. */
import type { Json } from './current-spec.ts'
import { ownName } from './field-schemas.ts'

type Entries = readonly (readonly [string, Json])[]

/** The schemas with references in place of lists of values, and after them a schema of each list. */
export function withNamedValues(collection: string, schemas: Entries): Entries {
  const lists = new Map<string, Json>()
  const own = schemas.map(([schemaName, { properties, ...rest }]) => {
    const named = Object.entries(properties as { readonly [field: string]: Json }).map(([field, property]) => {
      const { type, enum: values, maxLength: _length, ...beside } = property
      if (values === undefined) return [field, property] as const
      // The field comes first: `Value_status_of_order_item` is not the name of `item_status` of `order`.
      const name = ownName(`${ownName('Value', field)}_of`, collection)
      lists.set(name, { type, enum: values })
      return [field, { $ref: `#/components/schemas/${name}`, ...beside }] as const
    })
    return [schemaName, { ...rest, properties: Object.fromEntries(named) }] as const
  })
  return [...own, ...lists]
}
