/**
 * Explains what somebody may do with a collection, an item or a field, and why. The answer to "may it" is that of
 * authorization, asked as the subject; the rules are asked one by one, in the same way.
 */
import { findReadGrant, isUnlimited, permittedRows, rulesFor } from '../../authz/grants.ts'
import { filterText } from '../../domain/conditions/filter-text.ts'
import type { Context } from '../../domain/ports/context.ts'
import { type Filter, matchNone, or } from '../../domain/query/filter.ts'
import type { Key } from '../../domain/query/key.ts'
import type { Changes } from '../../domain/query/mutation.ts'
import type { Action, Rule } from '../../domain/rights/actor.ts'
import { type Failure, TandemError } from '../../domain/rights/errors.ts'
import type { Collection, Schema } from '../../domain/schema/schema.ts'
import { conditionText } from '../../sql/compile/condition-text.ts'
import { hasRow } from '../rows/has-row.ts'
import { keyFilter } from '../rows/keys.ts'
import type { Cause } from './cause.ts'
import { absenceCauses, accountCauses, ignoredCauses, policyName, policyRecord } from './explained-causes.ts'
import { appAccessCauses, limitCause } from './explained-limits.ts'
import { type RequestedAction, refusalsOf, type SubjectContext } from './explained-rules.ts'
import { loadSubject, type Subject } from './explained-subject.ts'
import { type JudgedRule, judgeRules } from './judged-rules.ts'
import { ruleCauses } from './rule-causes.ts'

export type ExplainOptions = {
  /** An id, an address, or `public`; null = the caller. */
  readonly user: string | null
  /** From where the request is thought to come; null = the caller's own for itself, unknown for others. */
  readonly ip: string | null
  /** Core name. */
  readonly collection: string
  /** Null = each of them. */
  readonly action: Action | null
  readonly key: Key | null
  readonly field: string | null
  readonly values: Changes | null
}

export type Explanation = {
  readonly schema: Schema
  readonly subject: Subject
  readonly collection: string
  readonly actions: readonly ExplainedAction[]
}

export type ExplainedAction = {
  readonly action: Action
  readonly granted: boolean
  /** The likeliest first. */
  readonly causes: readonly Cause[]
  readonly rules: readonly JudgedRule[]
  /** The items that the action reaches; null where it reaches none. `statement` only for administrators. */
  readonly rows: {
    readonly text: string
    /** Null for new items. */
    readonly filter: Filter | null
    readonly statement: ReturnType<typeof conditionText> | null
  } | null
  /** The fields that it reaches. `rows`: the items on which it does, where these are not all of them. */
  readonly fields: readonly { readonly field: string; readonly rows: string | null }[]
}

const allActions: readonly Action[] = ['create', 'read', 'update', 'delete', 'share']

/** Throws `forbidden` for the public, for share links, and for a user who asks about somebody else without all rights. */
export async function explainRights(ctx: Context, options: ExplainOptions): Promise<Explanation> {
  const { actor, request } = ctx
  const isWhole = isUnlimited(actor)
  if (
    !isWhole &&
    (actor.kind !== 'user' || options.ip !== null || (options.user !== null && options.user !== actor.user))
  )
    throw new TandemError({ kind: 'forbidden' })
  const own = actor.kind === 'user' && (options.user === null || options.user === actor.user) ? actor.user : null
  const user = own ?? options.user ?? 'public'
  const ip = options.ip ?? (own === null ? null : request.ip)
  const policies = own !== null && actor.kind === 'user' && actor.key?.isPartial === true ? actor.access.policies : null
  const subject = await loadSubject(ctx, { user, ip, collection: options.collection, policies })
  const actions: ExplainedAction[] = []
  for (const action of options.action === null ? allActions : [options.action]) {
    actions.push(await explainAction({ ctx, subject, isWhole }, { ...options, action }))
  }
  return { schema: ctx.schema, subject, collection: options.collection, actions }
}

type ExplainScope = { readonly ctx: Context; readonly subject: Subject; readonly isWhole: boolean }

async function explainAction(
  { ctx, subject, isWhole }: ExplainScope,
  options: ExplainOptions & { readonly action: Action },
): Promise<ExplainedAction> {
  const { action } = options
  const nothing = { action, granted: false, rules: [], rows: null, fields: [] } as const
  const account = accountCauses(subject)
  if (subject.actor === null) return { ...nothing, causes: account }
  const collection = ctx.schema.collections.get(options.collection)
  if (collection === undefined) return { ...nothing, causes: shownCauses([unknownCollection(options)], isWhole) }
  const requested: RequestedAction = { ...options, collection }
  const own: SubjectContext = { ...ctx, actor: subject.actor }
  const limit = limitCause(own, requested)
  if (limit !== null) return { ...nothing, causes: shownCauses([...account, limit], isWhole) }
  const refusals = await refusalsOf(own, requested)
  const rules = await judgeRules(own, { requested, subject, isTold: isWhole })
  const granted = refusals.length === 0
  const causes = granted
    ? [...grantCauses(subject, rules), ...ignoredCauses(subject, collection.name, action)]
    : [...account, ...(await refusalCauses(own, { requested, refusals, rules, subject, isWhole }))]
  return {
    action,
    granted,
    causes: shownCauses(causes, isWhole),
    rules,
    rows: rowsOf(own, requested, isWhole),
    fields: fieldsOf(own, requested),
  }
}

const unknownCollection = ({ collection }: ExplainOptions): Cause => ({
  code: 'collection-unknown',
  message: `There is no collection "${collection}"`,
})

