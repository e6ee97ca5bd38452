/** Translates references in the values of a row: to users with another id here, and to rows that were not imported. */
import type { SourceRow } from '../../domain/ports/import-source.ts'
import type { Collection, Field, Schema } from '../../domain/schema/schema.ts'
import { realName } from '../views/system-names.ts'
import { keyText } from './present-rows.ts'
import { type Session, wordOf } from './session.ts'

const users = 'platform_users'

/** The id here of a user there. */
const userHere = ({ sameUsers }: Session, id: unknown): unknown => sameUsers.get(keyText(id)) ?? id

/** The user who did something; null if that user was not taken. */
export function authorHere(session: Session, id: unknown): string | null {
  if (id === null || id === undefined || session.gone.get(users)?.has(wordOf(id)) === true) return null
  return wordOf(userHere(session, id))
}

export function valueHere(session: Session, { row, field, collection }: ReferencingField): unknown {
  const value = row[field.name]
  if (value === null || session.sameUsers.size + session.gone.size === 0) return value
  const target = targetOf(session.ctx.schema, { row, field, collection })
  if (target === null) return withUsers(session, value, { field, collection })
  const isGone = session.gone.get(target)?.has(wordOf(value)) === true && field.column?.nullable === true
  if (isGone && field.relation !== null) return null
  return isUser(session.ctx.schema, target) ? userHere(session, value) : value
}

/** The key here of a row there. */
export const keyHere = (session: Session, collection: string, key: unknown): unknown =>
  isUser(session.ctx.schema, collection) ? userHere(session, key) : key

/** The collection whose rows a field leads to; null for one that leads to none. */
export function relatedCollection({ ctx }: Session, { row, field }: ReferencingField): Collection | null {
  const { relation } = field
  if (relation === null) return null
  const name = relation.kind === 'many-to-any' ? namedIn(row, relation.collectionField) : relation.collection
  return ctx.schema.collections.get(name ?? '') ?? null
}

/** `row` has the names of the fields here. */
type ReferencingField = { readonly row: SourceRow; readonly field: Field; readonly collection: Collection }

/** The collection whose row the value names; null if the value names none. */
function targetOf(schema: Schema, { row, field, collection }: ReferencingField): string | null {
  const { relation, special, name } = field
  if (relation?.kind === 'many-to-one') return relation.collection
  if (relation?.kind === 'many-to-any') return namedIn(row, relation.collectionField)
  if (special.includes('user-created') || special.includes('user-updated')) return users
  const isAboutItem = collection.system && name === 'item' && collection.fields.has('collection')
  return isAboutItem && schema.collections.has(wordOf(row['collection'])) ? namedIn(row, 'collection') : null
}

function namedIn(row: SourceRow, field: string): string | null {
  const name = row[field]
  return typeof name === 'string' ? realName(name) : null
}

/** Whether the keys of a collection are those of users: its own, or by way of a key that refers to users. */
function isUser({ collections }: Schema, name: string): boolean {
  const seen = new Set<string>()
  for (let at = name; !seen.has(at); ) {
    if (at === users) return true
    seen.add(at)
    const collection = collections.get(at)
    const relation = collection?.fields.get(collection.primaryKey)?.relation
    if (relation?.kind === 'many-to-one') at = relation.collection
  }
  return false
}

/** Ids of users in documents, in columns for ids, and in the mentions of comments. */
function withUsers(session: Session, value: unknown, { field, collection }: Omit<ReferencingField, 'row'>): unknown {
  if (field.type === 'json') return withUsersWithin(session, value)
  if (field.type === 'uuid' && field.name !== collection.primaryKey) return userHere(session, value)
  if (collection.name !== 'platform_comments' || field.name !== 'comment') return value
  return wordOf(value).replaceAll(/(?<=@)[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/gi, (id) =>
    wordOf(userHere(session, id)),
  )
}

function withUsersWithin(session: Session, value: unknown): unknown {
  if (typeof value === 'string') return userHere(session, value)
  if (Array.isArray(value)) return value.map((each) => withUsersWithin(session, each))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, withUsersWithin(session, each)]))
}
