/** Restricts a mutation to the fields, values and rows that the actor may write. */

import { evaluate, type FieldFailure, type Payload } from '../domain/conditions/evaluate.ts'
import { withReferenceColumns } from '../domain/conditions/reference-values.ts'
import { resolveValue, type ValueFacts } from '../domain/conditions/resolve-value.ts'
import { entryOf, memoizeBy } from '../domain/memoize.ts'
import type { Context } from '../domain/ports/context.ts'
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
import type { Change, Changes, Mutation, RowAlternative, RowCheck } from '../domain/query/mutation.ts'
import type { Action, Actor, Rule } from '../domain/rights/actor.ts'
import { TandemError } from '../domain/rights/errors.ts'
import type { Collection, Schema } from '../domain/schema/schema.ts'
import { covers, forbidden, isUnlimited, rulesFor, type Scope } from './grants.ts'
import { explainedItems, mustExplain, unexplained } from './levels.ts'
import { requiredByStatus } from './required-fields.ts'
import { rowCondition, splitValidation } from './row-conditions.ts'

/** The inputs of a decision about a write. For `lookedUp` see `ValueFacts`. */
export type WriteScope = Scope &
  Pick<Context, 'clock'> & {
    readonly lookedUp?: ValueFacts['lookedUp']
    /** With the reason for the write, if the client gave one. */
    readonly request?: Pick<Context['request'], 'history'>
  }

/** Restricts a mutation. The write of a singleton must be resolved to a create or an update first. */
export function restrictMutation(scope: WriteScope, mutation: Mutation): Mutation {
  switch (mutation.kind) {
    case 'create': {
      const gate = openGate(scope, 'create', mutation.collection)
      const passed = mutation.items.map((changes) => pass(gate, changes))
      return { ...mutation, items: passed.map(({ changes }) => changes), after: passed.map(({ after }) => after) }
    }
    case 'update':
      return { ...mutation, ...pass(openGate(scope, 'update', mutation.collection), mutation.changes) }
    case 'update-each': {
      const gate = openGate(scope, 'update', mutation.collection)
      return { ...mutation, items: mutation.items.map(({ key, changes }) => ({ key, ...pass(gate, changes) })) }
    }
    case 'delete': {
      const gate = openGate(scope, 'delete', mutation.collection)
      const { rules } = gate
      return { ...mutation, rows: rules === null ? matchAll : explained(gate, combined(rules, [rules])) }
    }
    case 'write-singleton':
      throw new Error('A singleton is written by a create or an update')
  }
}

/** The collection to write. Throws `forbidden` if it does not exist or cannot be written. */
export function writableCollection(schema: Schema, action: Action, name: string): Collection {
  const collection = schema.collections.get(name)
  if (collection === undefined || collection.table === null) throw forbidden(action, name)
  return collection
}

/** The rules of one action (null = unlimited), and the data to check payloads with. */
type Gate = {
  readonly action: Action
  readonly actor: Actor
  readonly collection: Collection
  readonly rules: readonly Rule[] | null
  readonly presets: ReadonlyMap<string, Change>
  readonly resolve: (value: Value) => Literal | readonly Literal[]
  /** The items that cannot be written without a reason; null = none, or there is a reason. */
  readonly unexplained: Comparison | null
}

function openGate(scope: WriteScope, action: Action, name: string): Gate {
  const { actor, schema } = scope
  const collection = writableCollection(schema, action, name)
  const rules = isUnlimited(actor) ? null : rulesFor(actor, name, action)
  if (rules?.length === 0) throw forbidden(action, name)
  const isExplained = scope.request?.history?.comment != null
  if (!isExplained && mustExplain(actor, action, name)) throw unexplained(name)
  assertSupported(collection, action)
  const facts: ValueFacts = { actor, now: scope.clock(), lookedUp: scope.lookedUp ?? new Map() }
  const resolve = (value: Value) => resolveValue(value, facts)
  const presets = presetsOf(rules ?? [], collection, resolve)
  const due = isExplained ? null : explainedItems(actor, action, collection)
  return { action, actor, collection, rules, presets, resolve, unexplained: due }
}

/** Refuses writes that the database cannot do on the table or view. Rights come first. */
function assertSupported({ name, changes, keyColumns }: Collection, action: Action): void {
  if (action !== 'create' && action !== 'update' && action !== 'delete') return
  if (changes[action]) return
  const hasNoKey = action !== 'create' && keyColumns.length === 0
  const reason = hasNoKey
    ? `The rows of "${name}" have no key, so that none can be named`
    : `The database takes no "${action}" for rows of "${name}"`
  throw new TandemError({ kind: 'unprocessable', reason })
}

/** The presets of all rules of the action, merged. If two rules set one field, the later rule wins. */
function presetsOf(
  rules: readonly Rule[],
  collection: Collection,
  resolve: Gate['resolve'],
): ReadonlyMap<string, Change> {
  const presets = new Map<string, Change>()
  for (const rule of rules) {
    for (const [field, preset] of Object.entries(rule.presets ?? {})) {
      if (!collection.fields.has(field)) continue
      const value = Array.isArray(preset) ? preset : resolve(preset as Value)
      presets.set(field, { kind: 'value', value })
    }
  }
  return withReferenceColumns(collection, presets)
}