function grantCauses({ held, policies }: Subject, rules: readonly JudgedRule[]): readonly Cause[] {
  const ruling = rules.filter(({ refusals }) => refusals.length === 0)
  if (ruling.length > 0)
    return ruling.map(({ name, record }) => ({ ...record, code: 'rule', message: `${name} grants it` }))
  const strong = held.policies.filter(({ admin_access }) => admin_access).map(({ id }) => policies.get(id))
  const counted = strong.filter((policy) => policy !== undefined && policy.counts)
  if (counted.length === 0) return [{ code: 'rule', message: 'Several rules together grant it' }]
  return counted.flatMap((policy) =>
    policy === undefined
      ? []
      : [{ code: 'administrator', message: `Policy ${policyName(policy)} grants everything`, ...policyRecord(policy) }],
  )
}

type Refused = {
  readonly requested: RequestedAction
  readonly refusals: readonly Failure[]
  readonly rules: readonly JudgedRule[]
  readonly subject: Subject
  readonly isWhole: boolean
}

async function refusalCauses(
  ctx: SubjectContext,
  { requested, refusals, rules, subject, isWhole }: Refused,
): Promise<readonly Cause[]> {
  if (isWhole) {
    const missing = await missingCause(ctx, requested)
    if (missing !== null) return [missing]
  }
  const causes = [
    ...ruleCauses(rules, { ...requested, schema: ctx.schema }),
    ...absenceCauses(subject, requested, ctx.schema),
    ...appAccessCauses(subject, requested, ctx.schema),
  ]
  if (causes.length > 0) return sortCauses(causes)
  const [{ kind }] = refusals as [Failure]
  return [isUnlimited(ctx.actor) ? { code: 'refused', message: `It is refused: ${kind}` } : noRule]
}

/** All other requests are refused in the same words, which do not reveal what exists. */
const noRule: Cause = { code: 'no-rule', message: 'No policy and no level of version 8 allows it' }

/** What the request names and does not exist. */
async function missingCause(ctx: SubjectContext, requested: RequestedAction): Promise<Cause | null> {
  const { collection, key, field, values } = requested
  const { name, table, fields } = collection
  if (table === null)
    return { code: 'collection-without-table', message: `"${name}" is a folder of collections: it has no items` }
  const unknown = [...(field === null ? [] : [field]), ...(values?.keys() ?? [])].find((each) => !fields.has(each))
  if (unknown !== undefined)
    return { code: 'field-unknown', message: `"${name}" has no field "${unknown}"`, field: unknown }
  if (key === null || requested.action === 'create' || (await hasRow(ctx, collection, keyFilter(collection, key))))
    return null
  return { code: 'item-missing', message: `"${name}" has no item ${JSON.stringify(key)}` }
}

const isLast = ({ code }: Cause): boolean =>
  code === 'policy-not-held' || code === 'level-not-held' || code === 'other-action'
const isFirst = ({ code }: Cause): boolean => code === 'rule-ignored'

/** A rule that is written for the request and has a fault explains more than one that is about something else. */
function sortCauses(causes: readonly Cause[]): readonly Cause[] {
  return [
    ...causes.filter(isFirst),
    ...causes.filter((cause) => !isFirst(cause) && !isLast(cause)),
    ...causes.filter(isLast),
  ]
}

/** Facts about things that the subject has no rights on are for administrators. */
const concealed: ReadonlySet<Cause['code']> = new Set([
  'collection-unknown',
  'rule-ignored',
  'policy-not-held',
  'level-not-held',
])

function shownCauses(causes: readonly Cause[], isWhole: boolean): readonly Cause[] {
  const shown = isWhole ? causes : causes.filter(({ code }) => !concealed.has(code))
  return shown.length > 0 ? shown : [noRule]
}

function rowsOf(ctx: SubjectContext, requested: RequestedAction, isWhole: boolean): ExplainedAction['rows'] {
  const { collection, action } = requested
  const filter = permittedRows(ctx.actor, collection.name, action)
  if (collection.table === null || filter === null) return null
  if (action === 'create') return { text: 'new items', filter: null, statement: null }
  return { text: filterText(filter), filter, statement: isWhole ? conditionText(ctx, collection, filter) : null }
}

function fieldsOf(ctx: SubjectContext, requested: RequestedAction): ExplainedAction['fields'] {
  const { collection, action } = requested
  if (action === 'delete' || action === 'share') return []
  if (action === 'read') {
    const grant = findReadGrant(ctx.actor, ctx.schema, collection.name)
    return [...(grant?.fields ?? [])].map(([field, { guard }]) => ({
      field,
      rows: guard === null ? null : filterText(guard),
    }))
  }
  const rules = rulesFor(ctx.actor, collection.name, action)
  return [...collection.fields.keys()].flatMap((field) => writableOn(ctx, rules, { collection, field }))
}

function writableOn(
  { actor }: SubjectContext,
  rules: readonly Rule[],
  { collection, field }: { readonly collection: Collection; readonly field: string },
): ExplainedAction['fields'] {
  if (isUnlimited(actor)) return [{ field, rows: null }]
  const covering = rules.filter(({ fields }) => fields === '*' || fields.includes(field))
  const rows = covering.length === 0 ? matchNone : or(...covering.map(({ filter }) => filter))
  if (rows.kind === 'none' || !collection.fields.has(field)) return []
  return [{ field, rows: rows.kind === 'all' || covering.length === rules.length ? null : filterText(rows) }]
}
