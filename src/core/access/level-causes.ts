/** Causes that lie in levels of roles, in the form of older applications. */
import { faultOfLevel, type LevelFault } from '../../authz/levels.ts'
import type { Action } from '../../domain/rights/actor.ts'
import type { LevelRow } from '../../domain/rights/stored-rights.ts'
import type { Schema } from '../../domain/schema/schema.ts'
import type { Cause, RuleRecord } from './cause.ts'
import type { RequestedAction } from './explained-rules.ts'
import type { Subject } from './explained-subject.ts'

/** Levels of collections that do not exist. */
export const lostLevelCauses = ({ held, roles }: Subject, action: Action, { collections }: Schema): readonly Cause[] =>
  action === 'share'
    ? []
    : held.levels
        .filter((row) => !collections.has(row.collection) && (row[action] ?? 'none') !== 'none')
        .map((row) => ({
          code: 'rule-ignored',
          message: `${levelName(row, roles)} grants nothing: Collection ${row.collection} does not exist`,
          ...levelRecord(row, roles),
          collection: row.collection,
        }))

const levelFaults: { readonly [Fault in LevelFault]: string } = {
  replaced: 'does not count, because the role has levels for statuses of the collection',
  'no-status-field': 'is about a status, and the collection has no status field',
  none: 'allows nothing',
  unknown: 'allows nothing, because it is none of the levels none, mine, role and full',
  'no-owner': 'allows only own items, and nobody owns items of the collection',
  'no-field': 'hides all fields of the collection',
}

export function levelCauses(
  { held, roles }: Subject,
  action: Action,
  collection: RequestedAction['collection'],
): readonly Cause[] {
  if (action === 'share') return []
  const rows = held.levels.filter((row) => row.collection === collection.name)
  const faulty = rows.map((row) => ({ row, fault: faultOfLevel(row, action, { collection, rows }) }))
  // A level that would allow it if it counted comes before those that say nothing.
  const sorted = faulty.toSorted((a, b) => Number(a.fault === 'none') - Number(b.fault === 'none'))
  return sorted.flatMap(({ row, fault }): readonly Cause[] => {
    if (fault === null) return []
    const value = row[action] ?? 'none'
    const message = `${levelName(row, roles)} ("${value}" for ${action}) ${levelFaults[fault]}`
    return [{ code: 'level', message, ...levelRecord(row, roles), value, fault }]
  })
}

/** Levels of the collection that other roles have, and that would allow it. */
export function missingLevelCauses(
  { otherLevels }: Subject,
  action: Action,
  collection: RequestedAction['collection'],
): readonly Cause[] {
  if (action === 'share') return []
  const rows = [...otherLevels.keys()]
  return [...otherLevels].flatMap(([row, role]): readonly Cause[] => {
    if (faultOfLevel(row, action, { collection, rows }) !== null) return []
    const names = new Map([[row.role, role]])
    const message = `${levelName(row, names)} allows it, but is not held: the role is another one`
    return [{ code: 'level-not-held', message, ...levelRecord(row, names) }]
  })
}

export function levelRecord({ id, role, status }: LevelRow, roles: Subject['roles']): RuleRecord {
  const staged = status === null ? {} : { status }
  return { kind: 'level', level: id, role, role_name: roles.get(role) ?? role, ...staged }
}

/** The name of a level of version 8, with its role and status. */
export function levelName({ id, role, status }: LevelRow, roles: Subject['roles']): string {
  const of = status === null ? '' : `, status "${status}"`
  return `Level ${id} of version 8 (role ${JSON.stringify(roles.get(role) ?? role)}${of})`
}
