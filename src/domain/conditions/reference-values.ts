/** Values of foreign keys of several columns, which are written as their columns. */

import type { Literal } from '../query/filter.ts'
import type { Change, Changes } from '../query/mutation.ts'
import { invalidPayload } from '../rights/errors.ts'
import { referenceColumns } from '../schema/references.ts'
import type { Collection, Field } from '../schema/schema.ts'
import { describe, keyLiterals } from './literals.ts'

/**
 * The changes with the columns of each foreign key in place of its value. Rights to the columns decide, so call it before
 * they are checked. Throws `invalid-payload` for what is no key, and for a column whose own value differs.
 */
export function withReferenceColumns(collection: Collection, changes: Changes): Changes {
  const named = [...changes].flatMap(([name, change]) => {
    const field = collection.fields.get(name)
    const columns = field === undefined ? null : referenceColumns(field)
    return field === undefined || columns === null || change.kind !== 'value' ? [] : [{ field, columns, change }]
  })
  if (named.length === 0) return changes
  const all = new Map<string, Change>(changes)
  for (const { field, columns, change } of named) {
    all.delete(field.name)
    const parts =
      change.value === null ? emptied(collection, field, columns) : partsOf(collection, field, columns, change.value)
    for (const [name, value] of parts) {
      const own = all.get(name)
      if (own !== undefined && !isSame(own, value)) {
        throw invalidPayload(field.name, `Expected the fields "${field.name}" and "${name}" to agree`)
      }
      all.set(name, { kind: 'value', value })
    }
  }
  return all
}

const isSame = (change: Change, value: Literal): boolean =>
  change.kind === 'value' && textOf(change.value) === textOf(value)

const textOf = (value: unknown): string => JSON.stringify(typeof value === 'number' ? String(value) : value)

type KeyParts = ReadonlyMap<string, Literal>

/** A reference is empty if one of its columns is null. Columns of the row's own key keep their values. */
function emptied(collection: Collection, { name }: Field, columns: readonly string[]): KeyParts {
  const nullable = columns.filter((each) => collection.fields.get(each)?.column?.nullable === true)
  if (nullable.length === 0) throw invalidPayload(name, `Expected a key for field "${name}" but received null`)
  return new Map(nullable.map((each) => [each, null]))
}

function partsOf(collection: Collection, { name }: Field, columns: readonly string[], value: unknown): KeyParts {
  const reason = `Expected a key of ${columns.length} columns for field "${name}" but received ${describe(value)}`
  return new Map(
    keyLiterals(collection, columns, value, () => {
      throw invalidPayload(name, reason)
    }),
  )
}
