/** Resolves the keys of all rows in the changes of to-many fields, converted to the types of their columns. */

import { describe, toLiteral } from '../../domain/conditions/literals.ts'
import { resolveValue, type ValueFacts } from '../../domain/conditions/resolve-value.ts'
import type { ReadContext } from '../../domain/ports/context.ts'
import type { Key } from '../../domain/query/key.ts'
import type { Change, Changes, KeyedChanges, RelatedChange } from '../../domain/query/mutation.ts'
import { invalidPayload } from '../../domain/rights/errors.ts'
import { manyColumnsOf } from '../../domain/schema/references.ts'
import { joinKey, splitKey } from '../../domain/schema/row-keys.ts'
import type { Collection } from '../../domain/schema/schema.ts'
import { hasSingleKey, toKey } from '../rows/keys.ts'
import { lookUp } from '../rows/look-ups.ts'
import type { Draft } from '../rows/write-batch.ts'
import { pathTo } from '../rows/write-paths.ts'
import { isNumbered } from '../rows/write-rows.ts'
import type { Entry, Item, NamedRows, ToMany } from './plan.ts'

/** An entry before its keys are resolved. */
export type UnresolvedEntry = Omit<Entry, 'change'> & { readonly change: ToMany }

/** Resolves the keys. A row with a composite key is identified by an item with all key fields except the parent's. */
export async function nameRows(
  ctx: ReadContext,
  child: Collection,
  entries: readonly UnresolvedEntry[],
): Promise<readonly Entry[]> {
  const payloads = hasSingleKey(child) ? [] : entries.flatMap(({ change }) => payloadsOf(change))
  const lookedUp = payloads.length === 0 ? nothing : await lookUp(ctx, child, 'update', payloads)
  const facts = { actor: ctx.actor, now: ctx.clock(), lookedUp }
  return entries.map((entry) => ({ ...entry, change: named({ child, entry, facts }, entry.change) }))
}

const nothing: ValueFacts['lookedUp'] = new Map()

const noChanges: Changes = new Map()

function payloadsOf(change: ToMany): readonly Changes[] {
  if (change.kind === 'replace') return change.items.flatMap((item) => (item.kind === 'write' ? [item.changes] : []))
  const { update, upsert = [], erase = [] } = change
  const removed = [...change.delete, ...erase].filter((each) => typeof each === 'object')
  return [...[...update, ...upsert].map(({ changes }) => changes), ...removed]
}

type RelatedScope = { readonly child: Collection; readonly entry: UnresolvedEntry; readonly facts: ValueFacts }

function named(scope: RelatedScope, change: ToMany): NamedRows {
  const at = (...parts: readonly (string | number)[]) => pathTo(scope.entry.path, ...parts)
  if (change.kind === 'replace') {
    const items = change.items.map((item, index): RelatedChange => {
      if (item.kind === 'write') return { kind: 'write', ...findRow(scope, item, at(index)).item }
      return { kind: 'link', key: requireKey(scope, { key: item.key, changes: noChanges }, at(index)).key }
    })
    return { kind: 'replace', items }
  }
  const { create, update, upsert = [], erase = [], isLate } = change
  return {
    kind: 'detail',
    create,
    update: update.map((item, index) => requireKey(scope, item, at('update', index))),
    delete: change.delete.map((each, index) => removedKey(scope, each, at('delete', index))),
    upsert: upsert.map((item, index) => findRow(scope, item, at(index)).item),
    erase: erase.map((each, index) => removedKey(scope, each, at(index))),
    ...(isLate === undefined ? {} : { isLate }),
  }
}

/** `missing`: the key field that is absent or null, so that the item can only be new. */
function findRow(
  scope: RelatedScope,
  { key, changes }: Item,
  path: string,
): { readonly item: Item; readonly missing: string } {
  const { child } = scope
  if (hasSingleKey(child)) {
    return { item: { key: key === null ? null : toKey(child, key), changes }, missing: child.primaryKey }
  }
  if (key !== null) return { item: { key: compositeKey(child, key, path), changes }, missing: child.primaryKey }
  const parts = child.keyColumns.map((name) => [name, keyPart(scope, name, { changes, path })] as const)
  const missing = parts.find(([, part]) => part === null)
  if (missing !== undefined) return { item: { key: null, changes }, missing: missing[0] }
  const isNamed = ([name, change]: readonly [string, Change]) =>
    change.kind !== 'value' || !child.keyColumns.includes(name)
  const rest = new Map([...changes].filter(isNamed))
  return { item: { key: toKey(child, joinKey(parts.map(([, part]) => part))), changes: rest }, missing: '' }
}

function compositeKey(child: Collection, key: Key, path: string): Key {
  try {
    return toKey(child, key)
  } catch (cause) {
    const fields = child.keyColumns.map((name) => `"${name}"`).join(' and ')
    const reason = `Expected an object but received ${describe(key)}: ${fields} together are the key of "${child.name}"`
    throw invalidPayload(path, reason, cause)
  }
}

/** An object in a key field stands for its key. */
function keyPart(
  { child, entry, facts }: RelatedScope,
  name: string,
  { changes, path }: Pick<Draft, 'changes' | 'path'>,
) {
  const change = changes.get(name)
  const field = child.fields.get(name)
  if (field === undefined) throw new Error(`Collection ${child.name} lacks its key ${name}`)
  if (change === undefined) return parentPart(entry, name)
  if (change.kind !== 'value' && change.kind !== 'one') return null
  const message = change.kind === 'one' ? change.key : change.value
  const value = isNumbered(field, message) ? resolveValue(message, facts) : message
  if (value === null) return null
  return toLiteral(value, field, (expected) => {
    throw invalidPayload(pathTo(path, name), `Expected ${expected} for field "${name}" but received ${describe(value)}`)
  })
}

/** The part of the parent's key that the column refers to; null for other columns. */
function parentPart({ relation, parent }: UnresolvedEntry, name: string): Key | null {
  const columns = manyColumnsOf(relation.relation)
  const index = columns.indexOf(name)
  if (index < 0) return null
  return columns.length === 1 ? parent.key : (splitKey(String(parent.key), columns.length)?.[index] ?? null)
}

/** The item identifies an existing row. */
function requireKey(scope: RelatedScope, input: Item, path: string): KeyedChanges {
  const { item, missing } = findRow(scope, input, path)
  const { key, changes } = item
  if (key === null)
    throw invalidPayload(
      pathTo(path, missing),
      `Expected the key field "${missing}" of an item of "${scope.child.name}"`,
    )
  return { key, changes }
}

/** A row to delete is identified by its key, or by an item that contains only key fields. */
function removedKey(scope: RelatedScope, input: Key | Changes, path: string): Key {
  const item = typeof input === 'object' ? { key: null, changes: input } : { key: input, changes: noChanges }
  const { key, changes } = requireKey(scope, item, path)
  const [other] = changes.keys()
  if (other === undefined) return key
  throw invalidPayload(pathTo(path, other), 'Expected nothing but the fields of the key, each with its value')
}
