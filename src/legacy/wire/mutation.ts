/** Parses bodies of writes into a core `Mutation`. */

import { isJsonObject, withDigits } from '../../domain/conditions/exact-numbers.ts'
import { describe } from '../../domain/conditions/literals.ts'
import { isRecord } from '../../domain/is-record.ts'
import type { Value } from '../../domain/query/filter.ts'
import type { Key } from '../../domain/query/key.ts'
import type { Change, Changes, Mutation } from '../../domain/query/mutation.ts'
import { typeGroups } from '../../domain/query/operators.ts'
import { invalidPayload, TandemError } from '../../domain/rights/errors.ts'
import { withoutTarget } from '../../domain/schema/hidden-target.ts'
import { isIdentityCollection } from '../../domain/schema/identity.ts'
import { joinKey, keyName } from '../../domain/schema/row-keys.ts'
import type { Field, FieldAddress } from '../../domain/schema/schema.ts'
import type { OpenedCollection, WritableScope } from './collections.ts'
import { toText } from './lists.ts'
import { findField, keyOf, type NamedField, relatedCollection } from './parse-scope.ts'
import { padded, toFilterValue, toStoredWord } from './values.ts'

type Item = { readonly [name: string]: unknown }

type WriteOptions = Pick<OpenedCollection, 'collection' | 'writable'>

export function parseCreate(body: unknown, { collection: { name }, writable }: WriteOptions): Mutation {
  const items = Array.isArray(body) ? body : [body]
  const changes = items.map((item: unknown) => toChanges(toItem(item), name, { ...writable, depth: 0 }))
  return { kind: 'create', collection: name, items: changes }
}

/** Parses the same changes for all keys. */
export function parseUpdate(
  body: unknown,
  keys: readonly Key[],
  { collection: { name }, writable }: WriteOptions,
): Mutation {
  const own = keys.length === 1 ? { own: keys[0] } : {}
  const changes = toChanges(toItem(body), name, { ...writable, depth: 0, ...own })
  return { kind: 'update', collection: name, target: { kind: 'keys', keys }, changes }
}

/** Parses a list of partial items, each with its key. */
export function parseUpdateEach(body: unknown, { collection: { name }, writable }: WriteOptions): Mutation {
  if (!Array.isArray(body)) throw invalidPayload(null, 'Expected a list of items for the body')
  const { keyColumns = [] } = writable.schema.collections.get(name) ?? {}
  const key = keyColumns.length > 1 ? keyName : keyOf(writable, name).view.name
  const items = body.map((each: unknown) => {
    const { [key]: input = joined(toItem(each), keyColumns), ...rest } = toItem(each)
    return { key: toKey(input, key), changes: toChanges(rest, name, { ...writable, depth: 0 }) }
  })
  return { kind: 'update-each', collection: name, items }
}

/** The key of several columns that an item holds as their values. */
function joined(item: Item, keyColumns: readonly string[]): unknown {
  const values = keyColumns.map((column) => item[column])
  const isWhole = values.length > 1 && values.every((value) => value !== undefined && value !== null)
  return isWhole ? joinKey(values) : undefined
}

export function parseDelete(
  keys: readonly Key[],
  { collection: { name } }: Pick<OpenedCollection, 'collection'>,
): Mutation {
  return { kind: 'delete', collection: name, target: { kind: 'keys', keys } }
}

/** `own`: the key of the row to change, if known. */
type MutationState = WritableScope & { readonly depth: number; readonly own?: Key | undefined }

function toItem(raw: unknown): Item {
  if (isRecord(raw)) return raw
  throw invalidPayload(null, 'Expected an object for each item')
}

function toKey(input: unknown, name: string): Key {
  const raw = withDigits(input)
  if ((typeof raw === 'string' && raw !== '') || typeof raw === 'number') return raw
  throw new TandemError({ kind: 'unprocessable', reason: `Payload must include the primary key "${name}"` })
}

