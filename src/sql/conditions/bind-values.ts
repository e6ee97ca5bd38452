/** Computes the parameter values of a statement from the query, for each execution. */

import { type Geometry, geometryText } from '../../domain/conditions/geometry.ts'
import { needsLookUp, nowText } from '../../domain/conditions/resolve-value.ts'
import { type Comparison, type DynamicValue, isDynamic, type Value } from '../../domain/query/filter.ts'
import { TandemError } from '../../domain/rights/errors.ts'
import type { Moment } from './build.ts'

/** The value at this place of a comparison. */
export const valueAt =
  (index: number) =>
  ({ values }: Comparison, moment: Moment): unknown =>
    resolve(values[index] as Value, moment)

/** The literal values of a list comparison; null instead of an empty list, because neither matches any row. */
export function listValue(comparison: Comparison, moment: Moment): unknown {
  const list: unknown[] = []
  for (const value of comparison.values) {
    if (!isPlain(value)) continue
    const resolved = resolve(value, moment)
    if (Array.isArray(resolved)) list.push(...(resolved as unknown[]))
    else list.push(resolved)
  }
  return list.length === 0 ? null : list
}

/** The numbers of rows of one identity collection in a comparison. */
export const numbersOf =
  (collection: string) =>
  ({ values }: Comparison): unknown =>
    values.flatMap((value) =>
      isDynamic(value) && value.kind === 'numbered' && value.collection === collection ? [value.number] : [],
    )

export const numberAt =
  (index: number) =>
  ({ values }: Comparison): unknown => {
    const value = values[index] as Value
    return isDynamic(value) && value.kind === 'numbered' ? value.number : null
  }

/** Whether the value can be computed without the database. */
export const isPlain = (value: Value): boolean => !needsLookUp(value)

/** The actor's roles or policies; null if there are none, so that nothing matches. */
export function listOfActor(value: DynamicValue, { actor }: Moment): readonly string[] | null {
  if (actor.kind === 'system') return null
  const keys = value.kind === 'current-policies' ? actor.access.policies : actor.kind === 'user' ? actor.roles : []
  return keys.length === 0 ? null : keys
}

/** Id of the actor's user; null if the actor has none. */
export const currentUser = ({ actor }: Moment): string | null => (actor.kind === 'user' ? actor.user : null)

/** Id of the actor's role; null if the actor has none. */
export const currentRole = ({ actor }: Moment): string | null => (actor.kind === 'user' ? actor.role : null)

/** Rejects text with NUL characters, which the wire protocol cannot transfer. */
export function checkedText(text: string): string {
  if (!text.includes('\0')) return text
  throw new TandemError({
    kind: 'invalid-query',
    name: 'filter',
    reason: 'Expected text without NUL characters for a value',
  })
}

function resolve(value: Value, moment: Moment): unknown {
  if (typeof value === 'string') return checkedText(value)
  if (isDynamic(value)) return resolveDynamic(value, moment)
  return typeof value === 'object' && value !== null ? geometryText(value as Geometry) : value
}

function resolveDynamic(value: DynamicValue, moment: Moment): unknown {
  switch (value.kind) {
    case 'now':
      return nowText(value, moment.clock())
    case 'current-user':
      return currentUser(moment)
    case 'current-role':
      return currentRole(moment)
    case 'current-roles':
    case 'current-policies':
      return listOfActor(value, moment) ?? []
    default:
      return null
  }
}
