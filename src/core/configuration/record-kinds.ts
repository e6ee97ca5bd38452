/** The system collections whose rows are configuration. */

import type { Context } from '../../domain/ports/context.ts'
import type { Row } from '../../domain/ports/row-store.ts'
import { ownFields, rowsOf } from '../../domain/query/rows-of.ts'
import { shownDefault } from '../../domain/schema/default-value.ts'
import { seedIds } from '../../domain/schema/identity.ts'
import type { Field } from '../../domain/schema/schema.ts'
import { webhookFacts } from '../guards/server-fields.ts'
import { readAsServer } from '../rows/has-row.ts'
import { systemCollection } from '../rows/keys.ts'

export type Described = {
  readonly collection: string
  /** Fields that are the row's place, belong to others, or are content. */
  readonly leftOut: readonly string[]
  /** Fields that refer to a row of another kind, by its name. */
  readonly refers?: { readonly [field: string]: 'role' | 'policy' }
}

const stamps = ['id', 'date_created', 'user_created']

/** In the order in which they are written. */
export const recordKinds = {
  role: { collection: 'platform_roles', leftOut: ['id', 'number', 'name', 'external_id'], refers: { parent: 'role' } },
  policy: { collection: 'platform_policies', leftOut: ['id', 'name', 'of_role'] },
  right: { collection: 'platform_permissions', leftOut: ['id', 'collection', 'policy', 'role', 'action'] },
  level: { collection: 'platform_role_levels', leftOut: ['id', 'collection', 'role', 'status'] },
  settings: { collection: 'platform_settings', leftOut: ['id'], refers: { public_registration_role: 'role' } },
  preset: { collection: 'platform_presets', leftOut: ['id', 'user'], refers: { role: 'role' } },
  dashboard: { collection: 'platform_dashboards', leftOut: [...stamps, 'name'] },
  translation: { collection: 'platform_translations', leftOut: ['id', 'language', 'key'] },
  webhook: {
    collection: 'platform_webhooks',
    leftOut: [...stamps, 'date_updated', 'name', 'user', ...webhookFacts],
    refers: { role: 'role' },
  },
} as const satisfies { readonly [kind: string]: Described }

export type RecordKind = keyof typeof recordKinds

export const panels: Described = { collection: 'platform_panels', leftOut: [...stamps, 'dashboard'] }

/** Rows that every project has, by the word that files use for them. */
export const fixedRows = {
  role: { administrator: seedIds.administratorRole, public: seedIds.publicRole },
  policy: { administrator: seedIds.administratorPolicy, public: seedIds.publicPolicy },
} as const

/** The fields of a kind that files hold, in their order. */
export function heldFields(
  ctx: Pick<Context, 'schema'>,
  { collection: name, leftOut, refers = {} }: Described,
): readonly Field[] {
  return [...systemCollection(ctx, name).fields.values()].filter(
    ({ name: field, column, relation, concealed, type }) =>
      column !== null &&
      !column.generated &&
      !concealed &&
      type !== 'hash' &&
      !leftOut.includes(field) &&
      (relation === null || field in refers),
  )
}

/** The value of a field that equals its absence. */
export const defaultOf = (field: Field): unknown => shownDefault(field) ?? null

/** All rows of a collection with all columns, in exact values. */
export function readAll(ctx: Context, name: string): Promise<readonly Row[]> {
  const stored = [...systemCollection(ctx, name).fields.values()].filter(({ column }) => column !== null)
  return readAsServer(ctx, rowsOf(name, ownFields(...stored.map((field) => field.name))))
}
