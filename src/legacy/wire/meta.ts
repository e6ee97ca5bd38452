/** `meta`: the requested metadata of an answer. */
import { refuseQuery } from '../../domain/conditions/literals.ts'
import type { CountName } from '../../domain/query/query.ts'
import { toWords } from './lists.ts'

const pagingKeys = ['limit', 'offset', 'page', 'page_count', 'links'] as const

const metaKeys = [
  'collection',
  'type',
  'result_count',
  'total_count',
  'status_count',
  'filter_count',
  ...pagingKeys,
] as const

export type MetaKey = (typeof metaKeys)[number] | 'table'

/** Words that mean several keys. */
const expansions: ReadonlyMap<string, readonly MetaKey[]> = new Map<string, readonly MetaKey[]>([
  ...metaKeys.map((key): [string, readonly MetaKey[]] => [key, [key]]),
  ['*', metaKeys],
  ['page', pagingKeys],
  ['status', ['status_count']],
  ['table', ['table']],
])

/** The requested keys, in the order of the answer. */
export function parseMeta(raw: unknown): ReadonlySet<MetaKey> {
  const words = toWords(raw, 'meta')
  const wanted = words.flatMap((word) => expansions.get(word) ?? refuseQuery('meta', 'a known key or "*"', word))
  return new Set(wanted)
}

export function countsFor(keys: ReadonlySet<MetaKey>): readonly CountName[] {
  const filtered = keys.has('filter_count') || keys.has('page_count') || keys.has('links') || keys.has('page')
  return [...(keys.has('total_count') ? (['total'] as const) : []), ...(filtered ? (['filtered'] as const) : [])]
}
