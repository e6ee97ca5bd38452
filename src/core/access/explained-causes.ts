/** Why a request is allowed or refused, in words, with the rule, the policy and the role that are behind it. */
import { filterText } from '../../domain/conditions/filter-text.ts'
import type { Action } from '../../domain/rights/actor.ts'
import type { Failure } from '../../domain/rights/errors.ts'
import { holdsCredentials } from '../../domain/schema/credentials.ts'
import type { Schema } from '../../domain/schema/schema.ts'
import type { Cause, CauseCode } from './cause.ts'
import type { RequestedAction } from './explained-rules.ts'
import type { HeldPolicy, Subject } from './explained-subject.ts'
import type { JudgedRule } from './judged-rule.ts'
import { levelCauses, lostLevelCauses, missingLevelCauses } from './level-causes.ts'

/** Causes that lie with the account, before any rule counts. */
export function accountCauses({ refusal, user, ip, held, policies, actor }: Subject): readonly Cause[] {
  const who = user === null ? 'The public' : `The user ${user.email ?? user.id}`
  const from = ip === null ? 'from an address that was not given' : `from ${ip}`
  switch (refusal) {
    case null:
      return actor?.access.awaitsSecondFactor === true ? secondFactorCauses(held, policies) : []
    case 'user-suspended':
      return [{ code: 'user-suspended', message: `${who} is suspended` }]
    case 'user-inactive':
      return [{ code: 'user-inactive', message: `${who} has the status "${user?.status}", not "active"` }]
    case 'invalid-ip': {
      const excluding = [...policies.values()].filter(({ through, counts }) => through.length > 0 && !counts)
      if (excluding.length === 0)
        return [
          { code: 'invalid-ip', message: `${who} has a role that may only come from ${held.role_ip}, not ${from}` },
        ]
      return excluding.map((policy) => addressCause(policy, ip))
    }
    default:
      return [{ code: 'refused', message: `${who} is refused: ${refusal}` }]
  }
}

function secondFactorCauses(held: Subject['held'], policies: Subject['policies']): readonly Cause[] {
  const message = 'The user has no second factor, and can do nothing before setting one up'
  const demanding = held.policies.filter(({ enforce_tfa }) => enforce_tfa).map(({ id }) => policies.get(id))
  const demands = demanding.filter((policy) => policy !== undefined)
  if (demands.length === 0) return [{ code: 'second-factor-demanded', message: `${message}: the role demands it` }]
  return demands.map((policy) => ({
    code: 'second-factor-demanded',
    message: `${message}: policy ${policyName(policy)} demands it`,
    policy: policy.id,
  }))
}

function addressCause(policy: HeldPolicy, ip: string | null): Cause {
  const from = ip === null ? 'no address was given' : `the request comes from ${ip}`
  const message = `Policy ${policyName(policy)} counts only from ${policy.ip_access}; ${from}`
  return { code: 'policy-address', message, policy: policy.id }
}

export const policyName = ({ name, through }: HeldPolicy): string =>
  through.length === 0 ? JSON.stringify(name) : `${JSON.stringify(name)} (through ${through.join(', ')})`

/** Causes of a refusal that lie in the rules that are there: what each of them lacks. */
export function ruleCauses(rules: readonly JudgedRule[], requested: RequestedAction): readonly Cause[] {
  const causes = rules.flatMap((judged): readonly Cause[] => {
    const { refusals, unmet, name, keys } = judged
    const [first] = refusals
    if (first === undefined) return []
    // The list of rules explains each rule.
    const { kind: _, ...records } = keys
    const hidden = hiddenText(judged, first, requested)
    if (hidden !== null) return [{ ...records, code: 'field-unreadable', message: `${name} ${hidden}` }]
    const cause = {
      ...records,
      code: codeOf(first),
      message: `${name} ${describeDenial(judged, first, requested.field)}`,
    } as const
    return [unmet.length === 0 ? cause : { ...cause, message: `${name} ${unmetText(unmet)}` }]
  })
  return causes.toSorted((a, b) => namesNot(a) - namesNot(b))
}

/** A rule that names the field and misses the item explains more than one that does not name it. */
const namesNot = ({ code }: Cause): number => Number(code === 'field-not-covered')

/** Why a field that the rule names cannot be read all the same; null for other fields. */
function hiddenText({ rule }: JudgedRule, failure: Failure, { action, collection }: RequestedAction): string | null {
  const name = failure.kind === 'forbidden' ? failure.denied?.field : undefined
  const field = name === undefined ? undefined : collection.fields.get(name)
  if (action !== 'read' || field === undefined) return null
  if (rule.fields !== '*' && !rule.fields.includes(field.name)) return null
  if (holdsCredentials(collection.name, field.name)) return `names "${field.name}", which only administrators read`
  if (field.relation?.kind !== 'one-to-many') return `names "${field.name}", which holds no value`
  return `names "${field.name}", and no rule allows to read the key of items of ${field.relation.collection}`
}

const unmetText = (unmet: JudgedRule['unmet']): string =>
  `reaches only items where ${unmet.map(filterText).join(' and ')}, which this item does not meet`

