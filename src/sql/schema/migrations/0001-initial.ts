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

const tables = {
  ...identityTables,
  ...fileTables,
  ...accessTables,
  ...metadataTables,
  ...historyTables,
  ...collaborationTables,
  ...webhookTables,
  ...settingsTable,
  ...operationTables,
}

/** For older applications, which ask for the roles of users as rows of their own. */
const userRoles =
  'create view platform_user_roles as select number as id, id as "user", role from platform_users where role is not null'

export const initial: Migration = {
  name: '0001-initial',
  statements: (knex, triggers) => [
    ...Object.entries(tables).map(([name, define]) => knex.schema.createTable(name, (table) => define(table, knex))),
    knex.schema.raw(userRoles),
    ...eventTables(knex, triggers),
    ...(triggers === 'psm'
      ? psmTriggers(knex)
      : [...identityTriggers(knex), ...fileTriggers(knex), ...expressionIndexes(knex)]),
    ...seedRows(knex),
  ],
}
