/**
 * Access of a share link: the shared item and the items related to it. A field or row is readable only if both the
 * share's role and the share's creator may read it. Shares cannot write.
 */

import { and, compare, equals, type Filter, matchAll, matchNone, or, type ReachedStep } from '../domain/query/filter.ts'
import type { Key } from '../domain/query/key.ts'
import type { Access, Rule } from '../domain/rights/actor.ts'
import { hashText } from '../domain/schema/hash-text.ts'
import { keyValues } from '../domain/schema/row-keys.ts'
import type { Collection, Field, Schema } from '../domain/schema/schema.ts'

/** The read and share rights of one party, with dynamic values already resolved. */
export type HeldRights = { readonly admin: boolean; readonly rules: readonly Rule[] }

export type SharedItem = { readonly collection: Collection; readonly key: Key }

/** Limits of the walk from the shared item along relations. Shorter paths come first. */
const reach = { steps: 4, paths: 100 } as const

/** Null when the creator may not share any item of the collection. The returned rules restrict the items it may share. */
export function shareAccess(schema: Schema, item: SharedItem, role: HeldRights, creator: HeldRights): Access | null {
  const shareable = rowsOf(creator, item.collection.name, 'share')
  if (shareable === null) return null
  const only = and(keyIs(item.collection, item.key), shareable)
  const commonOf = (name: string): readonly Common[] => common(role, creator, name)
  const root = commonOf(item.collection.name).map(({ fields, filter }) => ({ fields, filter: and(only, filter) }))
  const around = pathsAround(schema, item.collection, (name) => (name === item.collection.name ? root : commonOf(name)))
  const rules = [
    ...root.map((each) => toRule(item.collection.name, each)),
    ...[...around].flatMap(([name, paths]) => {
      const reached = reachedFrom(item.collection, paths, schema.collections.get(name))
      return commonOf(name).map(({ fields, filter }) => toRule(name, { fields, filter: and(reached, filter) }))
    }),
    ...modelRules(schema),
  ]
  const text = JSON.stringify([rules, schema.version])
  const fingerprint = `share ${hashText(text)}${hashText(`again ${text}`)}`
  return { admin: false, app: false, policies: [], rules, fingerprint }
}

/** Fields that both parties may read, and the filter on their rows. */
type Common = Pick<Rule, 'fields' | 'filter'>

function common(role: HeldRights, creator: HeldRights, collection: string): readonly Common[] {
  return readingOf(role, collection).flatMap((mine) =>
    readingOf(creator, collection).flatMap((theirs): readonly Common[] => {
      const fields = bothOf(mine.fields, theirs.fields)
      return fields !== '*' && fields.length === 0 ? [] : [{ fields, filter: and(mine.filter, theirs.filter) }]
    }),
  )
}

const everything: Common = { fields: '*', filter: matchAll }

const readingOf = ({ admin, rules }: HeldRights, collection: string): readonly Common[] =>
  admin ? [everything] : rules.filter((rule) => rule.collection === collection && rule.action === 'read')

function bothOf(left: Rule['fields'], right: Rule['fields']): Rule['fields'] {
  if (left === '*') return right
  return right === '*' ? left : left.filter((field) => right.includes(field))
}

/** Filter on the rows of an action; null when the party has no right to the action. */
function rowsOf({ admin, rules }: HeldRights, collection: string, action: Rule['action']): Filter | null {
  if (admin) return matchAll
  const matching = rules.filter((rule) => rule.collection === collection && rule.action === action)
  return matching.length === 0 ? null : or(...matching.map(({ filter }) => filter))
}

const keyIs = (collection: Collection, key: Key): Filter =>
  and(...[...keyValues(collection, key)].map(([field, value]) => equals(field, value)))

const toRule = (collection: string, { fields, filter }: Common): Rule => ({
  collection,
  action: 'read',
  fields,
  filter,
  validation: null,
  presets: null,
})

type Path = readonly ReachedStep[]
type PathsByCollection = Map<string, Path[]>

/** Paths from the item to other collections. No path visits a collection twice. */
function pathsAround(
  schema: Schema,
  root: Collection,
  commonOf: (name: string) => readonly Common[],
): PathsByCollection {
  const pathsByCollection: PathsByCollection = new Map()
  let spent = 0
  let ends: readonly { readonly collection: Collection; readonly path: Path }[] = [{ collection: root, path: [] }]
  for (let step = 0; step < reach.steps; step += 1) {
    const next: { collection: Collection; path: Path }[] = []
    for (const { collection, path } of ends) {
      for (const hop of hopsOf(collection, commonOf)) {
        const target = schema.collections.get(hop.collection)
        const existing = hop.collection === root.name || path.some((each) => each.collection === hop.collection)
        if (existing || target === undefined || !isReachable(target) || spent >= reach.paths) continue
        if (commonOf(hop.collection).length === 0) continue
        spent += 1
        const longer = [...path, hop]
        pathsByCollection.set(hop.collection, [...(pathsByCollection.get(hop.collection) ?? []), longer])
        if (!target.system) next.push({ collection: target, path: longer })
      }
    }
    ends = next
  }
  return pathsByCollection
}

/** Whether rows of the collection have a key. */
const isReachable = ({ table, keyColumns }: Collection): boolean => table !== null && keyColumns.length > 0

/** The relations that lead on from a collection, each with the rows on which its field is readable. */
function hopsOf(collection: Collection, commonOf: (name: string) => readonly Common[]): readonly ReachedStep[] {
  const rights = commonOf(collection.name)
  return [...collection.fields.values()].flatMap((field) => {
    const covering = rights.filter(({ fields }) => fields === '*' || fields.includes(field.name))
    if (covering.length === 0 || field.concealed) return []
    const guard = or(...covering.map(({ filter }) => filter))
    return targetsOf(field).map((name) => ({ field: field.name, collection: name, guard }))
  })
}

function targetsOf({ relation }: Field): readonly string[] {
  if (relation === null) return []
  return relation.kind === 'many-to-any' ? relation.allowed : [relation.collection]
}

/** Filter on the rows at the ends of the paths. Only the first column of the key is compared. */
function reachedFrom(root: Collection, paths: readonly Path[], target: Collection | undefined): Filter {
  if (target === undefined) return matchNone
  const values = paths.map((path) => ({ kind: 'reached', collection: root.name, path }) as const)
  return compare(target.primaryKey, 'in', values)
}

/** Read access to the data model, limited to readable collections and fields: clients need it to display the item. */
const modelRules = (schema: Schema): readonly Rule[] =>
  ['platform_collections', 'platform_fields', 'platform_relations']
    .filter((name) => schema.collections.has(name))
    .map((name) => toRule(name, everything))
