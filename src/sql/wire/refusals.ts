/** What the database itself says about a change that it refused: for the log, and for whoever may know it. */
import type { DatabaseError } from 'pg'
import { isSystemName } from '../../domain/model/system-collections.ts'
import { TandemError } from '../../domain/rights/errors.ts'

/** Of a system collection without what its rows hold. */
export type Refusal = {
  readonly sqlState: string
  readonly message: string
  readonly table: string | null
  readonly column: string | null
  readonly constraint: string | null
  readonly detail: string | null
  readonly hint: string | null
}

/** Null for an error that has nothing to do with the database. */
export function refusalOf(error: unknown): Refusal | null {
  const cause = error instanceof TandemError ? error.cause : error
  if (!isOfDatabase(cause)) return null
  const { code = '', message, table = null, column = null, constraint = null, detail = null, hint = null } = cause
  const hidden = table !== null && isSystemName(table)
  return { sqlState: code, message, table, column, constraint, detail: hidden ? null : detail, hint }
}

/** Whoever made it: the driver, or the embedded engine. */
const isOfDatabase = (cause: unknown): cause is DatabaseError =>
  cause instanceof Error && 'severity' in cause && 'code' in cause && typeof cause.code === 'string'

/** `Key (email, "Full Name")=(a@b.c, A B) already exists.` in any language. */
const keyDetail = /\((.+?)\)=\((.*?)\)(?=[^)]*$|,? )/s

/** The columns of the key that is taken, or that leads nowhere, and their values as one text. */
export function keyOfRefusal({
  detail,
}: Refusal): { readonly columns: readonly string[]; readonly value: string } | null {
  const [, names, value] = keyDetail.exec(detail ?? '') ?? []
  if (names === undefined || value === undefined) return null
  return { columns: names.split(', ').map((name) => name.replace(/^"(.*)"$/, '$1').replaceAll('""', '"')), value }
}
