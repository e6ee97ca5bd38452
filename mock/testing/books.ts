import type { Snapshot } from '../src/mock.ts'

type Fields = { readonly [name: string]: { readonly type: string; readonly schema: object } }

/** The data model of one collection: `books`, with a number as key and these fields. */
export function booksWith(others: Fields): Snapshot {
  const schema = { data_type: 'integer', is_nullable: false, is_primary_key: true, has_auto_increment: true }
  const fields = Object.entries({ id: { type: 'integer', schema }, ...others })
  return {
    collections: [{ collection: 'books', schema: { name: 'books' } }],
    fields: fields.map(([field, more]) => ({ collection: 'books', field, ...more })),
    relations: [],
  }
}
