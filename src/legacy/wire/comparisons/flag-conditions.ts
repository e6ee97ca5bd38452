/** Conditions on booleans by operators for texts and numbers: version 8 had them as the numbers 0 and 1. */
import { refuseQuery } from '../../../domain/conditions/literals.ts'
import { type Filter, matchNone } from '../../../domain/query/filter.ts'
import { isOrdering, type OperatorName } from '../../../domain/query/operators.ts'
import { toText, toValues } from '../lists.ts'
import type { NamedField } from '../parse-scope.ts'

const isLike: ReadonlySet<OperatorName> = new Set(['icontains', 'nicontains', 'like', 'nlike'])

export const isFlagOperator = (operator: OperatorName): boolean => isOrdering(operator) || isLike.has(operator)

/** The condition as the flags for which it holds. */
export function compareFlag(
  { field }: NamedField,
  operator: OperatorName,
  { raw, name }: { readonly raw: unknown; readonly name: string },
): Filter {
  const test = isLike.has(operator) ? likes(operator, toText(raw)) : orders(operator, numbers(raw, name))
  const held = [false, true].filter((flag) => test(Number(flag)))
  if (held.length === 0) return matchNone
  return {
    kind: 'compare',
    operand: { kind: 'field', field: field.name },
    operator: held.length === 1 ? 'eq' : 'nnull',
    values: held.length === 1 ? held : [],
  }
}

type Test = (flag: number) => boolean

/** A digit alone is found by itself, and by a pattern that one character fits. */
function likes(operator: OperatorName, text: string): Test {
  const isPattern = operator === 'like' || operator === 'nlike'
  const negates = operator.startsWith('n')
  return (flag) => {
    const digit = String(flag)
    const rest = text.replaceAll('%', '')
    const found = isPattern ? rest === digit || rest === '_' || (rest === '' && text !== '') : digit.includes(text)
    return found !== negates
  }
}

function orders(operator: OperatorName, [low, high = low]: readonly [number, number?]): Test {
  const tests: { readonly [name: string]: Test } = {
    lt: (flag) => flag < low,
    lte: (flag) => flag <= low,
    gt: (flag) => flag > low,
    gte: (flag) => flag >= low,
    between: (flag) => flag >= low && flag <= high,
    nbetween: (flag) => flag < low || flag > high,
  }
  return tests[operator] ?? (() => false)
}

function numbers(raw: unknown, name: string): readonly [number, number?] {
  const values = toValues(raw).map((each) => (toText(each) === '' ? Number.NaN : Number(each)))
  const [first = Number.NaN] = values
  if (values.some((each) => Number.isNaN(each))) return refuseQuery(name, 'a number', raw)
  return [first, values.at(-1) ?? first]
}
