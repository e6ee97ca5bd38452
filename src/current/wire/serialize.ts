/** Wraps JSON text from the database in envelopes, without parsing it. */
import { type ReadResult, rowTextOf } from '../../domain/ports/row-store.ts'

/** `{"meta":{…},"data":[…]}` with the requested counts, in pieces. */
export function serializeList({ pieces, counts }: ReadResult): readonly string[] {
  const { total, filtered } = counts
  if (total === undefined && filtered === undefined) return ['{"data":', ...pieces, '}']
  const meta = [
    ...(total === undefined ? [] : [`"total_count":${total}`]),
    ...(filtered === undefined ? [] : [`"filter_count":${filtered}`]),
  ]
  return [`{"meta":{${meta.join(',')}},"data":`, ...pieces, '}']
}

/** `{"data":{…}}` */
export const serializeItem = (json: string): string => `{"data":${json}}`

/** The item of a list with one element. */
export const serializeFirst = (result: Pick<ReadResult, 'pieces'>): string => `{"data":${rowTextOf(result)}}`
