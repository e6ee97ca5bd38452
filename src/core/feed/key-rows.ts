/** The rows whose keys a caller may read. */
import { readGrant } from '../../authz/grants.ts'
import type { ReadContext } from '../../domain/ports/context.ts'
import { and, type Filter } from '../../domain/query/filter.ts'

/** Matches the rows whose key columns are all readable; null if there are none. */
export function keyRows({ actor, schema }: Pick<ReadContext, 'actor' | 'schema'>, collection: string): Filter | null {
  const grant = readGrant(actor, schema, collection)
  const fields = grant.collection.keyColumns.map((name) => grant.fields.get(name))
  if (fields.includes(undefined)) return null
  return and(...fields.flatMap((field) => field?.guard ?? []))
}
