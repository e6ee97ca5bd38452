/** Conditions on rows by their keys of several columns, which clients write as one text. */
import { and, type Comparison, equals, type Filter, or } from '../query/filter.ts'
import type { OperatorName } from '../query/operators.ts'
import { splitKey } from '../schema/row-keys.ts'
import type { Collection } from '../schema/schema.ts'
import { type Refuse, toLiteral } from './literals.ts'

/** Operators that compare whole keys. */
const negated = { eq: false, in: false, neq: true, nin: true } as const

type KeyOperator = keyof typeof negated

/** Whether the operator compares whole keys. */
export const isKeyOperator = (operator: OperatorName | undefined): operator is KeyOperator =>
  operator !== undefined && Object.hasOwn(negated, operator)

/** The rows that have, or do not have, one of the keys. */
export function compareWithKeys(
  collection: Collection,
  { operator, keys }: { readonly operator: KeyOperator; readonly keys: readonly unknown[] },
  refuse: Refuse,
): Filter {
  const rows = or(...keys.map((key) => rowFilter(collection, key, refuse)))
  return negated[operator] ? { kind: 'not', filter: rows } : rows
}

function rowFilter({ name, keyColumns, fields }: Collection, key: unknown, refuse: Refuse): Filter {
  const texts = typeof key === 'string' ? splitKey(key, keyColumns.length) : null
  if (texts === null) return refuse(`a key of ${keyColumns.length} columns`)
  const columns = keyColumns.map((column, index): Comparison => {
    const field = fields.get(column)
    if (field === undefined) throw new Error(`Collection ${name} lacks its column ${column}`)
    const value = toLiteral(texts[index], field, refuse)
    return equals(column, value)
  })
  return and(...columns)
}
