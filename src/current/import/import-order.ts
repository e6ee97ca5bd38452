/** The order in which rows are written: a row after those that it refers to, as far as that is possible. */
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
  const collectionsOf = (names: readonly string[]): readonly Collection[] =>
    names.flatMap((name) => collections.get(name) ?? [])
  const inOrder = systemOrder.flatMap((name) => (name === null ? sorted(collectionsOf(own)) : collectionsOf([name])))
  const positions = new Map(inOrder.map(({ name }, at) => [name, at]))
  return inOrder.map((collection, at) => ({
    collection,
    deferred: new Set(
      references(collection)
        .filter(({ isNullable, to }) => isNullable && to.some((each) => (positions.get(each) ?? -1) >= at))
        .map(({ field }) => field),
    ),
  }))
}

type Reference = { readonly field: string; readonly to: readonly string[]; readonly isNullable: boolean }

/** References to one row; a many-to-any is no constraint of the database and never waits. */
function references({ fields }: Collection): readonly Reference[] {
  return [...fields.values()].flatMap(({ name, relation, column }) => {
    if (column === null || relation?.kind !== 'many-to-one') return []
    return [{ field: name, to: [relation.collection], isNullable: column.nullable }]
  })
}

/** References that can wait are given up only where they close a circle. */
function sorted(collections: readonly Collection[]): readonly Collection[] {
  const left = new Map(collections.map((each) => [each.name, each]))
  const done: Collection[] = []
  const isFree = (collection: Collection, isStrict: boolean): boolean =>
    references(collection).every(
      ({ to, isNullable }) =>
        (isNullable && !isStrict) || to.every((name) => name === collection.name || !left.has(name)),
    )
  while (left.size > 0) {
    const waiting = [...left.values()]
    const next = waiting.find((each) => isFree(each, true)) ?? waiting.find((each) => isFree(each, false)) ?? waiting[0]
    if (next === undefined) break
    left.delete(next.name)
    done.push(next)
  }
  return done
}
