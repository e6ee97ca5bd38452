/** Resolves dynamic values in memory, for payloads and for conditions on payloads. */

import { type DynamicValue, isDynamic, type Literal, type Value } from '../query/filter.ts'
import type { Actor } from '../rights/actor.ts'

/** `lookedUp`: values that were read from the database, by `lookUpName`. */
export type ValueFacts = {
  readonly actor: Actor
  readonly now: Date
  readonly lookedUp: ReadonlyMap<string, Literal | readonly Literal[]>
}

/** Resolves a value. The result is null, which matches no comparison, if the value is not available. */
export function resolveValue(value: Value, facts: ValueFacts): Literal | readonly Literal[] {
  if (!isDynamic(value)) return value
  const { actor } = facts
  switch (value.kind) {
    case 'now':
      return nowText(value, facts.now)
    case 'current-user':
      if (value.path.length > 0) return facts.lookedUp.get(lookUpName(value)) ?? null
      return actor.kind === 'user' ? actor.user : null
    case 'current-role':
      if (value.path.length > 0) return facts.lookedUp.get(lookUpName(value)) ?? null
      return actor.kind === 'user' ? actor.role : null
    case 'current-roles':
      return actor.kind === 'user' ? actor.roles : []
    case 'current-policies':
      return actor.kind === 'system' ? [] : actor.access.policies
    case 'numbered':
      return facts.lookedUp.get(lookUpName(value)) ?? null
    case 'reached':
      return null
  }
}

/** The shifted instant, or its day or time, in ISO 8601 and UTC. */
export function nowText(value: Extract<DynamicValue, { kind: 'now' }>, now: Date): string {
  const instant = resolveNow(value, now).toISOString()
  if (value.part === undefined) return instant
  return value.part === 'date' ? instant.slice(0, 10) : instant.slice(11, -1)
}

/** The instant shifted by milliseconds, then by calendar months. In a shorter month, the last day is used. */
export function resolveNow(value: Extract<DynamicValue, { kind: 'now' }>, now: Date): Date {
  const moved = new Date(now.getTime() + value.milliseconds)
  if (value.months === 0) return moved
  const day = moved.getUTCDate()
  moved.setUTCDate(1)
  moved.setUTCMonth(moved.getUTCMonth() + value.months)
  const lastDay = new Date(Date.UTC(moved.getUTCFullYear(), moved.getUTCMonth() + 1, 0)).getUTCDate()
  moved.setUTCDate(Math.min(day, lastDay))
  return moved
}

/** Whether the value must be read from the database. */
export function needsLookUp(value: Value): value is DynamicValue {
  if (!isDynamic(value)) return false
  if (value.kind === 'numbered' || value.kind === 'reached') return true
  return (value.kind === 'current-user' || value.kind === 'current-role') && value.path.length > 0
}

export function lookUpName(value: DynamicValue): string {
  if (value.kind === 'numbered') return `${value.collection} ${value.number}`
  if (value.kind === 'reached') return value.kind
  return 'path' in value ? `${value.kind}.${value.path.join('.')}` : value.kind
}
