/**
 * `$FOLLOW(comments,article)` in a filter: the rows of a collection that refer to this one by a field of theirs, where no
 * field of this collection lists them. A third name, the field with the collection of a many-to-any, is accepted.
 */
import type { Field } from '../schema/schema.ts'
import { findCollection } from '../schema/view.ts'
import { collectionOf, hasField, type Level, type ParseState } from './filter-level.ts'

const followText = /^\$FOLLOW\(([^(),]+),([^(),]+)(?:,[^(),]+)?\)$/

/** `field` refers to rows of the level; its name is that of the condition. */
export type Followed = { readonly field: Field; readonly collection: string; readonly by: string }

/** Null for a name of another form, and for what does not refer to the collection of the level. */
export function readFollowed(key: string, { collection: target }: Level, state: ParseState): Followed | null {
  const [, collectionName = '', fieldName = ''] = followText.exec(key) ?? []
  if (state.view === undefined || collectionName === '') return null
  const collection = findCollection(state.view, collectionName.trim())?.collection
  const name = fieldName.trim()
  if (collection === undefined || !hasField(collection, name, state)) return null
  const by = state.view.byCore.get(collection)?.fields.get(name)?.field ?? name
  const field = collectionOf(collection, state).fields.get(by)
  const { relation = null } = field ?? {}
  const leads =
    relation?.kind === 'many-to-any'
      ? relation.allowed.includes(target)
      : relation?.kind === 'many-to-one' && relation.collection === target
  return field === undefined || !leads
    ? null
    : { field: { ...field, name: `$FOLLOW(${collection},${by})` }, collection, by }
}
