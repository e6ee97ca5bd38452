/** Converts authorized changes to rows of columns: automatic values, checks, and the delta for history. */

import { resolveValue, type ValueFacts } from '../../domain/conditions/resolve-value.ts'
import type { Context } from '../../domain/ports/context.ts'
import type { Row } from '../../domain/ports/row-store.ts'
import { isDynamic, type Value } from '../../domain/query/filter.ts'
import type { Change, Changes } from '../../domain/query/mutation.ts'
import { type Failure, invalidPayload, TandemError } from '../../domain/rights/errors.ts'
import { isComputedOn } from '../../domain/schema/computed.ts'
import { holdsCredentials } from '../../domain/schema/credentials.ts'
import type { Collection, Field } from '../../domain/schema/schema.ts'
import { automaticValue, slugOf } from './automatic-values.ts'
import { type HashContext, isHashed, isUnchangedMask, mask, toHash } from './hashed-values.ts'
import { computed, toStored } from './values.ts'

/** `columns` in a fixed order. `delta` by field name, with masks for secrets. */
export type WrittenRow = { readonly columns: readonly string[]; readonly row: Row; readonly delta: Row }

export type RowTarget = {
  readonly collection: Collection
  readonly action: 'create' | 'update'
  readonly lookedUp: ValueFacts['lookedUp']
}

export type RowContext = HashContext & Pick<Context, 'clock' | 'ids'>

/** The row to write. All failures are reported together, each with its field. */
export async function toRow(ctx: RowContext, changes: Changes, target: RowTarget): Promise<WrittenRow> {
  const { collection, action } = target
  const failures: Failure[] = []
  const row: Record<string, unknown> = {}
  const delta: Record<string, unknown> = {}
  const valueOf = (name: string): unknown => {
    const change = changes.get(name)
    return change?.kind === 'value' ? change.value : undefined
  }
  for (const field of collection.fields.values()) {
    const submitted = submittedValue(ctx, field, changes.get(field.name), target)
    const input = submitted === undefined ? slugOf(field, valueOf) : submitted
    const value = automaticValue(ctx, field, action, submitted) ?? input
    if (value === undefined || isGeneratedKey(field, value)) {
      if (action === 'create' && isRequired(field)) failures.push(missing(field, 'required'))
      continue
    }
    try {
      if (field.column === null) throw nestedChange(field)
      if (isComputedOn(action, field)) throw computed(field)
      const stored = toStored(collection, field, value)
      if (stored === null && !field.column.nullable) failures.push(missing(field, 'nnull'))
      const hidden = field.concealed || field.type === 'hash' || isHashed(field)
      row[field.column.name] = isHashed(field) ? await toHash(ctx, field, stored) : stored
      // History contains geometries as GeoJSON, not as text of the database.
      const recorded = field.type === 'geometry' ? value : stored
      if (!holdsCredentials(collection.name, field.name))
        delta[field.name] = hidden && stored !== null ? mask : recorded
    } catch (error) {
      if (!(error instanceof TandemError)) throw error
      failures.push(...error.failures)
    }
  }
  const [first, ...rest] = failures
  if (first !== undefined) throw new TandemError([first, ...rest])
  return { columns: Object.keys(row), row, delta }
}

/** The changes without masks that were sent back. */
export function withoutMasks(collection: Collection, changes: Changes): Changes {
  const isMask = ([name, change]: readonly [string, Change]): boolean => {
    const field = collection.fields.get(name)
    return field !== undefined && change.kind === 'value' && isUnchangedMask(field, change.value)
  }
  const entries = [...changes]
  return entries.some(isMask) ? new Map(entries.filter((entry) => !isMask(entry))) : changes
}

/** The error for a value of a field that accepts only nested changes. */
function nestedChange({ name }: Field): TandemError {
  const reason = `Expected a list of related items, or an object with "create", "update" and "delete", for field "${name}"`
  return invalidPayload(name, reason)
}

function submittedValue(ctx: RowContext, field: Field, change: Change | undefined, target: RowTarget): unknown {
  if (change === undefined) return undefined
  switch (change.kind) {
    case 'value':
      return isNumbered(field, change.value) ? lookedUpKey(ctx, field, change.value, target) : change.value
    case 'one':
    case 'erase':
      throw new Error(`The related item of ${field.name} is written first`)
    case 'replace':
    case 'detail':
      // Related rows are written after this row.
      return undefined
  }
}

/** References by number are resolved only for key columns; in a JSON field they are plain JSON. */
export function isNumbered(field: Field, value: unknown): value is Extract<Value, { kind: 'numbered' }> {
  if (field.type !== 'uuid' || typeof value !== 'object' || value === null) return false
  return isDynamic(value as Value) && (value as { kind: string }).kind === 'numbered'
}

function lookedUpKey(ctx: RowContext, field: Field, value: Value, target: RowTarget): unknown {
  const key = resolveValue(value, { actor: ctx.actor, now: ctx.clock(), lookedUp: target.lookedUp })
  if (key !== null) return key
  throw new TandemError({ kind: 'invalid-foreign-key', collection: target.collection.name, field: field.name })
}

/** For a generated key, `null` means: generate it. */
const isGeneratedKey = ({ column }: Field, value: unknown): boolean =>
  value === null && column !== null && column.primaryKey && (column.autoIncrement || column.hasDefault)

const isRequired = ({ column }: Field): boolean =>
  column !== null && !column.nullable && !column.hasDefault && !column.autoIncrement && !column.generated

const missing = (field: Field, type: 'required' | 'nnull'): Failure => ({
  kind: 'failed-validation',
  field: field.name,
  type,
})
