/** References of the rows of a batch, and the order of its collections: each after those that it refers to. */
import { TandemError } from '../../domain/rights/errors.ts'
import type { Collection } from '../../domain/schema/schema.ts'
import type { OpenedCollection } from '../wire/collections.ts'

/** A field on the wire with the key of one row. `targetOf`: the collection of that row by the other values of the item. */
export type Reference = {
  readonly name: string
  readonly isNullable: boolean
  readonly to: readonly string[]
  readonly targetOf: (item: { readonly [name: string]: unknown }) => string | null
  /** The field of a many-to-any that names the collection. */
  readonly beside: string | null
}

type NamedReferences = {
  readonly collection: Collection
  readonly references: readonly Pick<Reference, 'name' | 'isNullable' | 'to'>[]
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

/** References that may be null wait, if nothing else helps. `breakCircle`: the next table where that is not enough. */
export function inOrder<T extends NamedReferences>(
  tables: readonly T[],
  breakCircle: (waiting: readonly T[]) => T,
): readonly T[] {
  const left = new Map(tables.map((each) => [each.collection.name, each]))
  const done: T[] = []
  const isFree = ({ collection, references }: T, mayWait: boolean): boolean =>
    references.every(
      ({ to, isNullable }) =>
        (mayWait && isNullable) || to.every((name) => name === collection.name || !left.has(name)),
    )
  while (left.size > 0) {
    const waiting = [...left.values()]
    const next =
      waiting.find((each) => isFree(each, false)) ?? waiting.find((each) => isFree(each, true)) ?? breakCircle(waiting)
    left.delete(next.collection.name)
    done.push(next)
  }
  return done
}

/** The error for collections whose rows cannot be put in an order. */
export function cyclicReferences(tables: readonly NamedReferences[]): TandemError {
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
