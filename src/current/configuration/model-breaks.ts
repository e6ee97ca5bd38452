/** Differences of two data models that break clients. */
import type { Access, Breaks, Entry, LostRight, PlannedChange, Severity } from '../../domain/ports/configuration.ts'
import type { Change } from '../sync/schema-diff.ts'

export type Effect = PlannedChange['effect']

const gone: Breaks = { create: 'breaking', read: 'breaking', update: 'breaking', delete: 'breaking' }
const withField: Breaks = { create: 'breaking', read: 'breaking', update: 'breaking' }
const writes = (severity: Severity): Breaks => ({ create: severity, update: severity })

export function collectionBreaks(effect: Effect, diff: readonly Change[]): Breaks {
  if (effect === 'delete') return gone
  if (effect === 'create') return {}
  // One item takes the place of a list.
  if (touches(diff, ['singleton'])) return gone
  // Lists leave out other items, or have another order.
  if (touches(diff, ['archive_field', 'archive_value', 'archive_app_filter', 'sort_field'])) return { read: 'perhaps' }
  return {}
}

/** Without versions, reads of versions find none. */
export const versionsLost = (diff: readonly Change[]): readonly LostRight[] =>
  diff.some(({ path = [], lhs, rhs }) => path.at(-1) === 'versioning' && lhs === true && rhs !== true)
    ? [{ collection: 'platform_versions', fields: null, breaks: ['create', 'read', 'update', 'delete'] }]
    : []

/** The field before and after; null = absent. */
export type ComparedEntry = { readonly before: Entry | null; readonly after: Entry | null }

export function fieldBreaks(effect: Effect, diff: readonly Change[], sides: ComparedEntry): Breaks {
  if (effect === 'delete') return withField
  // Who names the field may have no value for it.
  const demanded: Breaks = isDemandedNow(sides) ? { create: 'perhaps' } : {}
  if (effect === 'create') return demanded
  if (isOtherKey(sides)) return gone
  return [...diff.flatMap(bySetting).map(breaksBy), choiceBreaks(sides), digitBreaks(sides)].reduce(merge, demanded)
}

/** Changes that break clients that do not name the field. */
export function breaksUnnamed(effect: Effect, sides: ComparedEntry): Breaks {
  if (isDemandedNow(sides)) return merge({ create: 'breaking' }, effect === 'change' && isOtherKey(sides) ? gone : {})
  if (effect !== 'change') return {}
  if (isOtherKey(sides)) return gone
  return {
    ...(isNothing(defaultOf(sides.before)) || defaultOf(sides.before) === defaultOf(sides.after)
      ? {}
      : { create: 'perhaps' }),
    ...(deletesOtherwise(sides) ? { read: 'perhaps', delete: 'perhaps' } : {}),
  }
}

const partOf = (entry: Entry | null, part: 'schema' | 'meta'): Entry => (entry?.[part] ?? {}) as Entry

const defaultOf = (entry: Entry | null): unknown => partOf(entry, 'schema')['default_value']

/** Whether keys of items have another type, which not all former values are of. */
const isOtherKey = ({ before, after }: ComparedEntry): boolean =>
  before !== null &&
  after !== null &&
  partOf(before, 'schema')['is_primary_key'] === true &&
  before['type'] !== after['type'] &&
  typeBreaks(String(before['type']), String(after['type'])) === withField

/** Whether new items need a value of the field from the client, and did not before. */
const isDemandedNow = ({ before, after }: ComparedEntry): boolean =>
  after !== null && isDemanded(after) && (before === null || !isDemanded(before))

function isDemanded({ schema, meta, type }: Entry): boolean {
  if (type === 'alias') return false
  const { is_nullable: nullable, default_value: value, has_auto_increment: counts } = (schema ?? {}) as Entry
  const required = (meta as Entry | null)?.['required'] === true
  return (nullable === false && (value ?? null) === null && counts !== true) || (required && (value ?? null) === null)
}

/** `isOfOldField`: the field was there before. */
export function relationBreaks(effect: Effect, diff: readonly Change[], isOfOldField: boolean): Breaks {
  // Values have to be those of items; in GraphQL the field is an object.
  if (effect === 'create') return isOfOldField ? { create: 'perhaps', read: 'perhaps', update: 'perhaps' } : {}
  if (effect === 'delete') return { create: 'perhaps', read: 'breaking', update: 'perhaps' }
  return touches(diff, ['related_collection', 'one_collection', 'one_field', 'one_allowed_collections'])
    ? withField
    : {}
}

/** Deleting related items does something else to those that refer to them, or is refused; so does leaving them out. */
export function relatedBreaks(diff: readonly Change[], related: string, list: string | null): readonly LostRight[] {
  const onDelete = { collection: related, fields: null, breaks: ['delete'], perhaps: ['delete'] } as const
  const onLeaving = { collection: related, breaks: ['update'], perhaps: ['update'] } as const
  return [
    ...(touches(diff, ['on_delete']) ? [onDelete] : []),
    ...(touches(diff, ['one_deselect_action']) && list !== null ? [{ ...onLeaving, fields: [list] }] : []),
  ]
}

/** Settings of a field that had none, or has none any more, one by one. */
function bySetting(change: Change): readonly Change[] {
  const { path = [], lhs, rhs } = change
  if (path.length !== 1 || path[0] !== 'meta') return [change]
  const [old, now] = [lhs, rhs].map((meta) => (meta ?? {}) as Entry) as [Entry, Entry]
  return [...new Set([...Object.keys(old), ...Object.keys(now)])]
    .filter((key) => !isNothing(old[key]) || !isNothing(now[key]))
    .map((key): Change => ({ kind: 'E', path: ['meta', key], lhs: old[key], rhs: now[key] }))
}

