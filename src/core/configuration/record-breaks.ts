/** What changes of roles, policies, rights and levels break for clients. */
import { isDeepStrictEqual } from 'node:util'
import type { Access, Entry, PlannedChange, Severity } from '../../domain/ports/configuration.ts'
import { added, type ClientBreaks, policyBreaks, type RoleFacts, rightTo, roleBreaks, safe } from './policy-breaks.ts'
import { namesIn } from './read-records.ts'
import type { RecordKind } from './record-kinds.ts'

type Compared = {
  readonly kind: RecordKind
  readonly key: string
  /** Null: there is no such row. */
  readonly before: Entry | null
  readonly after: Entry | null
}

/** Names of fields, and what policies and roles give at present. */
export type Facts = RoleFacts & { readonly fieldsOf: (collection: string) => readonly string[] }

/** Changes of what no client depends on are safe, such as dashboards, presets and texts. */
export function recordBreaks(compared: Compared, facts: Facts): ClientBreaks {
  const { kind, key, before, after } = compared
  switch (kind) {
    case 'right':
      return rightBreaks(compared, facts.fieldsOf)
    case 'level':
      return levelBreaks(compared)
    case 'role':
      return before === null ? safe : roleBreaks(before, after, facts)
    case 'policy':
      return before === null ? safe : { ...policyBreaks(before, after, facts.givenBy(key)), policy: key }
    case 'webhook':
      return before === null ? safe : { ...safe, severity: webhookSeverity(before, after) }
    default:
      return safe
  }
}

/** The fields that the right no longer allows; all, if other rows or values are allowed now. */
function rightBreaks({ key, before, after }: Compared, fieldsOf: Facts['fieldsOf']): ClientBreaks {
  const [collection, policy, action] = namesIn(key) as readonly [string, string, string]
  const scope = { ...safe, collection, policy }
  if (before === null) return scope
  const whole = { ...scope, ...byAction(collection, action) }
  if (after === null) return { ...whole, severity: 'breaking' }
  const lost = lostFields(before, after, fieldsOf(collection))
  const isOtherwise = narrowing.some((name) => !isDeepStrictEqual(before[name], after[name]) && !isNothing(after[name]))
  if (isOtherwise) return { ...whole, severity: lost.length > 0 ? 'breaking' : 'perhaps' }
  if (lost.length > 0) return { ...whole, fields: lost, severity: 'breaking' }
  const refilled = otherPresets(before, after)
  return refilled.length > 0 && action === 'create'
    ? { ...whole, fields: refilled, unnamed: { create: 'perhaps' }, severity: 'perhaps' }
    : { ...scope, fields: [] }
}

/** Who shares items creates shares of them. */
const byAction = (collection: string, action: string): Pick<PlannedChange, 'breaks' | 'lost'> =>
  action === 'share' ? { breaks: [], lost: [rightTo(collection, action)] } : { breaks: [action as Access] }

/** Fields that new items get another value of, or none. */
function otherPresets(before: Entry, after: Entry): readonly string[] {
  const [old, now] = [before, after].map(({ presets }) => (presets ?? {}) as Entry) as [Entry, Entry]
  return Object.keys(old).filter((field) => !isDeepStrictEqual(old[field], now[field]))
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

function levelBreaks({ key, before, after }: Compared): ClientBreaks {
  const [collection = null] = namesIn(key)
  if (before === null) return { ...safe, collection }
  const lower = actions.filter((action) => rank(after, action) < rank(before, action))
  const hidden = (name: string): boolean => grown(before[name], after?.[name])
  const breaks = actions.filter(
    (action) =>
      lower.includes(action) ||
      (explainedIn(after).includes(action) && !explainedIn(before).includes(action)) ||
      (action === 'read' && hidden('read_field_blacklist')) ||
      (action !== 'read' && action !== 'delete' && (hidden('write_field_blacklist') || hidden('status_blacklist'))),
  )
  const fields = ['read_field_blacklist', 'write_field_blacklist'].flatMap((name) => added(before[name], after?.[name]))
  const isOfFields = fields.length > 0 && lower.length === 0 && !hidden('status_blacklist')
  const isGone = isOfFields || lower.some((action) => rank(after, action) === 0) || hidden('read_field_blacklist')
  return {
    ...safe,
    collection,
    fields: isOfFields ? fields.map(String) : null,
    breaks,
    severity: breaks.length === 0 ? 'safe' : isGone ? 'breaking' : 'perhaps',
  }
}

/** Changes that are refused without a comment. */
const explained: { readonly [value: string]: readonly Access[] } = {
  create: ['create'],
  update: ['update'],
  always: ['create', 'update', 'delete'],
}

const explainedIn = (entry: Entry | null): readonly Access[] => explained[String(entry?.['explain'])] ?? []

/** Whether the list has more entries than before. */
const grown = (before: unknown, after: unknown): boolean => added(before, after).length > 0

const isOff = (entry: Entry | null): boolean => entry === null || entry['status'] === 'inactive'

/** Receivers get nothing, less, or at another address. */
function webhookSeverity(before: Entry, after: Entry | null): Severity {
  if (isOff(before)) return 'safe'
  const less = ['actions', 'collections'].some((name) => grown(after?.[name], before[name]))
  if (isOff(after) || less) return 'breaking'
  const others = ['url', 'data', 'role', 'secret'].some((name) => !isDeepStrictEqual(before[name], after?.[name]))
  return others ? 'perhaps' : 'safe'
}
