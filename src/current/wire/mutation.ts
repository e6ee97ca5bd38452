/** Parses bodies of writes into a `Mutation`. */
import { withDigits } from '../../domain/conditions/exact-numbers.ts'
import type { Key } from '../../domain/query/key.ts'
import type { Changes, Mutation, Target } from '../../domain/query/mutation.ts'
import { joinKey, keyName } from '../../domain/schema/row-keys.ts'
import type { Collection } from '../../domain/schema/schema.ts'
import { type Item, invalid, isKey, toChanges, toItem } from './changes.ts'
import type { ParseScope } from './parse-scope.ts'
import { parseTarget } from './query.ts'

/** `scope` is what the actor may write; `visible` what queries for targets may use. */
export type WriteScope = {
  readonly collection: Collection
  readonly scope: ParseScope
  readonly visible: ParseScope
}

/** What parsing the values of an item needs. */
type Writable = Pick<WriteScope, 'collection' | 'scope'>

/** Parses one item, or a list of items. */
export const parseCreate = (body: unknown, at: Writable): Extract<Mutation, { readonly kind: 'create' }> => ({
  kind: 'create',
  collection: at.collection.name,
  items: (Array.isArray(body) ? body : [body]).map((item) => parseChanges(item, at)),
})

export const parseChanges = (body: unknown, { collection, scope }: Writable): Changes =>
  toChanges(toItem(body), { collection, scope, depth: 0 })

/** Parses `{keys, data}`, `{query, data}`, or a list of items with their keys. */
export function parseUpdateMany(body: unknown, at: WriteScope): Mutation {
  if (Array.isArray(body)) return parseUpdateEach(body, at)
  const { collection, scope } = at
  const { data, ...rest } = toItem(body)
  if (data === undefined) throw invalid('data', 'Expected an object for "data" but received nothing')
  const changes = toChanges(toItem(data, 'data'), { collection, scope, depth: 0 })
  return { kind: 'update', collection: collection.name, target: parseTargetOf(rest, at), changes }
}

export const parseUpdate = (body: unknown, key: Key, at: Writable): Mutation => ({
  kind: 'update',
  collection: at.collection.name,
  target: { kind: 'keys', keys: [key] },
  changes: parseChanges(body, at),
})

/** Parses a singleton; the body is the item itself. */
export const parseSingleton = (body: unknown, at: Writable): Mutation => ({
  kind: 'write-singleton',
  collection: at.collection.name,
  changes: parseChanges(body, at),
})

/** Parses a list of keys, `{keys}`, or `{query}`. */
export const parseDelete = (body: unknown, at: Pick<WriteScope, 'collection' | 'visible'>): Mutation => ({
  kind: 'delete',
  collection: at.collection.name,
  target: parseTargetOf(Array.isArray(body) ? { keys: body } : toItem(body), at),
})

function parseUpdateEach(body: readonly unknown[], { collection, scope }: Writable): Mutation {
  const items = body.map((each) => {
    const item = toItem(each)
    const key = withDigits(keyOfItem(item, collection))
    if (!isKey(key)) {
      const name = collection.keyColumns.find((column) => !isKeyPart(item[column])) ?? collection.primaryKey
      throw invalid(name, `Expected the primary key "${name}" in each item`)
    }
    return { key, changes: toChanges(item, { collection, scope, depth: 0 }) }
  })
  return { kind: 'update-each', collection: collection.name, items }
}

function parseTargetOf(body: Item, { collection, visible }: Pick<WriteScope, 'collection' | 'visible'>): Target {
  const [name, ...others] = Object.keys(body)
  if (others.length > 0 || (name !== 'keys' && name !== 'query')) {
    const received = name === undefined ? 'neither' : [name, ...others].map((each) => `"${each}"`).join(', ')
    throw invalid(undefined, `Expected either "keys" or "query" but received ${received}`)
  }
  if (name === 'query') return { kind: 'query', query: parseTarget(body['query'], collection.name, visible) }
  const keys = Array.isArray(body['keys']) ? body['keys'].map(withDigits) : body['keys']
  if (Array.isArray(keys) && keys.every(isKey)) return { kind: 'keys', keys }
  throw invalid('keys', 'Expected a list of primary keys for "keys"')
}

/** The key that the item names: its `$key`, the value of its key field, or those of all its key fields together. */
function keyOfItem(item: Item, { primaryKey, keyColumns, fields }: Collection): unknown {
  if (keyColumns.length === 1) return item[primaryKey] ?? (fields.has(keyName) ? undefined : item[keyName])
  const values = keyColumns.map((column) => withDigits(item[column]))
  return item[keyName] ?? (values.length > 0 && values.every(isKeyPart) ? joinKey(values) : undefined)
}

const isKeyPart = (value: unknown): boolean =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
