/** Why a request is allowed or refused, in words, with the rule, the policy and the role that are behind it. */
import type { Action } from '../../domain/rights/actor.ts'
import type { Schema } from '../../domain/schema/schema.ts'
import type { Cause } from './cause.ts'
import type { RequestedAction } from './explained-rules.ts'
import { type HeldPolicy, holderText, type Subject } from './explained-subject.ts'
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
      return [
        {
          code: 'user-inactive',
          message: `${who} has the status "${user?.status}", not "active"`,
          ...(user && { status: user.status }),
        },
      ]
    case 'invalid-ip': {
      const excluding = excludingPolicies(policies)
      if (excluding.length === 0)
        return [
          {
            code: 'invalid-ip',
            message: `${who} has a role that may only come from ${held.role_ip}, not ${from}`,
            addresses: addressesOf(held.role_ip),
            ip,
          },
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
    ...policyRecord(policy),
  }))
}

function addressCause(policy: HeldPolicy, ip: string | null): Cause {
  const from = ip === null ? 'no address was given' : `the request comes from ${ip}`
  const message = `Policy ${policyName(policy)} counts only from ${policy.ip_access}; ${from}`
  return { code: 'policy-address', message, ...policyRecord(policy), addresses: addressesOf(policy.ip_access), ip }
}

const addressesOf = (list: string | null): string[] => (list ?? '').split(',')

export const policyRecord = ({ id, name }: HeldPolicy) => ({ policy: id, policy_name: name })

export const policyName = ({ name, through }: HeldPolicy): string =>
  through.length === 0
    ? JSON.stringify(name)
    : `${JSON.stringify(name)} (through ${through.map(holderText).join(', ')})`

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
    const names = {
      policy: row.policy,
      ...(policy && policyRecord(policy)),
      collection: row.collection,
      action: row.action,
    }
    return [{ code: 'rule-ignored', message, permission: id, ...names, reason }]
  })
}

const addressCauses = ({ policies, ip }: Subject, action: Action): readonly Cause[] =>
  excludingPolicies(policies)
    .filter(({ admin_access, permissions }) => admin_access || permissions.some((each) => each.action === action))
    .map((policy) => addressCause(policy, ip))

/** Held policies that do not count from the address. */
const excludingPolicies = (policies: Subject['policies']): readonly HeldPolicy[] =>
  [...policies.values()].filter(({ through, counts }) => through.length > 0 && !counts)

function missingPolicyCauses({ policies }: Subject, action: Action, field: string | null): readonly Cause[] {
  return [...policies.values()].flatMap((policy): readonly Cause[] => {
    const rule = policy.permissions.find((each) => each.action === action && names(each.fields, field))
    if (policy.through.length > 0 || rule === undefined) return []
    const { name, holders, others } = policy
    const who = holders.map(holderText)
    if (others > 0) who.push(others === 1 ? 'one other user' : `${others} other users`)
    const held = who.length === 0 ? 'held by no role and no user' : `held by ${who.join(', ')}`
    const message = `Policy ${JSON.stringify(name)} grants it, but is not held: it is ${held}`
    const parts = who.length === 0 ? {} : { holders: [...holders], others }
    return [{ code: 'policy-not-held', message, ...policyRecord(policy), permission: rule.id, ...parts }]
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
  const message = `The rules on ${collection} are about ${others.join(', ')}, not ${action}`
  return [{ code: 'other-action', message, collection, actions: others }]
}
