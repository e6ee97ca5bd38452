/** References of the rows of a batch, as the caller may write them. */
import type { CollectionReference, Referring } from '../../core/items/reference-order.ts'
import { TandemError } from '../../domain/rights/errors.ts'
import type { OpenedCollection } from '../wire/collections.ts'

/** A field on the wire with the key of one row. `targetOf`: the collection of that row by the other values of the item. */
export type Reference = CollectionReference & {
  readonly name: string
  readonly targetOf: (item: { readonly [name: string]: unknown }) => string | null
  /** The field of a many-to-any that names the collection. */
  readonly beside: string | null
}

/** The references of a collection, by the names that the caller may write. */
export function referencesOf({ collection, scope: { view } }: OpenedCollection): readonly Reference[] {
  const shown = [...(view.byCore.get(collection.name)?.fields ?? [])]
  return shown.flatMap(([name, { field }]): Reference[] => {
    const { column, relation } = collection.fields.get(field) ?? { column: null, relation: null }
    if (column === null || relation === null || relation.kind === 'one-to-many') return []
    const isNullable = column.nullable
    if (relation.kind === 'many-to-one') {
      const { collection: target } = relation
      return [{ name, isNullable, to: [target], targetOf: () => target, beside: null }]
    }
    const { collectionField } = relation
    const beside = view.byCore.get(collection.name)?.byCore.get(collectionField)?.name ?? collectionField
    const targetOf: Reference['targetOf'] = (item) => {
      const named = item[beside]
      return typeof named === 'string' ? (view.collections.get(named)?.collection ?? null) : null
    }
    return [{ name, isNullable, to: relation.allowed, targetOf, beside }]
  })
}

/** The error for collections whose rows cannot be put in an order. */
export function cyclicReferences(
  tables: readonly Referring<CollectionReference & { readonly name: string }>[],
): TandemError {
  const names = tables.map(({ collection }) => collection.name)
  const relations = tables.flatMap(({ collection, references }) =>
    references
      .filter(({ isNullable }) => !isNullable)
      .flatMap(({ name, to }) =>
        to
          .filter((related) => names.includes(related))
          .map((related) => ({ collection: collection.name, field: name, related })),
      ),
  )
  return new TandemError({ kind: 'cyclic-references', collections: names, relations })
}
