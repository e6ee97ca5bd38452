/** From the values of a query to the values of a statement, each time it is sent. */
import { TandemError } from '../domain/errors.ts'
import { type Comparison, type DynamicValue, isDynamic, type Value } from '../domain/filter.ts'
import { type Geometry, geometryText } from '../domain/geometry.ts'
import { needsLookUp, nowText } from '../domain/resolve-value.ts'
import type { Moment } from './build.ts'

/** The value at this place of a comparison. */
export function oneValue(comparison: Comparison, index: number, moment: Moment): unknown {
  return resolve(comparison.values[index] as Value, moment)
}

/** The values of a list comparison that are known now; null instead of an empty list, which matches nothing either way. */
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

/** The numbers of the rows of one identity collection that a comparison names. */
export function numbersValue(comparison: Comparison, collection: string): unknown {
  const numbers = comparison.values.flatMap((value) =>
    isDynamic(value) && value.kind === 'numbered' && value.collection === collection ? [value.number] : [],
  )
  return numbers.length === 0 ? null : numbers
}

/** The number at this place of a comparison. */
export function numberAt(comparison: Comparison, index: number): unknown {
  const value = comparison.values[index] as Value
  return isDynamic(value) && value.kind === 'numbered' ? value.number : null
}

/** Known without asking the database. */
export const isPlain = (value: Value): boolean => !needsLookUp(value)

/** The roles or policies of the actor; null instead of none, so that nothing matches. */
export function listOfActor(value: DynamicValue, { actor }: Moment): readonly string[] | null {
  if (actor.kind === 'system') return null
  const keys = value.kind === 'current-policies' ? actor.access.policies : actor.kind === 'user' ? actor.roles : []
  return keys.length === 0 ? null : keys
}

/** The actor's user; null for an actor without one. */
export const currentUser = ({ actor }: Moment): string | null => (actor.kind === 'user' ? actor.user : null)

/** The actor's role; null for an actor without one. */
export const currentRole = ({ actor }: Moment): string | null => (actor.kind === 'user' ? actor.role : null)

/** A text that a parameter can hold: the protocol has no way to send NUL. */
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
