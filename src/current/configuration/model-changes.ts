/** The differences of two data models in words, with what they break for clients. */
import { isDeepStrictEqual } from 'node:util'
import { describeValues } from '../../core/configuration/words.ts'
import {
  type Access,
  type Breaks,
  type Entry,
  type LostRight,
  type PlannedChange,
  strongest,
} from '../../domain/ports/configuration.ts'
import type { Change, Differences, EntryDiff } from '../sync/schema-diff.ts'
import {
  breaksUnnamed,
  type ComparedEntry,
  collectionBreaks,
  type Effect,
  fieldBreaks,
  relatedBreaks,
  relationBreaks,
  versionsLost,
} from './model-breaks.ts'

/** `secrets`: texts that no words may contain; `sides`: a field in both models. */
export type ChangeFacts = {
  readonly secrets: ReadonlySet<string>
  readonly sides: (collection: string, field: string) => ComparedEntry
  /** The field of the related collection that lists the items; null = none. */
  readonly listOf: (entry: EntryDiff) => string | null
}

/** One change per collection, field and relation; fields and relations of new collections belong to these. */
export function modelChanges(
  { collections, fields, relations }: Differences,
  { secrets, sides, listOf }: ChangeFacts,
): readonly PlannedChange[] {
  const listed: Listing = (diff) => diff.map((each) => describe(each, secrets)).join('; ')
  const isNew = new Set(collections.filter(({ diff }) => kindOf(diff) === 'create').map(({ collection }) => collection))
  const inOld = ({ collection }: EntryDiff): boolean => !isNew.has(collection)
  const fieldsOf = (name: string): number => fields.filter(({ collection }) => collection === name).length
  return [
    ...collections.map((each) => collectionChange(each, fieldsOf(each.collection), listed)),
    ...fields.filter(inOld).map((each) => fieldChange(each, listed, sides(each.collection, each.field ?? ''))),
    ...relations
      .filter(inOld)
      .map((each) => relationChange(each, listed, { ...sides(each.collection, each.field ?? ''), list: listOf(each) })),
  ]
}

function kindOf([first]: readonly Change[]): Effect {
  if (first?.path !== undefined) return 'change'
  return first?.kind === 'N' ? 'create' : first?.kind === 'D' ? 'delete' : 'change'
}

const accesses: readonly Access[] = ['create', 'read', 'update', 'delete']

type ClientBreaks = Pick<PlannedChange, 'breaks' | 'severity' | 'perhaps' | 'unnamed' | 'lost'>

function toBreaks(breaks: Breaks, unnamed: Breaks, lost: readonly LostRight[] = []): ClientBreaks {
  const own = strongest([...Object.values(breaks), ...Object.values(unnamed)])
  return {
    breaks: accesses.filter((access) => breaks[access] !== undefined),
    perhaps: accesses.filter((access) => breaks[access] === 'perhaps'),
    severity: own === 'safe' && lost.length > 0 ? 'perhaps' : own,
    ...(Object.keys(unnamed).length === 0 ? {} : { unnamed }),
    ...(lost.length === 0 ? {} : { lost }),
  }
}

function collectionChange({ collection, diff }: EntryDiff, fields: number, listed: Listing): PlannedChange {
  const effect = kindOf(diff)
  const name = JSON.stringify(collection)
  const words = {
    create: `Create collection ${name} with ${fields === 1 ? '1 field' : `${fields} fields`}`,
    change: `Change collection ${name}: ${listed(diff)}`,
    delete: `Delete collection ${name} and all of its items`,
  }[effect]
  const breaks = toBreaks(collectionBreaks(effect, diff), {}, versionsLost(diff))
  return { words, effect, collection, fields: null, policy: null, ...breaks }
}

function fieldChange(
  { collection, field = '', diff }: EntryDiff,
  listed: Listing,
  sides: ComparedEntry,
): PlannedChange {
  const effect = kindOf(diff)
  const key = JSON.stringify(`${collection}.${field}`)
  const [first] = diff
  const type = String(((effect === 'create' ? first?.rhs : first?.lhs) as Entry | undefined)?.['type'])
  const words = {
    create: `Create field ${key} (${type})`,
    change: `Change field ${key}: ${listed(diff)}`,
    delete: `Delete field ${key} (${type})${type === 'alias' ? '' : ' and its values'}`,
  }[effect]
  return {
    words,
    effect,
    collection,
    fields: [field],
    policy: null,
    ...toBreaks(fieldBreaks(effect, diff, sides), breaksUnnamed(effect, sides)),
  }
}

function relationChange(
  { collection, field = '', related_collection: related, diff }: EntryDiff,
  listed: Listing,
  { before, list }: ComparedEntry & { readonly list: string | null },
): PlannedChange {
  const effect = kindOf(diff)
  const key = JSON.stringify(`${collection}.${field}`)
  const target = related === null || related === undefined ? 'several collections' : JSON.stringify(related)
  const words = {
    create: `Relate ${key} to ${target}`,
    change: `Change the relation of ${key} to ${target}: ${listed(diff)}`,
    delete: `End the relation of ${key} to ${target}`,
  }[effect]
  const elsewhere = related == null ? [] : relatedBreaks(diff, related, list)
  const breaks = toBreaks(relationBreaks(effect, diff, before !== null), {}, elsewhere)
  return { words, effect, collection, fields: [field], policy: null, ...breaks }
}

/** The differences, each as `name: before → after`. */
type Listing = (diff: readonly Change[]) => string

function describe({ kind, path = [], lhs, rhs, index, item }: Change, secrets: ReadonlySet<string>): string {
  const position = [...path, ...(index === undefined ? [] : [index])].filter(
    (part) => part !== 'meta' && part !== 'schema',
  )
  const [before, after] = kind === 'A' ? [item?.lhs, item?.rhs] : [lhs, rhs]
  if (position.length === 0)
    return describeWhole(path.at(-1) === 'schema' ? 'column' : 'metadata', [before, after], secrets)
  if (isDeepStrictEqual(before, after)) return describeOrder(position.join('.'), [before, after])
  return describeValues(position.join('.'), { before, after, secrets })
}

/** Names that the path contains already, and default values. */
const defaults = { id: 'any', collection: 'any', field: 'any', width: 'full', searchable: true } as const

/** Metadata or a column that is made or goes as a whole: what is not usual in it. */
function describeWhole(
  name: string,
  [before, after]: readonly [unknown, unknown],
  secrets: ReadonlySet<string>,
): string {
  return describeValues(name, { before: unusualIn(before), after: unusualIn(after), secrets })
}

const unusualIn = (value: unknown): unknown =>
  value == null ? undefined : Object.fromEntries(Object.entries(value).filter(differsFromDefault))

function differsFromDefault([name, value]: readonly [string, unknown]): boolean {
  if (value == null || value === false) return false
  const usual = Object.hasOwn(defaults, name) ? defaults[name as keyof typeof defaults] : null
  return usual !== 'any' && value !== usual
}

/** An equal value in another order. */
const describeOrder = (name: string, sides: readonly unknown[]): string =>
  `order of ${name}: ${sides.map(namesOf).join(' → ')}`

const namesOf = (value: unknown): string =>
  typeof value === 'object' && value !== null ? Object.keys(value).join(', ') : ''
