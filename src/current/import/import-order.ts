/** The order in which rows are written: a row after those that it refers to, as far as that is possible. */
import { inReferenceOrder } from '../../core/items/reference-order.ts'
import type { Collection, Schema } from '../../domain/schema/schema.ts'

/** A collection, and its references that are written when all rows are there. */
export type Step = { readonly collection: Collection; readonly deferred: ReadonlySet<string> }

/** System collections in their order; `null` marks the place of the project's own collections. */
export const systemOrder = [
  'platform_roles',
  'platform_policies',
  'platform_users',
  'platform_access',
  'platform_permissions',
  'platform_folders',
  'platform_files',
  null,
  'platform_presets',
  'platform_dashboards',
  'platform_panels',
  'platform_translations',
  'platform_comments',
  'platform_shares',
  'platform_versions',
  'platform_settings',
  'platform_webhooks',
] as const

/** All steps. `own`: names of the project's collections that are imported. */
export function stepsOf({ collections }: Schema, own: readonly string[]): readonly Step[] {
  const named = (names: readonly string[]) =>
    names
      .flatMap((name) => collections.get(name) ?? [])
      .map((each) => ({ collection: each, references: references(each) }))
  const ordered = systemOrder.flatMap((name) =>
    // References that can wait are given up only where they close a circle.
    name === null
      ? inReferenceOrder(named(own), ([first]) => first as ReturnType<typeof named>[number])
      : named([name]),
  )
  const positions = new Map(ordered.map(({ collection }, at) => [collection.name, at]))
  return ordered.map(({ collection, references: all }, at) => ({
    collection,
    deferred: new Set(
      all
        .filter(({ isNullable, to }) => isNullable && to.some((each) => (positions.get(each) ?? -1) >= at))
        .map(({ name }) => name),
    ),
  }))
}

/** References to one row; a many-to-any is no constraint of the database and never waits. */
const references = ({ fields }: Collection) =>
  [...fields.values()].flatMap(({ name, relation, column }) =>
    column === null || relation?.kind !== 'many-to-one'
      ? []
      : [{ name, to: [relation.collection], isNullable: column.nullable }],
  )
