/** Many-to-any: a row is identified by its key and its collection. */

import { hasRights } from '../../authz/grants.ts'
import { memoizeBy } from '../../domain/memoize.ts'
import type { Context } from '../../domain/ports/context.ts'
import type { Changes } from '../../domain/query/mutation.ts'
import { invalidPayload, TandemError } from '../../domain/rights/errors.ts'
import type { Collection, Field, FieldRelation } from '../../domain/schema/schema.ts'
import { pathTo } from './write-paths.ts'

type RightsContext = Pick<Context, 'actor' | 'schema'>

type AnyRelation = Extract<FieldRelation, { readonly kind: 'many-to-any' }>

/** Refuses collections that the relation does not allow, and new links that name none. */
export function checkAny(
  ctx: RightsContext,
  collection: Collection,
  changes: Changes,
  { action, path }: { readonly action: 'create' | 'update'; readonly path: string },
): void {
  for (const { name, relation } of anyFields(collection)) {
    const named = changes.get(relation.collectionField)
    const linked = changes.get(name)
    const fieldPath = pathTo(path, relation.collectionField)
    if (named?.kind === 'value' && named.value !== null) {
      assertAllowed(ctx, relation, named.value, fieldPath)
    } else if (linked !== undefined && isLink(linked)) {
      // Without a collection, a key refers to the collection that the row stores.
      if (action === 'create' || named !== undefined || linked.kind !== 'value')
        throw refused(ctx, relation, 'nothing', fieldPath)
    }
  }
}

/** The collection that an item names for its many-to-any field. Throws `invalid-payload`. */
export function allowedCollection(ctx: RightsContext, relation: AnyRelation, named: unknown, path: string): string {
  return assertAllowed(ctx, relation, named, pathTo(path, relation.collectionField))
}

/** A collection in which the actor has no rights is refused like one that there is not. */
function assertAllowed(ctx: RightsContext, relation: AnyRelation, named: unknown, fieldPath: string): string {
  if (typeof named === 'string' && permittedCollections(ctx, relation).includes(named)) return named
  throw refused(ctx, relation, JSON.stringify(named ?? null), fieldPath)
}

function refused(ctx: RightsContext, relation: AnyRelation, received: string, name: string): TandemError {
  const allowed = permittedCollections(ctx, relation)
  const words = allowed.length === 0 ? 'its collections' : allowed.map((each) => `"${each}"`).join(', ')
  return invalidPayload(name, `Expected one of ${words} but received ${received}`)
}

/** The allowed collections in which the actor has rights. */
const permittedCollections = ({ actor, schema }: RightsContext, { allowed }: AnyRelation): readonly string[] =>
  allowed.filter((each) => {
    const collection = schema.collections.get(each)
    return collection !== undefined && hasRights(actor, collection)
  })

const isLink = (change: NonNullable<ReturnType<Changes['get']>>): boolean =>
  change.kind !== 'value' || change.value !== null

const anyFields = memoizeBy(
  (collection: Collection): readonly { readonly name: string; readonly relation: AnyRelation }[] =>
    [...collection.fields.values()].flatMap(({ name, relation }: Field) =>
      relation?.kind === 'many-to-any' ? [{ name, relation }] : [],
    ),
)
