/** What changes of roles, policies, rights and levels break for clients. */
import { isDeepStrictEqual } from 'node:util'
import {
  type Access,
  type Entry,
  type LostRight,
  type PlannedChange,
  type Severity,
  strongest,
} from '../../domain/ports/configuration.ts'
import { namesIn } from './read-records.ts'
import type { RecordKind } from './record-kinds.ts'

type Compared = {
  readonly kind: RecordKind
  readonly key: string
  /** Null: there is no such row. */
  readonly before: Entry | null
  readonly after: Entry | null
}

/** Names of fields, and the rights that a policy has. */
export type Facts = {
  readonly fieldsOf: (collection: string) => readonly string[]
  readonly rightsOf: (policy: string) => readonly LostRight[]
}

type Broken = Pick<PlannedChange, 'collection' | 'fields' | 'policy' | 'breaks' | 'severity' | 'lost'>

const safe: Broken = { collection: null, fields: null, policy: null, breaks: [], severity: 'safe' }

/** Changes of what no client depends on are safe, such as dashboards, presets and texts. */
export function recordBreaks(compared: Compared, { fieldsOf, rightsOf }: Facts): Broken {
  const { kind, key, before, after } = compared
  switch (kind) {
    case 'right':
      return rightBreaks(compared, fieldsOf)
    case 'level':
      return levelBreaks(compared)
    case 'role':
      return before === null ? safe : roleBreaks(before, after, rightsOf)
    case 'policy':
      return before === null ? safe : { ...safe, policy: key, severity: policySeverity(before, after) }
    default:
      return safe
  }
}

/** The fields that the right no longer allows; all, if other rows or values are allowed now. */
function rightBreaks({ key, before, after }: Compared, fieldsOf: Facts['fieldsOf']): Broken {
  const [collection, policy, action] = namesIn(key) as readonly [string, string, Access]
  const place = { ...safe, collection, policy }
  if (before === null) return place
  if (after === null) return { ...place, breaks: [action], severity: 'breaking' }
  const lost = lostFields(before, after, fieldsOf(collection))
  const isOtherwise = narrowing.some((name) => !isDeepStrictEqual(before[name], after[name]) && !isNothing(after[name]))
  if (isOtherwise) return { ...place, breaks: [action], severity: lost.length > 0 ? 'breaking' : 'perhaps' }
  return lost.length === 0
    ? { ...place, fields: [] }
    : { ...place, fields: lost, breaks: [action], severity: 'breaking' }
}

const narrowing = ['permissions', 'validation'] as const

const isNothing = (value: unknown): boolean =>
  value === null || value === undefined || (typeof value === 'object' && Object.keys(value).length === 0)

function lostFields(before: Entry, after: Entry, all: readonly string[]): readonly string[] {
  const [old, fresh] = [before, after].map(({ fields }) => (fields ?? []) as readonly string[])
  if (fresh?.includes('*') === true) return []
  const allowed = old?.includes('*') === true ? all : (old ?? [])
  return allowed.filter((field) => fresh?.includes(field) !== true)
}

const actions: readonly Access[] = ['create', 'read', 'update', 'delete']

/** Levels from the least to the most. */
const levels: readonly unknown[] = ['none', 'mine', 'role', 'full']

const rank = (entry: Entry | null, name: string): number => Math.max(0, levels.indexOf(entry?.[name] ?? 'none'))

function levelBreaks({ key, before, after }: Compared): Broken {
  const [collection = null] = namesIn(key)
  if (before === null) return { ...safe, collection }
  const lower = actions.filter((action) => rank(after, action) < rank(before, action))
  const hidden = (name: string): boolean => grown(before[name], after?.[name])
  const breaks = actions.filter(
    (action) =>
      lower.includes(action) ||
      (action === 'read' && hidden('read_field_blacklist')) ||
      (action !== 'read' && action !== 'delete' && (hidden('write_field_blacklist') || hidden('status_blacklist'))),
  )
  const isGone = lower.some((action) => rank(after, action) === 0) || hidden('read_field_blacklist')
  return { ...safe, collection, breaks, severity: breaks.length === 0 ? 'safe' : isGone ? 'breaking' : 'perhaps' }
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** Whether the list has more entries than before. */
const grown = (before: unknown, after: unknown): boolean => listOf(after).some((each) => !listOf(before).includes(each))

function roleBreaks(before: Entry, after: Entry | null, rightsOf: Facts['rightsOf']): Broken {
  const gone = listOf(before['policies']).filter((each) => !listOf(after?.['policies']).includes(each))
  const lost = gone.flatMap((policy) => rightsOf(String(policy)))
  return { ...safe, severity: roleSeverity(before, after), ...(lost.length === 0 ? {} : { lost }) }
}

/** Without a role its users are suspended; without a policy or a parent they lose its rights. */
function roleSeverity(before: Entry, after: Entry | null): Severity {
  if (after === null || grown(after['policies'], before['policies'])) return 'breaking'
  return before['parent'] !== after['parent'] && !isNothing(before['parent']) ? 'breaking' : 'safe'
}

function policySeverity(before: Entry, after: Entry | null): Severity {
  if (after === null) return 'breaking'
  const lost = ['admin_access', 'app_access', 'public'].filter((name) => before[name] === true && after[name] !== true)
  const narrower = !isDeepStrictEqual(before['ip_access'], after['ip_access']) && listOf(after['ip_access']).length > 0
  const isStricter = narrower || (after['enforce_tfa'] === true && before['enforce_tfa'] !== true)
  return strongest([lost.length > 0 ? 'breaking' : 'safe', isStricter ? 'perhaps' : 'safe'])
}
