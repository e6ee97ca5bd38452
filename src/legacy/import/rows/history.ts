/** Activity, comments and revisions → rows here. */

import { isIdentityCollection } from '../../../domain/schema/identity.ts'
import { systemFields } from '../../views/system-fields.ts'
import { at, type Installation, placeOf } from '../installation.ts'
import { collectionHere, identityOf } from '../names.ts'
import { filled, firstMoment, instantAt, parsed, type SourceRecord } from '../records.ts'
import { copied, type Draft, fit, mirrorOf } from './drafts.ts'
import type { Numbers } from './values.ts'

export const activityMirror = mirrorOf(
  'platform_activity',
  ['id'],
  `id integer, action varchar(45), user uuid, timestamp timestamptz, ip varchar(50), user_agent text,
  collection varchar(64), item varchar(255), comment text, edited_on timestamptz, comment_deleted_on timestamptz`,
)

const actions: { readonly [action: string]: string } = { authenticate: 'login' }

/** History may name what is gone; then it keeps the name and the number. */
export function draftActivity(row: SourceRecord, numbers: Numbers): Draft {
  const user = filled(row, 'action_by')
  return {
    ...copied(activityMirror, row),
    action: actions[at(row, 'action')] ?? at(row, 'action'),
    user: user === null ? null : (numbers.platform_users.get(user) ?? null),
    timestamp: instantAt(row, 'action_on') ?? firstMoment,
    collection: nameOf(at(row, 'collection')),
    item: itemOf(at(row, 'collection'), at(row, 'item'), numbers),
  }
}

const nameOf = (collection: string): string => fit(collectionHere(collection) ?? collection, 64, () => undefined) ?? ''

function itemOf(collection: string, item: string, numbers: Numbers): string {
  const identity = identityOf(collection)
  return identity === null ? item : (numbers[identity].get(item) ?? item)
}

export const activitySeenMirror = mirrorOf(
  'platform_activity_seen',
  ['id'],
  'id integer, activity integer, user uuid, seen_on timestamptz, archived boolean',
)

/** The database refuses what names an entry or a user that is gone, and the report lists it. */
export const draftSeen = (row: SourceRecord, { platform_users: users }: Numbers): Draft => ({
  ...copied(activitySeenMirror, row),
  user: users.get(at(row, 'user')) ?? null,
})

export const revisionsMirror = mirrorOf(
  'platform_revisions',
  ['id'],
  `id integer, activity integer, collection varchar(64), item varchar(255), data json, delta json`,
)

export function draftRevision(row: SourceRecord, numbers: Numbers, installation: Installation): Draft {
  const collection = at(row, 'collection')
  const state = (name: string) => stateOf(parsed(row[name] ?? null), collection, { numbers, installation })
  return {
    ...copied(revisionsMirror, row),
    collection: nameOf(collection),
    item: itemOf(collection, at(row, 'item'), numbers),
    data: state('data'),
    delta: state('delta'),
  }
}

/** The item in whose write the revision was nested. */
export function parentOf(row: SourceRecord, numbers: Numbers): { id: string; collection: string; item: string } | null {
  const [collection, item] = [filled(row, 'parent_collection'), filled(row, 'parent_item')]
  if (collection === null || item === null) return null
  return { id: at(row, 'id'), collection: nameOf(collection), item: itemOf(collection, item, numbers) }
}

type HistoryFacts = { readonly numbers: Numbers; readonly installation: Installation }

/** Never part of a history. */
const secret: ReadonlySet<string> = new Set(['password', 'token', '2fa_secret', 'password_reset_token'])

/** A state under the names of columns here, with uuids in place of numbers. */
function stateOf(state: unknown, collection: string, around: HistoryFacts): string | null {
  if (typeof state !== 'object' || state === null || Array.isArray(state)) return null
  const here = collectionHere(collection) ?? collection
  const entries = Object.entries(state as { [name: string]: unknown })
  const table = systemFields.get(here)
  if (table === undefined)
    return JSON.stringify(Object.fromEntries(entries.map((each) => ownValue(each, collection, around))))
  const stored = entries.filter(([name]) => Object.hasOwn(table, name) && !secret.has(name) && name !== 'data')
  const converted = stored.map((each) => systemValue(each, here, around.numbers))
  return JSON.stringify(Object.fromEntries(converted))
}

function ownValue(
  [name, value]: [string, unknown],
  collection: string,
  { numbers, installation }: HistoryFacts,
): [string, unknown] {
  const identity = installation.identities.get(placeOf(collection, name))
  return [name, identity === undefined ? value : (uuidOf(value, numbers[identity]) ?? null)]
}

/** Fields of system rows that name rows with uuids. */
const references: { readonly [field: string]: keyof Numbers } = {
  role: 'platform_roles',
  user: 'platform_users',
  avatar: 'platform_files',
  uploaded_by: 'platform_users',
  folder: 'platform_folders',
  parent_folder: 'platform_folders',
  action_by: 'platform_users',
}

function systemValue([name, value]: [string, unknown], here: string, numbers: Numbers): [string, unknown] {
  const field = systemFields.get(here)?.[name]?.field ?? name
  const reference = references[name]
  if (name === 'id' && isIdentityCollection(here)) return [field, Number(value)]
  if (reference !== undefined) return [field, uuidOf(value, numbers[reference]) ?? null]
  if (here === 'platform_users' && name === 'status' && value === 'deleted') return [field, 'archived']
  return [field, value]
}

const uuidOf = (value: unknown, ids: ReadonlyMap<string, string>): string | undefined => {
  const id = typeof value === 'object' && value !== null && 'id' in value ? value.id : value
  return typeof id === 'number' || typeof id === 'string' ? ids.get(String(id)) : undefined
}
