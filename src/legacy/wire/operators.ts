/** Spellings of filter operators. Core operators without a row here are not available. */
import type { OperatorName } from '../../domain/query/operators.ts'

/** Operators that count or list related rows of a to-many field; they become other core conditions. */
export type ToManyOperator = 'all' | 'has' | 'nhas'

/** Wire spelling → core operator. `contains` ignores case here; `rlike` takes a raw pattern with `%` and `_`. */
export const operatorSpellings = {
  '=': 'eq',
  eq: 'eq',
  '<>': 'neq',
  '!=': 'neq',
  neq: 'neq',
  '<': 'lt',
  lt: 'lt',
  '<=': 'lte',
  lte: 'lte',
  '>': 'gt',
  gt: 'gt',
  '>=': 'gte',
  gte: 'gte',
  in: 'in',
  nin: 'nin',
  null: 'null',
  nnull: 'nnull',
  contains: 'icontains',
  like: 'icontains',
  ncontains: 'nicontains',
  nlike: 'nicontains',
  rlike: 'like',
  nrlike: 'nlike',
  between: 'between',
  nbetween: 'nbetween',
  empty: 'empty',
  nempty: 'nempty',
} as const satisfies { readonly [spelling: string]: OperatorName }

/** Wire spelling → operator on the related rows of a to-many field. */
export const toManySpellings = { all: 'all', has: 'has', nhas: 'nhas' } as const satisfies {
  readonly [spelling: string]: ToManyOperator
}

const byWord: ReadonlyMap<string, OperatorName> = new Map(Object.entries(operatorSpellings))
const toManyByWord: ReadonlyMap<string, ToManyOperator> = new Map(Object.entries(toManySpellings))

/** The core operator of a spelling; undefined if unknown. */
export const toOperator = (word: string): OperatorName | undefined => byWord.get(word.toLowerCase())

/** The to-many operator of a spelling; undefined if unknown. */
export const toToManyOperator = (word: string): ToManyOperator | undefined => toManyByWord.get(word.toLowerCase())
