/** Wraps JSON text from the database in envelopes, without parsing it. */
import { type ReadResult, rowTextOf } from '../../domain/ports/row-store.ts'

/** `{"meta":{…},"data":[…]}` with the requested counts, in pieces. */
export function serializeList({ pieces, counts }: ReadResult): readonly string[] {
  const { total, filtered, estimated } = counts
  const meta = [
    ...(total === undefined ? [] : [`"total_count":${total}`]),
    ...(filtered === undefined ? [] : [`"filter_count":${filtered}`]),
    ...(estimated === undefined ? [] : [`"estimated_count":${estimated}`]),
  ]
  if (meta.length === 0) return ['{"data":', ...pieces, '}']
  return [`{"meta":{${meta.join(',')}},"data":`, ...pieces, '}']
}

/** `{"data":{…}}` */
export const serializeItem = (json: string): string => `{"data":${json}}`

/** The item of a list with one element. */
export const serializeFirst = (result: Pick<ReadResult, 'pieces'>): string => `{"data":${rowTextOf(result)}}`
