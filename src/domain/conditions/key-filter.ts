/** Conditions on rows by their keys of several columns, which clients write as one text. */
import { and, equals, type Filter, or } from '../query/filter.ts'
import type { OperatorName } from '../query/operators.ts'
import type { Collection } from '../schema/schema.ts'
import { keyLiterals, type Refuse } from './literals.ts'

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
  const rows = or(
    ...keys.map((key) =>
      and(
        ...keyLiterals(collection, collection.keyColumns, key, refuse).map(([column, value]) => equals(column, value)),
      ),
    ),
  )
  return negated[operator] ? { kind: 'not', filter: rows } : rows
}
