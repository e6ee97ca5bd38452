/** What changes of policies and of the roles that have them break for clients. */
import { isDeepStrictEqual } from 'node:util'
import { appAccess } from '../../authz/app-rules.ts'
import type { Access, Entry, LostRight, PlannedChange } from '../../domain/ports/configuration.ts'
import { namesIn, type Records } from './read-records.ts'

export type ClientBreaks = Omit<PlannedChange, 'words' | 'effect'>

export const safe: ClientBreaks = { collection: null, fields: null, policy: null, breaks: [], severity: 'safe' }

/** What a policy gives: its own rights, those of the application, and operations of administrators. */
type PolicyLosses = { readonly rights: readonly LostRight[]; readonly app: boolean; readonly administration: boolean }

/** What policies and roles give at present. */
export type RoleFacts = {
  readonly givenBy: (policy: string) => PolicyLosses
  /** Of the role and its parents. */
  readonly policiesOf: (role: string) => readonly string[]
}

/** Who shares items creates shares of them. */
export const rightTo = (collection: string, action: string): LostRight =>
  action === 'share'
    ? { collection: 'platform_shares', fields: null, breaks: ['create'] }
    : { collection, fields: null, breaks: [action as Access] }

/** Reads from the present records what policies and roles give. */
export function roleFactsOf({ right, policy, role }: Records): RoleFacts {
  const rights = Map.groupBy([...right.keys()].map(namesIn), ([, name]) => name)
  const policiesOf = (name: string, below: readonly string[] = []): readonly string[] => {
    const { policies, parent } = role.get(name)?.entry ?? {}
    const isTop = typeof parent !== 'string' || below.includes(name)
    const above = isTop ? [] : policiesOf(parent, [...below, name])
    return [...listOf(policies).map(String), ...above]
  }
  return {
    policiesOf,
    givenBy(name) {
      const entry = policy.get(name)?.entry
      return {
        rights: (rights.get(name) ?? []).map(([collection, , action]) => rightTo(String(collection), String(action))),
        app: hasApp(entry),
        administration: entry?.['admin_access'] === true,
      }
    },
  }
}

const hasApp = (policy: Entry | null | undefined): boolean =>
  policy?.['admin_access'] === true || policy?.['app_access'] === true

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** Entries that the list did not have before. */
export const added = (before: unknown, after: unknown): readonly unknown[] =>
  listOf(after).filter((each) => !listOf(before).includes(each))

/** Without a role its users are suspended; without a policy or a parent they lose what it gives. */
export function roleBreaks(before: Entry, after: Entry | null, { givenBy, policiesOf }: RoleFacts): ClientBreaks {
  const isOrphan = before['parent'] != null && before['parent'] !== after?.['parent']
  const gone = [
    ...added(after?.['policies'], before['policies']).map(String),
    ...(isOrphan ? policiesOf(String(before['parent'])) : []),
  ]
  if (after !== null && gone.length === 0 && !isOrphan) return safe
  return { ...safe, severity: 'breaking', ...lossOf(gone.map(givenBy), 'breaking') }
}

/** The rights of a deleted policy are changes of their own. */
export function policyBreaks(before: Entry, after: Entry | null, losses: PolicyLosses): ClientBreaks {
  const isLess = (has: (entry: Entry | null) => boolean): boolean => has(before) && !has(after)
  const isHidden = isLess((entry) => entry?.['public'] === true)
  const lost: PolicyLosses = {
    rights: isHidden && after !== null ? losses.rights : [],
    app: isLess(hasApp),
    administration: isLess((entry) => entry?.['admin_access'] === true),
  }
  if (after === null || isHidden || lost.app || lost.administration)
    return { ...safe, severity: 'breaking', ...lossOf([lost], 'breaking') }
  return isStricter(before, after) ? { ...safe, severity: 'perhaps', ...lossOf([losses], 'perhaps') } : safe
}

/** Whether the policy counts from fewer addresses, or demands a second factor. */
function isStricter(before: Entry, after: Entry): boolean {
  const isNarrower =
    !isDeepStrictEqual(before['ip_access'], after['ip_access']) && listOf(after['ip_access']).length > 0
  return isNarrower || (after['enforce_tfa'] === true && before['enforce_tfa'] !== true)
}

/** Rights, and the operations of administrators, that are lost. */
function lossOf(
  all: readonly PolicyLosses[],
  administration: 'breaking' | 'perhaps',
): Pick<PlannedChange, 'lost' | 'administration'> {
  const ofApp = all.some(({ app }) => app) ? appAccess.map(([collection, action]) => rightTo(collection, action)) : []
  const lost = [...all.flatMap(({ rights }) => rights), ...ofApp]
  return {
    ...(lost.length === 0 ? {} : { lost }),
    ...(all.some((each) => each.administration) ? { administration } : {}),
  }
}
