/** `/revisions`: states of items after each change. */
import type { CurrentRevisionsOperations } from '../../../generated/current.ts'
import type { Handlers } from '../../../http/app/handlers.ts'
import { systemHandlers } from '../collection-handlers.ts'

const { readMany, readOne } = systemHandlers('platform_revisions')

export const revisions = {
  readRevisions: readMany,
  readRevision: readOne,
} satisfies Handlers<CurrentRevisionsOperations>
