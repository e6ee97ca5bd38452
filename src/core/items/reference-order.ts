/** The order in which rows of several collections are written: each collection after those that it refers to. */
import type { Collection } from '../../domain/schema/schema.ts'

/** `to`: the collections that a reference may lead to. */
export type CollectionReference = { readonly isNullable: boolean; readonly to: readonly string[] }

export type Referring<R extends CollectionReference = CollectionReference> = {
  readonly collection: Collection
  readonly references: readonly R[]
}

/** References that may be null wait, if nothing else helps. `breakCircle`: the next table where that is not enough. */
export function inReferenceOrder<T extends Referring>(
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
