/** Replaces integers of users, roles, files and folders by stored keys; the last step of parsing. */
import { keysOfNumbers } from '../../core/items/identity-keys.ts'
import { notFound } from '../../core/rows/keys.ts'
import type { Context } from '../../domain/ports/context.ts'
import type { Key } from '../../domain/query/key.ts'
import type { Change, Changes, Mutation } from '../../domain/query/mutation.ts'
import type { Action } from '../../domain/rights/actor.ts'
import { type IdentityCollection, isIdentityCollection } from '../../domain/schema/identity.ts'
import { splitKeys } from './query.ts'

export async function parseKeys(
  ctx: Pick<Context, 'db' | 'actor' | 'ids'>,
  { collection, action }: { readonly collection: string; readonly action: Action },
  keys: string,
): Promise<readonly Key[]> {
  const words = splitKeys(keys)
  return isIdentityCollection(collection) ? keysOfNumbers(ctx, { collection, action }, words) : words
}

/** Replaces integers in a mutation by stored keys, in related rows too. */
export async function withStoredKeys(ctx: Context, mutation: Mutation): Promise<Mutation> {
  const nested = await storedKeys(ctx, numbersIn(ctx, mutation))
  const rewrite = (changes: Changes): Changes => rewriteChanges(ctx, mutation.collection, changes, nested)
  if (mutation.kind === 'create') return { ...mutation, items: mutation.items.map(rewrite) }
  if (mutation.kind === 'update') {
    const keys = await ownKeys(ctx, mutation, mutation.target.kind === 'keys' ? mutation.target.keys : [])
    return { ...mutation, target: { kind: 'keys', keys }, changes: rewrite(mutation.changes) }
  }
  if (mutation.kind === 'delete' && mutation.target.kind === 'keys') {
    return { ...mutation, target: { kind: 'keys', keys: await ownKeys(ctx, mutation, mutation.target.keys) } }
  }
  if (mutation.kind !== 'update-each') return mutation
  const input = mutation.items.map(({ key }) => key)
  const isNumbered = isIdentityCollection(mutation.collection)
  const byNumber = isNumbered ? toTable(input, await ownKeys(ctx, mutation, input)) : null
  const items = mutation.items.map(({ key, changes }) => ({
    key: byNumber?.get(Number(key)) ?? key,
    changes: rewrite(changes),
  }))
  return { ...mutation, items }
}

async function ownKeys(
  ctx: Pick<Context, 'db' | 'actor' | 'ids'>,
  { kind, collection }: Mutation,
  keys: readonly Key[],
): Promise<readonly Key[]> {
  if (!isIdentityCollection(collection)) return keys
  return keysOfNumbers(ctx, { collection, action: kind === 'delete' ? 'delete' : 'update' }, keys)
}

/** Keys by number; different spellings of a number are equal. */
type Table = ReadonlyMap<number, Key>

const toTable = (numbers: readonly Key[], keys: readonly Key[]): Table =>
  new Map([...new Set(numbers.map(Number))].map((number, at) => [number, keys[at] as Key]))

/** Numbers by collection with their keys. */
type Numbers = ReadonlyMap<IdentityCollection, ReadonlySet<Key>>
type Stored = ReadonlyMap<string, Table>

const none: Numbers = new Map()

function numbersIn(ctx: Pick<Context, 'schema'>, mutation: Mutation): Numbers {
  if (mutation.kind === 'delete') return none
  const keysByCollection = new Map<IdentityCollection, Set<Key>>()
  const note = (collection: string, key: Key): Key => {
    if (isIdentityCollection(collection))
      keysByCollection.set(collection, (keysByCollection.get(collection) ?? new Set()).add(key))
    return key
  }
  for (const changes of changesOf(mutation)) mapKeys(ctx, mutation.collection, changes, note)
  return keysByCollection
}

function changesOf(mutation: Exclude<Mutation, { readonly kind: 'delete' }>): readonly Changes[] {
  if (mutation.kind === 'create') return mutation.items
  return mutation.kind === 'update-each' ? mutation.items.map(({ changes }) => changes) : [mutation.changes]
}

async function storedKeys(ctx: Context, numbers: Numbers): Promise<Stored> {
  const lookUps = [...numbers].map(async ([collection, keys]) => {
    // Permissions to change the rows are checked when they are written.
    const numbers = [...keys]
    const anybody: Context = { ...ctx, actor: { kind: 'system' } }
    const stored = await keysOfNumbers(anybody, { collection, action: 'update' }, numbers)
    return [collection, toTable(numbers, stored)] as const
  })
  return new Map(await Promise.all(lookUps))
}

function rewriteChanges(ctx: Pick<Context, 'schema'>, collection: string, changes: Changes, stored: Stored): Changes {
  if (stored.size === 0) return changes
  return mapKeys(ctx, collection, changes, (of, key) => {
    const cached = stored.get(of)?.get(Number(key))
    if (cached === undefined && isIdentityCollection(of)) throw notFound(of)
    return cached ?? key
  })
}

type MapKey = (collection: string, key: Key) => Key

/** Replaces keys of related rows in the changes. */
function mapKeys(ctx: Pick<Context, 'schema'>, collection: string, changes: Changes, to: MapKey): Changes {
  const fields = ctx.schema.collections.get(collection)?.fields
  return new Map(
    [...changes].map(([name, change]) => {
      const relation = fields?.get(name)?.relation
      const isKnown = relation !== null && relation !== undefined && relation.kind !== 'many-to-any'
      return [name, isKnown ? mapChange(ctx, relation.collection, change, to) : change]
    }),
  )
}

function mapChange(ctx: Pick<Context, 'schema'>, related: string, change: Change, to: MapKey): Change {
  const inner = (changes: Changes): Changes => mapKeys(ctx, related, changes, to)
  const keyed = (each: { readonly key: Key | null; readonly changes: Changes }) => ({
    key: each.key === null ? null : to(related, each.key),
    changes: inner(each.changes),
  })
  if (change.kind === 'erase') return { ...change, key: to(related, change.key) }
  if (change.kind === 'one') return { ...change, ...keyed(change) }
  if (change.kind !== 'detail') return change
  const gone = (each: Key | Changes) => (typeof each === 'object' ? inner(each) : to(related, each))
  return { ...change, upsert: (change.upsert ?? []).map(keyed), erase: (change.erase ?? []).map(gone) }
}
