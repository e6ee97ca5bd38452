/** Where a project is: in the configured database, or on a server. */
import type { PlanOptions } from '../../core/configuration/configuration.ts'
import type { ReadUse } from '../../core/usage/read-usage.ts'
import type { ChangeWithClients, ProjectDocument } from '../../domain/ports/configuration.ts'
import type { UsageFilter } from '../../sql/statements/operation/usage.ts'

/** A plan, and whom its changes break. */
export type PlanWithClients = { readonly changes: readonly ChangeWithClients[]; readonly kept: readonly string[] }

/** A configuration that is compared or written. */
export type PlannedDocument = { readonly document: ProjectDocument; readonly options: PlanOptions }

export type ProjectConnection = {
  readonly read: () => Promise<ProjectDocument>
  readonly plan: (planned: PlannedDocument) => Promise<PlanWithClients>
  /** `seen`: the words of the plan that somebody agreed to. */
  readonly push: (planned: PlannedDocument, seen: readonly string[]) => Promise<void>
  readonly usage: (filter: UsageFilter) => Promise<readonly ReadUse[]>
}
