/** The rows that an actor may write: for each field of a change, the rows of the rules that name it and accept the payload. */

import { evaluate, type FieldFailure, type Payload } from '../domain/conditions/evaluate.ts'
import { entryOf, memoizeBy } from '../domain/memoize.ts'
import {
  and,
  type Comparison,
  type Filter,
  type Literal,
  matchAll,
  matchNone,
  or,
  type Value,
} from '../domain/query/filter.ts'
import type { Change, Changes, RowCheck } from '../domain/query/mutation.ts'
import type { Action, Actor, Rule } from '../domain/rights/actor.ts'
import { TandemError } from '../domain/rights/errors.ts'
import type { Collection } from '../domain/schema/schema.ts'
import { covers, forbidden } from './grants.ts'
import { rowCondition, splitValidation } from './row-conditions.ts'

/** The rules of one action (null = unlimited), and the data to check payloads with. */
export type Gate = {
  readonly action: Action
  readonly actor: Actor
  readonly collection: Collection
  readonly rules: readonly Rule[] | null
  readonly presets: ReadonlyMap<string, Change>
  readonly resolve: (value: Value) => Literal | readonly Literal[]
  /** The items that cannot be written without a reason; null = none, or there is a reason. */
  readonly unexplained: Comparison | null
}

/**
 * Filter on the rows that may be written. For each field one rule must name the field, accept the payload and match the
 * row. Two rules are never combined to cover one field of one row.
 */
export function coveredRows(
  gate: Gate,
  rules: readonly Rule[],
  submitted: Changes,
  payload: Payload,
): Omit<CoveredChange, 'changes'> {
  const { action, collection } = gate
  const named = [...submitted.keys()].map((field) => {
    const covering = rules.filter((rule) => covers(rule, field))
    if (covering.length === 0) throw forbidden(action, collection.name, field)
    return covering
  })
  const broken = new Map(rules.map((rule) => [rule, failuresOf(gate, rule, payload)] as const))
  const sets = named.length === 0 ? [rules] : named
  const filters = sets.map((covering) => {
    const met = covering.filter((rule) => broken.get(rule)?.length === 0)
    if (met.length === 0) throwFailures(covering.flatMap((rule) => broken.get(rule) ?? []))
    return met
  })
  const distinct = filters.filter((met, index) => filters.findIndex((other) => isSame(other, met)) === index)
  return { rows: combined(rules, distinct), after: checksOf(gate, distinct, payload) }
}

export const unlimited: Omit<CoveredChange, 'changes'> = { rows: matchAll, after: [] }

/** The conditions of the rules on related rows. */
function checksOf(gate: Gate, sets: readonly (readonly Rule[])[], payload: Payload): RowCheck {
  const { action, collection } = gate
  const isPlain = ({ validation }: Rule): boolean =>
    validation === null || splitValidation(validation, collection).row.kind === 'all'
  // A new row meets a rule without such conditions. Of a changed row it is not known yet which rules it matches.
  const checked = sets.filter((set) => !(action === 'create' ? set.some(isPlain) : set.every(isPlain)))
  return checked.map((set) =>
    set.map((rule) => ({
      rows: action === 'create' ? matchAll : rule.filter,
      after:
        rule.validation === null
          ? matchAll
          : rowCondition(splitValidation(rule.validation, collection).row, payload, gate),
    })),
  )
}

/** Cache of combined filters. The key is the first rule: each access has rule objects of its own. */
const combinations = memoizeBy<Rule, Map<string, Filter>>(() => new Map())

/** AND of ORs: one rule of each set must match. Returns the same object for the same input: it is a key of the compile cache. */
export function combined(rules: readonly Rule[], sets: readonly (readonly Rule[])[]): Filter {
  const [first] = rules
  if (first === undefined) return matchNone
  const name = sets.map((set) => set.map((rule) => rules.indexOf(rule)).join(',')).join(';')
  return entryOf(combinations(first), name, () => and(...sets.map((set) => or(...set.map((rule) => rule.filter)))))
}

const isSame = (left: readonly Rule[], right: readonly Rule[]): boolean =>
  left.length === right.length && left.every((rule, index) => rule === right[index])

function failuresOf(gate: Gate, rule: Rule, payload: Payload): readonly FieldFailure[] {
  if (rule.validation === null) return []
  return evaluate(splitValidation(rule.validation, gate.collection).payload, payload, gate)
}

export function throwFailures(failures: readonly FieldFailure[]): never {
  const seen = new Set<string>()
  const distinct = failures.filter(({ field, type }) => !seen.has(`${type} ${field}`) && seen.add(`${type} ${field}`))
  throw new TandemError(distinct as readonly FieldFailure[] as [FieldFailure, ...FieldFailure[]])
}

export type CoveredChange = { readonly changes: Changes; readonly rows: Filter; readonly after: RowCheck }
