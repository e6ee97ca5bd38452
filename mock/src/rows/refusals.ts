/** The errors of a database that refuses a change. */
import { type Failure, TandemError } from '../../../src/domain/rights/errors.ts'
import type { Collection, Field } from '../../../src/domain/schema/schema.ts'

type Facts = {
  readonly code: string
  readonly table: string
  readonly column: string
  readonly constraint: string
  readonly detail: string
}

/** With what the server reads from the error of the driver. */
function refused(failure: Failure, message: string, facts: Facts): TandemError {
  return new TandemError(failure, { cause: Object.assign(new Error(message), { severity: 'ERROR', ...facts }) })
}

/** The value is taken by another row. */
export function duplicate(
  { name: table, primaryKey, system }: Collection,
  columns: readonly string[],
  values: readonly string[],
): TandemError {
  const [column = ''] = columns
  const constraint = column === primaryKey || columns.length > 1 ? `${table}_pkey` : `${table}_${column}_key`
  const detail = `Key (${columns.join(', ')})=(${values.join(', ')}) already exists.`
  return refused(
    { kind: 'not-unique', collection: table, field: column, ...(system ? {} : { constraint }) },
    'duplicate key',
    {
      code: '23505',
      table,
      column,
      constraint,
      detail,
    },
  )
}

type Reference = {
  readonly table: string
  readonly constraint: string
  readonly field: string
  readonly system: boolean
}

/** The value names no row, or is named by another row. */
export function badReference({ table, constraint, field, system }: Reference, value: string): TandemError {
  const failure: Failure = { kind: 'invalid-foreign-key', collection: table, field, ...(system ? {} : { constraint }) }
  const detail = `Key (${field})=(${value}) is not present, or is still referenced.`
  return refused(failure, 'violates foreign key constraint', {
    code: '23503',
    table,
    column: field,
    constraint,
    detail,
  })
}

export function missingValue({ name: table }: Collection, { name: column }: Field): TandemError {
  const facts = { code: '23502', table, column, constraint: '', detail: '' }
  return refused({ kind: 'not-null', collection: table, field: column }, 'null value', facts)
}