/** The breaks of one difference of a field. */
function breaksBy({ path = [], lhs, rhs }: Change): Breaks {
  const key = path.join('.')
  if (key === 'type') return typeBreaks(String(lhs), String(rhs))
  if (key === 'schema.is_nullable') return rhs === false ? writes('perhaps') : { read: 'perhaps' }
  if (key === 'schema.max_length' || key.startsWith('schema.numeric_'))
    return isNarrower(lhs, rhs) ? writes('breaking') : {}
  if (key === 'schema.is_unique') return rhs === true ? writes('perhaps') : {}
  if (key === 'meta.required') return rhs === true ? writes('perhaps') : {}
  if (key === 'schema.default_value') return isNothing(lhs) ? {} : { create: 'perhaps' }
  if (path[0] !== 'meta') return {}
  if (path[1] === 'validation') return path.length === 2 && isNothing(rhs) ? {} : writes('perhaps')
  if (path[1] === 'special') return { ...writesOtherwise(lhs, rhs), read: isHidden(lhs, rhs) ? 'breaking' : 'perhaps' }
  return {}
}

const isNothing = (value: unknown): boolean => value === null || value === undefined

/** Types that take every value of another one, in the same form. */
const wider: { readonly [type: string]: readonly string[] } = {
  string: ['text'],
  integer: ['bigInteger', 'float', 'decimal'],
  bigInteger: ['decimal'],
  float: ['decimal'],
}

function typeBreaks(before: string, after: string): Breaks {
  if (wider[before]?.includes(after) !== true) return withField
  return before === 'string' ? {} : { read: 'perhaps' }
}

const isNarrower = (before: unknown, after: unknown): boolean =>
  typeof after === 'number' && (typeof before !== 'number' || after < before)

const hiding = ['conceal', 'hash']

const isHidden = (before: unknown, after: unknown): boolean =>
  hiding.some((each) => listed(after).includes(each) && !listed(before).includes(each))

const listed = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value])

/** The server requires another form of a sent value, or sets its own. */
function writesOtherwise(before: unknown, after: unknown): Breaks {
  const [old, now] = [before, after].map((special) => listed(special).map(String)) as [string[], string[]]
  const others = [...old.filter((each) => !now.includes(each)), ...now.filter((each) => !old.includes(each))]
  if (others.some((each) => each.startsWith('cast-'))) return writes('perhaps')
  return {
    ...(others.some((each) => each.endsWith('-created')) ? { create: 'perhaps' } : {}),
    ...(others.some((each) => each.endsWith('-updated')) ? writes('perhaps') : {}),
  }
}

/** Digits before the point are those that the digits after it leave. */
function digitBreaks(sides: ComparedEntry): Breaks {
  const [old, now] = [sides.before, sides.after].map((entry) => {
    const { numeric_precision: all, numeric_scale: after } = partOf(entry, 'schema')
    return typeof all === 'number' && typeof after === 'number' ? all - after : null
  }) as [number | null, number | null]
  return isNarrower(old, now) ? writes('breaking') : {}
}

/** The values that a field offers, and those of them that delete an item. */
function choicesOf(entry: Entry | null): { readonly all: readonly unknown[]; readonly deleting: readonly unknown[] } {
  const { choices, status_mapping: statuses } = (partOf(entry, 'meta')['options'] ?? {}) as Entry
  const mapped = Object.entries((statuses ?? {}) as { readonly [value: string]: Entry | null })
  const listedOnes = Array.isArray(choices) ? (choices as readonly (Entry | null)[]) : []
  return {
    all: [...listedOnes.map((each) => each?.['value']), ...mapped.map(([value]) => value)],
    deleting: mapped.filter(([, status]) => status?.['soft_delete'] === true).map(([value]) => value),
  }
}

const isWithin = (some: readonly unknown[], all: readonly unknown[]): boolean =>
  some.every((each) => all.includes(each))

function deletesOtherwise({ before, after }: ComparedEntry): boolean {
  const [old, now] = [choicesOf(before).deleting, choicesOf(after).deleting]
  return before !== null && after !== null && !(isWithin(old, now) && isWithin(now, old))
}

/** A client that reads may get a value that it does not know; one that writes may send a value that is no choice. */
function choiceBreaks(sides: ComparedEntry): Breaks {
  const [old, now] = [choicesOf(sides.before).all, choicesOf(sides.after).all]
  const hasFurther = old.length > 0 && now.length === 0 ? true : !isWithin(now, old)
  return {
    ...(isWithin(old, now) ? {} : writes('perhaps')),
    ...(hasFurther ? { read: 'perhaps' } : {}),
    ...(deletesOtherwise(sides) ? { ...writes('perhaps'), read: 'perhaps', delete: 'perhaps' } : {}),
  }
}

function merge(left: Breaks, right: Breaks): Breaks {
  const all = Object.entries(right) as [Access, Severity][]
  return all.reduce(
    (merged, [access, severity]) => ({ ...merged, [access]: merged[access] === 'breaking' ? 'breaking' : severity }),
    left,
  )
}

const touches = (diff: readonly Change[], keys: readonly string[]): boolean =>
  diff.some(({ path = [] }) => path.some((part) => keys.includes(String(part))))