type Passed = { readonly changes: Changes; readonly rows: Filter; readonly after: RowCheck }

function pass(gate: Gate, submitted: Changes): Passed {
  const { collection, presets, action } = gate
  for (const field of submitted.keys()) {
    const found = collection.fields.get(field)
    if (found === undefined || (found.column === null && found.relation === null)) {
      throw forbidden(action, collection.name, field)
    }
  }
  const changes = presets.size === 0 ? submitted : new Map([...presets, ...submitted])
  const payload = toPayload(changes)
  const covered = gate.rules === null ? unlimited : coveredRows(gate, gate.rules, submitted, payload)
  const after = [...covered.after, ...checkFields(gate, payload)]
  if (action === 'create') assertExplained(gate, payload)
  return { changes, rows: action === 'create' ? covered.rows : explained(gate, covered.rows), after }
}

/** Throws for a new item that its status does not let be made without a reason. */
function assertExplained({ collection, unexplained: due }: Gate, payload: Payload): void {
  if (due?.operand.kind !== 'field') return
  const { field } = due.operand
  const status = payload.get(field) ?? collection.fields.get(field)?.column?.defaultValue
  if (due.values.includes(status as Literal)) throw unexplained(collection.name)
}

const reduced = memoizeBy<Filter, Map<string, Filter>>(() => new Map())

/** Without the items that cannot be written without a reason. The same object for the same input, as `combined`. */
function explained({ unexplained: due }: Gate, rows: Filter): Filter {
  if (due === null) return rows
  return entryOf(reduced(rows), JSON.stringify([due.operand, due.values]), () =>
    and(rows, or({ ...due, operator: 'nin' }, { ...due, operator: 'null', values: [] })),
  )
}

function toPayload(changes: Changes): Payload {
  const payload = new Map<string, unknown>()
  for (const [field, change] of changes) payload.set(field, change.kind === 'value' ? change.value : undefined)
  return payload
}

/**
 * Filter on the rows that may be written. For each field one rule must name the field, accept the payload and match the
 * row. Two rules are never combined to cover one field of one row.
 */
function coveredRows(
  gate: Gate,
  rules: readonly Rule[],
  submitted: Changes,
  payload: Payload,
): Omit<Passed, 'changes'> {
  const { action, collection } = gate
  const named = [...submitted.keys()].map((field) => {
    const covering = rules.filter((rule) => covers(rule, field))
    if (covering.length === 0) throw forbidden(action, collection.name, field)
    return covering
  })
  const broken = new Map(rules.map((rule) => [rule, broke(gate, rule, payload)] as const))
  const sets = named.length === 0 ? [rules] : named
  const filters = sets.map((covering) => {
    const met = covering.filter((rule) => broken.get(rule)?.length === 0)
    if (met.length === 0) throwFailures(covering.flatMap((rule) => broken.get(rule) ?? []))
    return met
  })
  const distinct = filters.filter((met, index) => filters.findIndex((other) => isSame(other, met)) === index)
  return { rows: combined(rules, distinct), after: checksOf(gate, distinct, payload) }
}

const unlimited: Omit<Passed, 'changes'> = { rows: matchAll, after: [] }

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
function combined(rules: readonly Rule[], sets: readonly (readonly Rule[])[]): Filter {
  const [first] = rules
  if (first === undefined) return matchNone
  const name = sets.map((set) => set.map((rule) => rules.indexOf(rule)).join(',')).join(';')
  return entryOf(combinations(first), name, () => and(...sets.map((set) => or(...set.map((rule) => rule.filter)))))
}

const isSame = (left: readonly Rule[], right: readonly Rule[]): boolean =>
  left.length === right.length && left.every((rule, index) => rule === right[index])

function broke(gate: Gate, rule: Rule, payload: Payload): readonly FieldFailure[] {
  if (rule.validation === null) return []
  return evaluate(splitValidation(rule.validation, gate.collection).payload, payload, gate)
}

/**
 * Checks the validation of fields. It applies to every actor, except to internal writes of the server. Returns the
 * conditions on related rows.
 */
function checkFields(gate: Gate, payload: Payload): RowCheck {
  if (gate.actor.kind === 'system') return []
  const failures: FieldFailure[] = []
  const checks: RowAlternative[][] = [...requiredByStatus(gate, payload)]
  for (const name of payload.keys()) {
    const field = gate.collection.fields.get(name)
    if (field === undefined || field.validation === null) continue
    const { collection, resolve } = gate
    const message = field.validationMessage
    const split = splitValidation(field.validation, collection)
    failures.push(...evaluate(split.payload, payload, { collection, resolve, message }))
    if (split.row.kind === 'all') continue
    checks.push([{ rows: matchAll, after: rowCondition(split.row, payload, { collection, resolve }), message }])
  }
  if (failures.length > 0) throwFailures(failures)
  return checks
}

function throwFailures(failures: readonly FieldFailure[]): never {
  const seen = new Set<string>()
  const distinct = failures.filter(({ field, type }) => !seen.has(`${type} ${field}`) && seen.add(`${type} ${field}`))
  throw new TandemError(distinct as readonly FieldFailure[] as [FieldFailure, ...FieldFailure[]])
}
