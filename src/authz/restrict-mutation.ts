/** Restricts a mutation to the fields, values and rows that the actor may write. */

import { evaluate, type FieldFailure, type Payload } from '../domain/conditions/evaluate.ts'
import { withReferenceColumns } from '../domain/conditions/reference-values.ts'
import { resolveValue, type ValueFacts } from '../domain/conditions/resolve-value.ts'
import { entryOf, memoizeBy } from '../domain/memoize.ts'
import type { Context } from '../domain/ports/context.ts'
import { and, compare, type Filter, type Literal, matchAll, or, type Value } from '../domain/query/filter.ts'
import type { Change, Changes, Mutation, RowAlternative, RowCheck } from '../domain/query/mutation.ts'
import { typeGroups } from '../domain/query/operators.ts'
import type { Action, Rule } from '../domain/rights/actor.ts'
import { TandemError } from '../domain/rights/errors.ts'
import type { Collection, Schema } from '../domain/schema/schema.ts'
import { type CoveredChange, combined, coveredRows, type Gate, throwFailures, unlimited } from './covered-rows.ts'
import { forbidden, isUnlimited, rulesFor, type Scope } from './grants.ts'
import { explainedItems, mustExplain, unexplained } from './level-demands.ts'
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

/** Throws if the actor may not write items of the collection at all, whatever the values are. */
export function assertMayWrite(scope: WriteScope, action: Action, collection: string): void {
  openGate(scope, action, collection)
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

function pass(gate: Gate, submitted: Changes): CoveredChange {
  const { collection, presets, action } = gate
  for (const field of submitted.keys()) {
    const fieldOfName = collection.fields.get(field)
    if (fieldOfName === undefined || (fieldOfName.column === null && fieldOfName.relation === null)) {
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

/**
 * Conditions on the rows as they will be: each required field has a value, or the status asks for none. A change that
 * touches neither the status nor one of these fields is not checked.
 */
export function requiredByStatus(
  { collection, action }: { readonly collection: Collection; readonly action: Action },
  payload: Payload,
): RowAlternative[][] {
  const { requiredBy } = collection
  if (requiredBy === undefined) return []
  const { field: status, statuses, required } = requiredBy
  const touched = action === 'create' || payload.has(status) ? required : required.filter((name) => payload.has(name))
  return touched.map((name) => {
    const isOpen = or(compare(status, 'nin', statuses), compare(status, 'null'))
    return [{ rows: matchAll, after: or(isFilled(collection, name), isOpen), type: 'required' }]
  })
}

const isFilled = ({ fields }: Collection, name: string): Filter => {
  const type = fields.get(name)?.type
  return compare(name, type !== undefined && typeGroups[type] === 'text' ? 'nempty' : 'nnull')
}
