/** Details of the database about a rejected change: for the log, and for callers who may see them. */
import type { DatabaseError } from 'pg'
import { isSystemName } from '../../domain/model/system-collections.ts'
import { TandemError } from '../../domain/rights/errors.ts'
import { isRaised } from './raised.ts'

/** For system collections without values of rows. */
export type Refusal = {
  readonly sqlState: string
  /** A function of the database refused on purpose, with a text of its own. */
  readonly raised: boolean
  readonly message: string
  readonly table: string | null
  readonly column: string | null
  readonly constraint: string | null
  readonly detail: string | null
  readonly hint: string | null
}

/** Null for errors that do not come from the database. */
export function refusalOf(error: unknown): Refusal | null {
  if (error instanceof TandemError) return refusalOf(error.cause)
  if (!isOfDatabase(error)) return null
  const { code = '', message, table = null, column = null, constraint = null, detail = null, hint = null } = error
  const hidden = table !== null && isSystemName(table)
  return {
    sqlState: code,
    raised: isRaised(error),
    message,
    table,
    column,
    constraint,
    detail: hidden ? null : detail,
    hint,
  }
}

/** Both error classes: that of the driver, and that of the embedded database. */
const isOfDatabase = (cause: unknown): cause is DatabaseError =>
  cause instanceof Error && 'severity' in cause && 'code' in cause && typeof cause.code === 'string'

/** Parses `Key (email, "Full Name")=(a@b.c, A B) already exists.` in any language. */
const keyDetail = /\((.+?)\)=\((.*?)\)(?=[^)]*$|,? )/s

/** The columns of the duplicate or missing key, and their values as one text. */
export function keyOfRefusal({
  detail,
}: Refusal): { readonly columns: readonly string[]; readonly value: string } | null {
  const [, names, value] = keyDetail.exec(detail ?? '') ?? []
  if (names === undefined || value === undefined) return null
  return { columns: names.split(', ').map((name) => name.replace(/^"(.*)"$/, '$1').replaceAll('""', '"')), value }
}

/** Whether a condition (CHECK) of a table or domain is not met. */
export const isBrokenCheck = ({ sqlState }: Refusal): boolean => sqlState === '23514'

/** Whether the statement was ended, such as by a limit on its time. */
export const isCanceled = (error: unknown): boolean => refusalOf(error)?.sqlState === '57014'