function toChanges(item: Item, collection: string, state: MutationState): Changes {
  const deepest = state.limits.depth
  if (state.depth > deepest) throw invalidPayload(null, `Expected at most ${deepest} levels of related items`)
  return new Map(
    Object.entries(item).flatMap(([name, raw]) => {
      // The key as one value identifies the row and is not a value of the row.
      if (name === keyName && state.schema.collections.get(collection)?.fields.has(name) !== true) return []
      const named = findField(state, collection, name)
      if (named === null) throw state.unknownField(collection, name)
      if (named.field.name === 'number' && isIdentityCollection(collection)) return withoutNumber(raw, state)
      if (saysNothing(raw, named.field, collection, state)) return []
      return [[named.field.name, toChange(raw, named, collection, state)] as const]
    }),
  )
}

/**
 * Null in place of related items, and a related item without values, change nothing in items, as in version 8. Of a
 * collection that is hidden from the caller nothing is passed over.
 */
function saysNothing(raw: unknown, { relation }: Field, collection: string, { schema, view }: MutationState): boolean {
  if (relation === null || relation.kind === 'many-to-any' || schema.collections.get(collection)?.system !== false)
    return false
  if (view.byCore.get(relation.collection)?.hidden === true) return false
  return relation.kind === 'one-to-many' ? raw === null : isJsonObject(raw) && Object.keys(raw).length === 0
}

/** Row numbers are set by the database. Clients may send a row's own number back, but no other. */
function withoutNumber(raw: unknown, { own }: MutationState): readonly [] {
  if (raw === null || (own !== undefined && toText(raw) === String(own))) return []
  throw new TandemError({ kind: 'unprocessable', reason: 'The number of a row cannot be chosen or changed' })
}

/** In forms the positions of a list may have gaps (`tags[1]=a&tags[3]=b`), and look like names. */
function withoutGaps(raw: unknown, { type, relation }: Field): unknown {
  const isList = type === 'csv' || relation?.kind === 'one-to-many'
  return isList && isJsonObject(raw) && Object.keys(raw).every((name) => /^\d+$/.test(name)) ? Object.values(raw) : raw
}

function toChange(sent: unknown, named: NamedField, collection: string, state: MutationState): Change {
  const { field } = named
  const input = state.isForm ? withoutGaps(sent, field) : sent
  // Within JSON and lists a number keeps its digits as a number.
  const raw = field.type === 'json' || field.type === 'unknown' ? input : withDigits(input)
  const related = relatedCollection(state, field)
  if (field.relation?.kind === 'one-to-many' && related !== null) {
    return hidingTarget({ collection, field: named.view.name }, related, state, () =>
      toDetail(raw, named, related, state),
    )
  }
  if (related !== null && isJsonObject(raw)) {
    return hidingTarget({ collection, field: named.view.name }, related, state, () =>
      toRelated(raw, named, related, state),
    )
  }
  if (typeof raw === 'object' && raw !== null && !structured.has(field.type)) {
    throw new TandemError({ kind: 'not-scalar', collection, field: named.view.name })
  }
  if (raw === '' && state.isForm && !holdsEmptyText(field)) {
    return { kind: 'value', value: field.type === 'boolean' ? false : null }
  }
  return { kind: 'value', value: toStored(raw, named) }
}

const holdsEmptyText = ({ type }: Field): boolean =>
  typeGroups[type] === 'text' || typeGroups[type] === 'hidden' || type === 'unknown'

/** Parses a related item. If its collection is hidden from the caller, errors name only the field. */
function hidingTarget(leading: FieldAddress, related: string, { view }: MutationState, work: () => Change): Change {
  try {
    return work()
  } catch (error) {
    if (view.byCore.get(related)?.hidden !== true) throw error
    throw withoutTarget(error, related, leading)
  }
}

/** Types whose values may be objects or lists. Values of unknown types are checked by the write. */
const structured: ReadonlySet<string> = new Set(['json', 'csv', 'geometry', 'unknown'])

/** Converts a value to its column: the integer of a system row to its uuid, a renamed word to the stored one. */
function toStored(raw: unknown, named: NamedField): Value | readonly unknown[] {
  const { codec } = named.view
  if (raw === null) return null
  if (Array.isArray(raw)) return raw as readonly unknown[]
  if (codec.kind === 'words') return toStoredWord(toText(raw), codec)
  return codec.kind === 'number-of'
    ? toFilterValue(raw, named, refuseNumber(named))
    : (padded(raw, named.field.type) as Value)
}

const refuseNumber =
  ({ view }: NamedField) =>
  (expected: string): never => {
    const message = `This value should be ${expected}.`
    throw new TandemError({ kind: 'failed-validation', field: view.name, type: 'type', message })
  }

