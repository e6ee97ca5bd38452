/**
 * Finds the collections that a mutation may change: its own, those of related items, and those affected by cascades.
 */
import { memoizeByName } from '../../domain/memoize.ts'
import { clearedReferences } from '../../domain/model/system-collections.ts'
import { type Change, type Changes, changesOf, type Mutation } from '../../domain/query/mutation.ts'
import type { Relation, Schema } from '../../domain/schema/schema.ts'

/** The changes of one item, at any depth of the mutation. */
export type ChangedItem = { readonly collection: string; readonly changes: Changes }

/** `removes`: the collections whose rows the mutation may delete, among `collections`. */
export type WrittenCollections = {
  readonly collections: ReadonlySet<string>
  readonly removes: ReadonlySet<string>
  readonly items: readonly ChangedItem[]
}

export function touchedBy(schema: Schema, mutation: Mutation): WrittenCollections {
  const collections = new Set<string>()
  const items: ChangedItem[] = []
  const removes = new Set<string>()
  const visit = (collection: string, changes: Changes): void => {
    collections.add(collection)
    items.push({ collection, changes })
    for (const [name, change] of changes) {
      for (const related of relatedOf(schema, collection, name, change)) {
        collections.add(related.collection)
        if (related.removes) removes.add(related.collection)
        for (const each of related.changes) visit(related.collection, each)
      }
    }
  }
  collections.add(mutation.collection)
  if (mutation.kind === 'delete') removes.add(mutation.collection)
  for (const changes of changesOf(mutation)) visit(mutation.collection, changes)
  const dragged = new Set([...removes].flatMap((name) => [...cascadedFrom(schema, name)]))
  for (const name of dragged) collections.add(name)
  return { collections, removes: dragged, items }
}

type Related = { readonly collection: string; readonly removes: boolean; readonly changes: readonly Changes[] }

function relatedOf(schema: Schema, collection: string, name: string, change: Change): readonly Related[] {
  if (change.kind === 'value') return []
  const relation = schema.collections.get(collection)?.fields.get(name)?.relation ?? null
  if (relation === null) return []
  const names = relation.kind === 'many-to-any' ? relation.allowed : [relation.collection]
  return names.map((related) => ({
    collection: related,
    removes: change.kind !== 'one',
    changes: nestedChanges(change),
  }))
}

/** The changes of the related items of a field. */
export function nestedChanges(change: Change): readonly Changes[] {
  switch (change.kind) {
    case 'one':
      return [change.changes]
    case 'replace':
      return change.items.flatMap((item) => (item.kind === 'write' ? [item.changes] : []))
    case 'detail': {
      const { upsert = [] } = change as { readonly upsert?: readonly { readonly changes: Changes }[] }
      return [...change.create, ...[...change.update, ...upsert].map(({ changes }) => changes)]
    }
    default:
      return []
  }
}

/**
 * The collections that the database changes when rows of this one are deleted: by foreign keys that cascade or are set
 * to null, and by triggers.
 */
export const cascadedFrom = memoizeByName((schema: Schema, name): ReadonlySet<string> => {
  const names = new Set<string>([name])
  for (const each of names) {
    for (const relation of schema.relations)
      if (relation.oneCollection === each && isChangedWith(relation)) names.add(relation.manyCollection)
  }
  return names
})

const isChangedWith = ({ manyCollection, manyField, constraint }: Relation): boolean =>
  constraint === null
    ? clearedReferences.has(`${manyCollection}.${manyField}`)
    : /cascade|set/i.test(constraint.onDelete)
