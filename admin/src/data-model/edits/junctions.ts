/** Junction collections, which stay when the fields that show them are deleted. */
import type { Collection, Model } from '../../model/model.ts'
import { toManyOf } from '../../model/relations.ts'

/** Those of fields of a collection: of one field, or of all. */
export function junctionsOf(model: Model, collection: Collection, field?: string): readonly string[] {
  const junctions = collection.fields
    .filter((each) => field === undefined || each.field === field)
    .map((each) => toManyOf(model, collection.name, each.field))
    .flatMap((relation) => (relation?.junction ? [relation.many] : []))
    .filter(({ isSystem, name }) => !isSystem && name !== collection.name)
  return [...new Set(junctions.map(({ name }) => name))]
}