/**
 * A many-to-one as an object: a link if it contains only the key (for a file, in any case), otherwise a write of the
 * related row.
 */
function toRelated(raw: Item, named: NamedField, related: string, state: MutationState): Change {
  const { keyColumns = [] } = state.schema.collections.get(related) ?? {}
  if (keyColumns.length > 1) return toRelatedByColumns(raw, { named, related, keyColumns }, state)
  const key = keyOf(state, related)
  const { [key.view.name]: input, $delete: isRemoved, ...rest } = raw
  const isFile = named.field.special.includes('file')
  if (isDeletion(isRemoved) && !isFile) return { kind: 'erase', key: toKey(input, key.view.name) }
  if (input !== undefined && input !== null && (isFile || Object.keys(rest).length === 0)) {
    return { kind: 'value', value: toStored(input, named) }
  }
  const changes = toChanges(rest, related, { ...state, depth: state.depth + 1, own: undefined })
  return { kind: 'one', key: input === undefined || input === null ? null : toKey(input, key.view.name), changes }
}

type Composite = { readonly named: NamedField; readonly related: string; readonly keyColumns: readonly string[] }

/** The same for a row whose key has several columns: it is named by `$key` or by all of them. */
function toRelatedByColumns(raw: Item, { named, related, keyColumns }: Composite, state: MutationState): Change {
  const { [keyName]: input, $delete: isRemoved, ...item } = raw
  const isNamed = keyColumns.every((name) => item[name] !== undefined && item[name] !== null)
  const key = typeof input === 'string' ? input : isNamed ? joinKey(keyColumns.map((name) => item[name])) : null
  if (isDeletion(isRemoved)) return { kind: 'erase', key: toKey(key, named.view.name) }
  const isLink = key !== null && Object.keys(item).every((name) => keyColumns.includes(name))
  if (isLink) return { kind: 'value', value: key }
  return { kind: 'one', key, changes: toChanges(item, related, { ...state, depth: state.depth + 1, own: undefined }) }
}

/**
 * A to-many: objects without a key are created, those with one are updated or created under it, those with `$delete`
 * are deleted; unlisted rows stay. A composite key consists of all its fields except the one that points to the owner.
 */
function toDetail(raw: unknown, named: NamedField, related: string, state: MutationState): Change {
  const key = keyOf(state, related).view.name
  const { keyColumns = [] } = state.schema.collections.get(related) ?? {}
  const isSingle = keyColumns.length === 1
  const refuse = (): never => {
    throw new TandemError({ kind: 'unprocessable', reason: `Expected a list of objects for "${named.view.name}"` })
  }
  if (!Array.isArray(raw)) return refuse()
  const inner = { ...state, depth: state.depth + 1, own: undefined }
  const upsert: { key: Key | null; changes: Changes }[] = []
  const erase: (Key | Changes)[] = []
  for (const each of raw as readonly unknown[]) {
    const { $delete: isRemoved, ...item } = isJsonObject(each) ? each : refuse()
    const { [key]: input = null, ...rest } = item
    if (isDeletion(isRemoved))
      erase.push(isSingle ? toKey(input, key) : keyChanges(toChanges(item, related, inner), keyColumns))
    else if (isSingle && input !== null)
      upsert.push({ key: toKey(input, key), changes: toChanges(rest, related, inner) })
    else upsert.push({ key: null, changes: toChanges(isSingle ? rest : item, related, inner) })
  }
  return { kind: 'detail', create: [], update: [], delete: [], upsert, erase }
}

/** Whether `$delete` is set; forms send it as text. Throws for anything but a boolean. */
function isDeletion(flag: unknown = false): boolean {
  if (deletions.has(flag)) return true
  if (keeps.has(flag)) return false
  throw invalidPayload('$delete', `Expected true or false for "$delete" but received ${describe(flag)}`)
}

const deletions: ReadonlySet<unknown> = new Set([true, 1, 'true', '1'])
const keeps: ReadonlySet<unknown> = new Set([false, 0, 'false', '0', null])

/** Fields besides the key of a deleted item have no effect. */
const keyChanges = (changes: Changes, keyColumns: readonly string[]): Changes =>
  new Map([...changes].filter(([name]) => keyColumns.includes(name)))
