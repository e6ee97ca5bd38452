/** Cases that are refused by the spec or by their token, whatever the rows are. */
import { type Case, plainCase } from '../verify/src/cases/case.ts'
import type { Operation } from '../verify/src/spec/operations.ts'
import type { Deviation } from './coverage.ts'
import type { WorldCase } from './data-cases.ts'

/** On a server, these cases are not asked again, except for tokens: the run with the embedded database asks them. */
export const isServer = process.env['TEST_DATABASE_URL'] !== undefined

const reason = 'Refused before any database is reached: the run with the embedded database asks.'

/** Responses that a run without these cases need not receive. */
export const unaskedOnServer: readonly Deviation[] = [
  ...[400, 413, 415].map((status) => ({ generation: '*', operation: '*', status, reason })),
  { generation: 'legacy', operation: 'authenticate', status: 422, reason },
]

const isRefusal = ({ kind, needsData, name }: Case): boolean =>
  kind === 'negative' && (!needsData || name === '__proto__')

const isAsked = ({ credentials }: Case): boolean => !isServer || credentials !== 'valid'

/** Bodies above these limits are quickly sent. */
export const smallBodies = {
  MAX_PAYLOAD_SIZE: '100kb',
  MAX_SCHEMA_SIZE: '150kb',
  IMPORT_MAX_FILE_SIZE: '100kb',
  FILES_MAX_UPLOAD_SIZE: '100kb',
} as const

type Refusals = { readonly operation: Operation; readonly cases: readonly WorldCase[] }

export function parted(cases: readonly WorldCase[]): {
  readonly refusals: readonly Refusals[]
  readonly others: readonly WorldCase[]
} {
  const byOperation = Map.groupBy(
    cases.filter((each) => isRefusal(each) && isAsked(each)),
    ({ operation }) => operation,
  )
  return {
    refusals: [...byOperation].map(([operation, of]) => ({ operation, cases: of })),
    others: cases.filter((each) => !isRefusal(each)),
  }
}

/** Whether it is the plainest request of its operation, sent by an administrator. */
export function isPlain({ kind, as, operation, request }: WorldCase): boolean {
  if (kind !== 'positive' || as !== 'admin') return false
  return JSON.stringify(request) === JSON.stringify(plainCase(operation).request)
}
