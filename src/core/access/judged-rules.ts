/** The rules on a collection for one action, each with where it comes from and what it does for a request. */

import type { RuleOrigin } from '../../authz/access.ts'
import { rulesFor } from '../../authz/grants.ts'
import type { Filter } from '../../domain/query/filter.ts'
import type { Rule } from '../../domain/rights/actor.ts'
import type { Failure } from '../../domain/rights/errors.ts'
import type { RuleRecord } from './cause.ts'
import { policyName } from './explained-causes.ts'
import { type RequestedAction, refusalsOf, type SubjectContext, unmetConditions, withOnly } from './explained-rules.ts'
import type { Subject } from './explained-subject.ts'
import { levelName, levelRecord } from './level-causes.ts'

export type JudgedRule = {
  readonly rule: Rule
  /** For people. */
  readonly name: string
  readonly record: RuleRecord
  /** Why the rule alone does not allow the request; empty if it does. */
  readonly refusals: readonly Failure[]
  /** The conditions that the item does not meet. */
  readonly unmet: readonly Filter[]
}

/** Rules beyond it are not judged: every one costs a statement. */
const mostRules = 50

/** Judges each rule alone. `isTold`: whether the caller may see conditions that the item does not meet. */
export async function judgeRules(
  ctx: SubjectContext,
  {
    requested,
    subject,
    isTold,
  }: { readonly requested: RequestedAction; readonly subject: Subject; readonly isTold: boolean },
): Promise<readonly JudgedRule[]> {
  const { collection, action } = requested
  const judged: JudgedRule[] = []
  for (const rule of rulesFor(ctx.actor, collection.name, action).slice(0, mostRules)) {
    const refusals = await refusalsOf(withOnly(ctx, rule), requested)
    const isMissed = isTold && refusals.some(({ kind }) => kind === 'item-not-found')
    const unmet = isMissed ? await unmetConditions(ctx, requested, rule.filter) : []
    judged.push({ rule, refusals, unmet, ...identify(subject.loaded?.origins.get(rule), subject) })
  }
  return judged
}

function identify(origin: RuleOrigin | undefined, { policies, roles }: Subject): Pick<JudgedRule, 'name' | 'record'> {
  switch (origin?.kind) {
    case 'permission': {
      const { id, policy: key } = origin.row
      const policy = policies.get(key)
      const of = policy === undefined ? key : policyName(policy)
      const record = { kind: 'permission', permission: id, policy: key, policy_name: policy?.name ?? key } as const
      return { name: `Permission ${id} of policy ${of}`, record }
    }
    case 'level':
      return { name: levelName(origin.row, roles), record: levelRecord(origin.row, roles) }
    case 'app':
    case undefined:
      return { name: 'What every user of the application may do', record: { kind: 'app' } }
    default:
      return origin satisfies never
  }
}