function codeOf(failure: Failure): CauseCode {
  if (failure.kind === 'item-not-found') return 'item-not-covered'
  if (failure.kind === 'failed-validation') return 'values-refused'
  if (failure.kind === 'unprocessable') return 'database-refuses'
  if (failure.kind !== 'forbidden') return 'refused'
  return failure.denied === undefined ? 'comment-demanded' : 'field-not-covered'
}

function describeDenial({ rule }: JudgedRule, failure: Failure, field: string | null): string {
  const listed = listOf(rule.fields)
  switch (failure.kind) {
    case 'item-not-found':
      return `does not reach the item: it reaches ${filterText(rule.filter)}`
    case 'failed-validation':
      return `refuses the value of "${failure.field}" (${failure.type}): it demands ${rule.validation === null ? 'what the field demands' : filterText(rule.validation)}`
    case 'unprocessable':
      return `grants it, but: ${failure.reason}`
    case 'forbidden': {
      const missing = failure.denied?.field ?? field
      if (failure.denied === undefined) return `grants it with a comment only: ${failure.reason}`
      return missing === null ? `names ${listed}` : `names ${listed}, not "${missing}"`
    }
    default:
      return `does not apply: ${failure.kind}`
  }
}

function listOf(fields: JudgedRule['rule']['fields']): string {
  if (fields === '*') return 'every field'
  return fields.length === 0 ? 'no field' : `the fields ${fields.join(', ')}`
}

/** Causes that lie in rules that are not there, do not count, or say something else; the likeliest first. */
export function absenceCauses(
  subject: Subject,
  { collection, action, field }: RequestedAction,
  schema: Schema,
): readonly Cause[] {
  return [
    ...ignoredCauses(subject, collection.name, action),
    ...lostLevelCauses(subject, action, schema),
    ...addressCauses(subject, action),
    ...levelCauses(subject, action, collection),
    ...missingPolicyCauses(subject, action, field),
    ...missingLevelCauses(subject, action, collection),
    ...otherActionCauses(subject, collection.name, action),
  ]
}

/** Rules that cannot be understood, and are about this collection and action or about a name that does not exist. */
export function ignoredCauses(
  { loaded, held, policies }: Pick<Subject, 'loaded' | 'held' | 'policies'>,
  collection: string,
  action: Action,
): readonly Cause[] {
  return (loaded?.ignored ?? []).flatMap(({ id, reason }): readonly Cause[] => {
    const row = held.permissions.find((each) => each.id === id)
    if (row === undefined) return []
    const isAboutBoth = row.collection === collection && row.action === action
    const isAboutOne = row.collection === collection || row.action === action
    if (!isAboutBoth && !(isAboutOne && reason.endsWith('does not exist'))) return []
    const policy = policies.get(row.policy)
    const of = policy === undefined ? '' : ` of policy ${policyName(policy)}`
    const message = `Permission ${id}${of} (${row.action} ${row.collection}) grants less than it says: ${reason}`
    return [{ code: 'rule-ignored', message, permission: id, policy: row.policy }]
  })
}

const addressCauses = ({ policies, ip }: Subject, action: Action): readonly Cause[] =>
  [...policies.values()]
    .filter(({ through, counts }) => through.length > 0 && !counts)
    .filter((policy) => policy.admin_access || grantsAction(policy, action))
    .map((policy) => addressCause(policy, ip))

const grantsAction = ({ permissions }: HeldPolicy, action: Action): boolean =>
  permissions.some((permission) => permission.action === action)

function missingPolicyCauses({ policies }: Subject, action: Action, field: string | null): readonly Cause[] {
  return [...policies.values()].flatMap((policy): readonly Cause[] => {
    const rule = policy.permissions.find((each) => each.action === action && names(each.fields, field))
    if (policy.through.length > 0 || rule === undefined) return []
    const holders = policy.holders.map(({ name }) => (name === null ? 'the public' : JSON.stringify(name)))
    if (policy.others > 0) holders.push(policy.others === 1 ? 'one other user' : `${policy.others} other users`)
    const held = holders.length === 0 ? 'held by no role and no user' : `held by ${holders.join(', ')}`
    const message = `Policy ${JSON.stringify(policy.name)} grants it, but is not held: it is ${held}`
    return [{ code: 'policy-not-held', message, policy: policy.id, permission: rule.id }]
  })
}

const names = (fields: string | null, field: string | null): boolean => {
  const listed = (fields ?? '').split(',')
  return field === null || listed.includes('*') || listed.includes(field)
}

function otherActionCauses({ loaded }: Subject, collection: string, action: Action): readonly Cause[] {
  const rules = [...(loaded?.origins.keys() ?? [])].filter((rule) => rule.collection === collection)
  const others = [...new Set(rules.map((rule) => rule.action))].filter((each) => each !== action)
  if (others.length === 0 || rules.some((rule) => rule.action === action)) return []
  return [{ code: 'other-action', message: `The rules on ${collection} are about ${others.join(', ')}, not ${action}` }]
}
