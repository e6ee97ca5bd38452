/** The system tables as of the first release. A released migration is never changed. */

import { accessTables } from './initial/access.ts'
import { collaborationTables } from './initial/collaboration.ts'
import { eventTables } from './initial/events.ts'
import { expressionIndexes } from './initial/expression-indexes.ts'
import { fileTriggers } from './initial/file-triggers.ts'
import { fileTables } from './initial/files.ts'
import { historyTables } from './initial/history.ts'
import { identityTables } from './initial/identity.ts'
import { identityTriggers } from './initial/identity-triggers.ts'
import { metadataTables } from './initial/metadata.ts'
import { operationTables } from './initial/operation.ts'
import { psmTriggers } from './initial/psm-triggers.ts'
import { seedRows } from './initial/seeds.ts'
import { settingsTable } from './initial/settings.ts'
import { webhookTables } from './initial/webhooks.ts'
import type { Migration } from './migration.ts'

export const initial: Migration = {
  name: '0001-initial',
  statements: (knex, triggers) => [
    ...identityTables(knex),
    ...fileTables(knex),
    ...accessTables(knex),
    ...metadataTables(knex),
    ...historyTables(knex),
    ...eventTables(knex, triggers),
    ...collaborationTables(knex),
    ...webhookTables(knex),
    settingsTable(knex),
    ...operationTables(knex),
    ...(triggers === 'psm'
      ? psmTriggers(knex)
      : [...identityTriggers(knex), ...fileTriggers(knex), ...expressionIndexes(knex)]),
    ...seedRows(knex),
  ],
}
