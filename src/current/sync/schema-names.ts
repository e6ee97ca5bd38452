/** Checks names that an entry of a snapshot repeats in its parts: they are not used, so they must agree. */
import { invalidPayload } from '../../domain/rights/errors.ts'
import { type Entry, type Part, placeOf } from './schema-snapshot.ts'

/** For each part of an entry: which key repeats which name. */
const repeated: { readonly [P in Part]: { readonly [Key in 'meta' | 'schema']: { readonly [key: string]: string } } } =
  {
    collections: { meta: { collection: 'collection' }, schema: { name: 'collection' } },
    fields: { meta: { collection: 'collection', field: 'field' }, schema: { table: 'collection', name: 'field' } },
    relations: {
      meta: { many_collection: 'collection', many_field: 'field', one_collection: 'related_collection' },
      schema: { table: 'collection', column: 'field', foreign_key_table: 'related_collection' },
    },
  }

/** Null is ignored. */
export function assertNames(part: Part, entry: Entry): void {
  for (const key of ['meta', 'schema'] as const) {
    const values = entry[key] as Entry | null
    if (values === null) continue
    for (const [repeating, name] of Object.entries(repeated[part][key])) {
      const [expected = null, received = null] = [entry[name], values[repeating]]
      if (received === null || received === expected) continue
      const place = `${key}.${repeating}`
      const reason = `Expected ${JSON.stringify(expected)} for "${place}" of "${placeOf(entry as { collection: string })}" in "${part}" but received ${JSON.stringify(received)}`
      throw invalidPayload(part, reason)
    }
  }
}
