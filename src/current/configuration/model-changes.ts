/** The differences of two data models in words, with what they break for clients. */
import { describeValues } from '../../core/configuration/words.ts'
import type { Access, Entry, PlannedChange } from '../../domain/ports/configuration.ts'
import type { Change, Differences, EntryDiff } from '../sync/schema-diff.ts'

/** One change per collection, field and relation; fields and relations of new collections belong to these. */
export function modelChanges(
  { collections, fields, relations }: Differences,
  secrets: ReadonlySet<string>,
): readonly PlannedChange[] {
  const listed: Listing = (diff) => diff.map((each) => describe(each, secrets)).join(', ')
  const isNew = new Set(collections.filter(({ diff }) => kindOf(diff) === 'create').map(({ collection }) => collection))
  const inOld = ({ collection }: EntryDiff): boolean => !isNew.has(collection)
  const fieldsOf = (name: string): number => fields.filter(({ collection }) => collection === name).length
  return [
    ...collections.map((each) => collectionChange(each, fieldsOf(each.collection), listed)),
    ...fields.filter(inOld).map((each) => fieldChange(each, listed)),
    ...relations.filter(inOld).map((each) => relationChange(each, listed)),
  ]
}

type Effect = PlannedChange['effect']

function kindOf([first]: readonly Change[]): Effect {
  if (first?.path !== undefined) return 'change'
  return first?.kind === 'N' ? 'create' : first?.kind === 'D' ? 'delete' : 'change'
}

const everything: readonly Access[] = ['create', 'read', 'update', 'delete']

function collectionChange({ collection, diff }: EntryDiff, fields: number, listed: Listing): PlannedChange {
  const effect = kindOf(diff)
  const name = JSON.stringify(collection)
  const words = {
    create: `Create collection ${name} with ${fields === 1 ? '1 field' : `${fields} fields`}`,
    change: `Change collection ${name}: ${listed(diff)}`,
    delete: `Delete collection ${name} and all of its items`,
  }[effect]
  const breaks = effect === 'delete' || (effect === 'change' && touches(diff, ['singleton'])) ? everything : []
  return { words, effect, collection, fields: null, policy: null, breaks }
}

function fieldChange({ collection, field = '', diff }: EntryDiff, listed: Listing): PlannedChange {
  const effect = kindOf(diff)
  const place = JSON.stringify(`${collection}.${field}`)
  const [first] = diff
  const type = String(((effect === 'create' ? first?.rhs : first?.lhs) as Entry | undefined)?.['type'])
  const words = {
    create: `Create field ${place} (${type})`,
    change: `Change field ${place}: ${listed(diff)}`,
    delete: `Delete field ${place} (${type})${type === 'alias' ? '' : ' and its values'}`,
  }[effect]
  return { words, effect, collection, fields: [field], policy: null, breaks: fieldBreaks(effect, diff) }
}

function fieldBreaks(effect: Effect, diff: readonly Change[]): readonly Access[] {
  const [first] = diff
  if (effect === 'delete') return ['read', 'create', 'update']
  if (effect === 'create') return isDemanded(first?.rhs as Entry) ? ['create'] : []
  return (['read', 'create', 'update'] as const).filter((access) =>
    diff.some((each) => breaksBy(each)[access] === true),
  )
}

/** Whether a new item needs a value from the client. */
function isDemanded({ schema, meta }: Entry): boolean {
  const { is_nullable: nullable, default_value: value, has_auto_increment: counts } = (schema ?? {}) as Entry
  const required = (meta as Entry | null)?.['required'] === true
  return (nullable === false && (value ?? null) === null && counts !== true) || (required && (value ?? null) === null)
}

/** What one difference of a field breaks. */
function breaksBy({ path = [], lhs, rhs }: Change): { readonly [A in Access]?: boolean } {
  const key = path.join('.')
  const writes = { create: true, update: true }
  if (key === 'type') return { read: true, ...writes }
  if (key === 'schema.is_nullable') return rhs === false ? writes : { read: true }
  if (key === 'schema.max_length' || key.startsWith('schema.numeric_')) return isNarrower(lhs, rhs) ? writes : {}
  if (key === 'schema.is_unique' || key === 'meta.required') return rhs === true ? writes : {}
  if (key === 'schema.default_value') return rhs === null || rhs === undefined ? { create: true } : {}
  if (path[0] === 'meta' && path[1] === 'validation') return rhs === null || rhs === undefined ? {} : writes
  if (key === 'meta.special') return { read: true }
  return {}
}

const isNarrower = (before: unknown, after: unknown): boolean =>
  typeof after === 'number' && (typeof before !== 'number' || after < before)

function relationChange(
  { collection, field = '', related_collection: related, diff }: EntryDiff,
  listed: Listing,
): PlannedChange {
  const effect = kindOf(diff)
  const place = JSON.stringify(`${collection}.${field}`)
  const target = related === null || related === undefined ? 'several collections' : JSON.stringify(related)
  const words = {
    create: `Relate ${place} to ${target}`,
    change: `Change the relation of ${place} to ${target}: ${listed(diff)}`,
    delete: `End the relation of ${place} to ${target}`,
  }[effect]
  const isOther = effect === 'delete' || touches(diff, ['related_collection', 'one_collection', 'one_field'])
  const breaks: readonly Access[] = effect !== 'create' && isOther ? ['read', 'create', 'update'] : []
  return { words, effect, collection, fields: [field], policy: null, breaks }
}

const touches = (diff: readonly Change[], keys: readonly string[]): boolean =>
  diff.some(({ path = [] }) => path.some((part) => keys.includes(String(part))))

/** The differences, each as `name before → after`. */
type Listing = (diff: readonly Change[]) => string

function describe({ kind, path = [], lhs, rhs, index, item }: Change, secrets: ReadonlySet<string>): string {
  const place = [...path, ...(index === undefined ? [] : [index])].filter(
    (part) => part !== 'meta' && part !== 'schema',
  )
  const [before, after] = kind === 'A' ? [item?.lhs, item?.rhs] : [lhs, rhs]
  return describeValues(place.join('.'), { before, after, secrets })
}
