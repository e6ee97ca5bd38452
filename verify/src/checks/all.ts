/** Every check that a deployment is asked. */
import { refusalChecks } from '../derived/refusals.ts'
import { statefulChecks } from '../derived/stateful.ts'
import { randomChecks } from '../random/checks.ts'
import type { Check, Need } from '../run/check.ts'
import type { ServedSpec } from '../spec/served.ts'
import { aggregateChecks } from './aggregates.ts'
import { batchChecks } from './batches.ts'
import { changesChecks } from './changes.ts'
import { conditionalChecks } from './conditional.ts'
import { filterChecks } from './filters.ts'
import { graphqlChecks } from './graphql.ts'
import { itemChecks } from './items.ts'
import { legacyChecks } from './legacy.ts'
import { listChecks } from './lists.ts'
import { nestedChecks } from './nested.ts'
import { rightsChecks } from './rights.ts'
import { rightsWritesChecks } from './rights-writes.ts'
import { socketChecks, subscriptionChecks } from './sockets.ts'
import { deploymentChecks, specChecks } from './spec.ts'
import { systemChecks } from './system.ts'
import { transactionChecks } from './transactions.ts'

export type Deployment = {
  readonly version: string | null
  readonly generations: readonly ('current' | 'legacy')[]
  readonly hasGraphql: boolean
  /** Whether changes of items are told. */
  readonly hasChanges: boolean
  /** Whether several operations can be one request. */
  readonly hasBatch: boolean
  readonly hasSockets: boolean
  readonly hasSubscriptions: boolean
}

type Offered = Omit<Deployment, 'version'> & { readonly spec: ServedSpec | null }

/** What the deployment offers decides what is asked. */
export function allChecks(
  { spec, generations, hasGraphql, hasChanges, hasBatch, hasSockets, hasSubscriptions }: Offered,
  needs: readonly Need[],
): readonly Check[] {
  const all = [
    ...deploymentChecks,
    ...(spec === null ? [] : specChecks(spec)),
    ...listChecks,
    ...filterChecks,
    ...aggregateChecks,
    ...itemChecks,
    ...batchChecks,
    ...nestedChecks,
    ...conditionalChecks,
    ...rightsChecks,
    ...rightsWritesChecks,
    ...(hasBatch ? transactionChecks : []),
    ...(hasChanges ? changesChecks : []),
    ...(hasSockets ? socketChecks : []),
    ...(hasSubscriptions ? subscriptionChecks : []),
    ...(hasGraphql ? graphqlChecks : []),
    ...(generations.includes('legacy') ? legacyChecks : []),
    ...systemChecks,
    ...randomChecks(hasGraphql),
    ...(spec === null ? [] : [...statefulChecks(spec), ...refusalChecks(spec)]),
  ]
  return all.filter(({ need }) => needs.includes(need))
}
