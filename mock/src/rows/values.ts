/** The values of a comparison: literals, and what depends on the actor, the time or other rows. */

import { nowText } from '../../../src/domain/conditions/resolve-value.ts'
import { type DynamicValue, type Filter, isDynamic, type Value } from '../../../src/domain/query/filter.ts'
import type { Env } from './env.ts'
import { collectionOf, fieldOf, keyedRow, type Level, relatedRows, valueOf } from './links.ts'
import { type Typed, toStored } from './stored.ts'

/** One value, or a list of any length: null is a list that holds nothing. */
export type Resolved =
  | { readonly kind: 'one'; readonly value: unknown }
  | { readonly kind: 'list'; readonly values: readonly unknown[] }

/** Whether a row matches a filter. It is passed in, because filters need the values of this file in turn. */
export type Matches = (env: Env, level: Level, filter: Filter) => boolean | null

const one = (value: unknown): Resolved => ({ kind: 'one', value })

/** The value in the stored form of the field that it is compared with. */
export function resolve(env: Env, value: Value, typed: Typed, matches: Matches): Resolved {
  if (!isDynamic(value)) return one(toStored(typed, value))
  const resolved = dynamic(env, value, matches)
  if (resolved.kind === 'list') return { kind: 'list', values: resolved.values.map((each) => toStored(typed, each)) }
  return one(toStored(typed, resolved.value))
}

/** Whether a value is there; a list without elements is not. */
export function hasValue(env: Env, value: DynamicValue, matches: Matches): boolean {
  const resolved = dynamic(env, value, matches)
  return resolved.kind === 'list' ? resolved.values.length > 0 : resolved.value !== null
}

function dynamic(env: Env, value: DynamicValue, matches: Matches): Resolved {
  const { actor, clock } = env
  switch (value.kind) {
    case 'now':
      return one(nowText(value, clock()))
    case 'current-user':
      return alongActor(env, actor.kind === 'user' ? actor.user : null, 'platform_users', value.path)
    case 'current-role':
      return alongActor(env, actor.kind === 'user' ? actor.role : null, 'platform_roles', value.path)
    case 'current-roles':
      return { kind: 'list', values: actor.kind === 'user' ? actor.roles : [] }
    case 'current-policies':
      return { kind: 'list', values: actor.kind === 'system' ? [] : actor.access.policies }
    case 'numbered': {
      const row = env.tables.all(value.collection).find((each) => each['number'] === value.number)
      return one(row?.['id'] ?? null)
    }
    case 'reached':
      return { kind: 'list', values: reached(env, value, matches) }
    default:
      return value satisfies never
  }
}

/** The values at the end of a path from the user or role of the actor. */
function alongActor(env: Env, key: string | null, root: string, path: readonly string[]): Resolved {
  if (path.length === 0) return one(key)
  const collection = collectionOf(env.schema, root)
  const row = key === null ? undefined : keyedRow(env.tables, collection, key)
  let levels: readonly Level[] = row === undefined ? [] : [{ collection, row }]
  let isListed = false
  let at = collection
  for (const [index, name] of path.entries()) {
    const field = fieldOf(at, name)
    if (field.column !== null && index === path.length - 1) {
      const values = levels.flatMap((level) => elements(valueOf(level, name)))
      return isListed ? { kind: 'list', values } : one(values[0] ?? null)
    }
    if (field.relation === null || field.relation.kind === 'many-to-any') throw new Error(`${name} is not a relation`)
    const { collection: target } = field.relation
    if (field.relation.kind === 'one-to-many') isListed = true
    levels = levels.flatMap((level) => relatedRows(env, level, field, target))
    at = collectionOf(env.schema, target)
  }
  const keys = levels.map(({ collection: own, row: each }) => each[own.primaryKey])
  return isListed ? { kind: 'list', values: keys } : one(keys[0] ?? null)
}

const elements = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value])

function reached(
  env: Env,
  { collection, path }: Extract<DynamicValue, { kind: 'reached' }>,
  matches: Matches,
): readonly unknown[] {
  const root = collectionOf(env.schema, collection)
  let levels: readonly Level[] = env.tables.all(collection).map((row) => ({ collection: root, row }))
  for (const step of path) {
    levels = levels
      .filter((level) => matches(env, level, step.guard) === true)
      .flatMap((level) => relatedRows(env, level, fieldOf(level.collection, step.field), step.collection))
  }
  return levels.map(({ collection: own, row }) => row[own.primaryKey])
}
