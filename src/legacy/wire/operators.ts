/** How this generation spells filter operators; a core operator without a row here cannot be asked for. */
import type { OperatorName } from '../../domain/query/operators.ts'

/** Operators on a to-many field that count or list its related rows; they become other core conditions. */
export type ToManyOperator = 'all' | 'has' | 'nhas'

/** Wire spelling → core operator. Contains ignores case here; `rlike` takes a raw pattern of `%` and `_`. */
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

/** The core operator of a wire word, or undefined when this generation has no such word. */
export const toOperator = (word: string): OperatorName | undefined => byWord.get(word.toLowerCase())

/** The to-many operator of a wire word, or undefined. */
export const toToManyOperator = (word: string): ToManyOperator | undefined => toManyByWord.get(word.toLowerCase())
