/** Formats differences for people: added (+), deleted (-), changed (~). */
import { type Change, type Differences, type EntryDiff, wholeChange } from './schema-diff.ts'

/** The formatted plan by part; empty parts are omitted. */
export function describeDiff(diff: Differences): readonly string[] {
  return [
    ...describePart('Collections', diff.collections, ({ collection }) => collection),
    ...describePart('Fields', diff.fields, ({ collection, field }) => `${collection}.${field}`),
    ...describePart(
      'Relations',
      diff.relations,
      ({ collection, field, related_collection: related }) => `${collection}.${field} → ${related ?? 'any'}`,
    ),
  ]
}

function describePart<T extends EntryDiff>(title: string, entries: readonly T[], nameOf: (entry: T) => string) {
  if (entries.length === 0) return []
  return [`${title}:`, ...entries.flatMap((entry) => describeEntry(nameOf(entry), entry.diff))]
}

function describeEntry(name: string, diff: readonly Change[]): readonly string[] {
  const whole = wholeChange(diff)
  if (whole !== null)
    return [whole.kind === 'N' ? `  + ${name}${typeIn(whole.rhs)}` : `  - ${name}${typeIn(whole.lhs)}`]
  return [`  ~ ${name}`, ...diff.map((change) => `      ${describeChange(change)}`)]
}

const typeIn = (entry: unknown): string => {
  const type = typeof entry === 'object' && entry !== null && 'type' in entry ? entry.type : null
  return typeof type === 'string' ? ` (${type})` : ''
}

function describeChange({ kind, path = [], lhs, rhs, index, item }: Change): string {
  const name = [...path, ...(index === undefined ? [] : [index])].join('.')
  const before = kind === 'A' ? item?.lhs : lhs
  const after = kind === 'A' ? item?.rhs : rhs
  return `${name}: ${show(before)} → ${show(after)}`
}

/** Truncates long values for readability. */
function show(value: unknown): string {
  const text = value === undefined ? 'nothing' : JSON.stringify(value)
  return text.length > 80 ? `${text.slice(0, 79)}…` : text
}
