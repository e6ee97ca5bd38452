/** Conditions that a role in levels sets for writes besides rights: reasons for changes, owners, and which comments it may write. */

import type { Comparison } from '../domain/query/filter.ts'
import type { Action, Actor, Demand } from '../domain/rights/actor.ts'
import { TandemError } from '../domain/rights/errors.ts'
import type { LevelRow } from '../domain/rights/stored-rights.ts'
import type { Collection } from '../domain/schema/schema.ts'
import { isUnlimited } from './grants.ts'
import { compareField, counting, ownerOf, statusField } from './levels.ts'

/** The demands that the rows of a role make. */
export const demandsOfLevels = (rows: readonly LevelRow[]): readonly Demand[] =>
  counting(rows).map((row) => ({
    collection: row.collection,
    status: row.status,
    explain: row.explain,
    comment: row.comment,
    owned: (['read', 'update', 'delete'] as const).filter((action) => ofOwners.has(row[action] ?? '')),
  }))

const ofOwners: ReadonlySet<string> = new Set(['mine', 'role'])

/** Whether the role's level for the action needs an owner and items of the collection have none, so that it allows nothing. */
export function lacksOwner(actor: Actor, action: Action, collection: Collection | undefined): boolean {
  if (collection === undefined || isUnlimited(actor) || actor.kind === 'system') return false
  const own = (actor.access.demands ?? []).filter((each) => each.collection === collection.name)
  return own.some(({ owned }) => owned.includes(action)) && ownerOf(collection) === null
}

/** `explain` levels that require a comment, by action. */
const explained: { readonly [Name in Action]?: readonly string[] } = {
  create: ['create', 'always'],
  update: ['update', 'always'],
  delete: ['always'],
}

/** Whether the actor has to give a reason for the write, whatever the status of the item. */
export const mustExplain = (actor: Actor, action: Action, collection: string): boolean =>
  demandsFor(actor, action, collection).some(({ status }) => status === null)

/** The items for whose write the actor has to give a reason, by their status; null = none. */
export function explainedItems(actor: Actor, action: Action, collection: Collection): Comparison | null {
  const statuses = demandsFor(actor, action, collection.name).flatMap(({ status }) => status ?? [])
  const field = statuses.length === 0 ? null : statusField(collection)
  return field === null ? null : compareField(field, 'in', statuses)
}

function demandsFor(actor: Actor, action: Action, collection: string): readonly Demand[] {
  const demands = isUnlimited(actor) || actor.kind === 'system' ? [] : (actor.access.demands ?? [])
  const words = explained[action] ?? []
  return demands.filter((each) => each.collection === collection && words.includes(each.explain ?? ''))
}

/** The error for a write without a required reason. */
export const unexplained = (collection: string): TandemError =>
  new TandemError({ kind: 'forbidden', reason: `Activity comment required for collection: ${collection}` })

/**
 * What the levels of the actor's role say about comments on items of the collection; null where they say nothing, and
 * for those whom levels do not limit. A level that is not set is `update`.
 */
export function commentLevelOf(actor: Actor, collection: string): string | null {
  if (isUnlimited(actor) || actor.kind === 'system') return null
  const levels = (actor.access.demands ?? []).filter((each) => each.collection === collection)
  if (levels.length === 0) return null
  const words = levels.map(({ comment }) => comment ?? 'update')
  return commentLevels.find((level) => words.includes(level)) ?? 'none'
}

/** From the highest. `read` and `none` allow nothing. */
const commentLevels = ['full', 'update', 'create', 'read'] as const

export const mayComment = (level: string): boolean => ['full', 'update', 'create'].includes(level)
