/** Collections that refer to each other by required fields: no row of theirs can be the first. */
import type { FieldPlace } from '../../domain/schema/schema.ts'
import { placeOf, type Snapshot } from '../sync/schema-snapshot.ts'

type Reference = FieldPlace & { readonly to: string }

/** New fields that take no null only when all rows are there; without them, every row can come after those it needs. */
export function fieldsInCircles(snapshot: Snapshot, present: Snapshot): readonly FieldPlace[] {
  const existing = new Set(present.fields.map(placeOf))
  const required = requiredReferences(snapshot).filter((each) => each.collection !== each.to)
  const found: FieldPlace[] = []
  for (let left = required; ; ) {
    const inCircle = left.find(({ collection, to }) => leadsTo(left, to, collection))
    if (inCircle === undefined) return found
    if (!existing.has(placeOf(inCircle))) found.push({ collection: inCircle.collection, field: inCircle.field })
    left = left.filter((each) => each !== inCircle)
  }
}

function requiredReferences({ fields, relations }: Snapshot): readonly Reference[] {
  const required = new Set(fields.filter(({ schema }) => schema?.is_nullable === false).map(placeOf))
  return relations.flatMap((each) =>
    each.related_collection != null && required.has(placeOf(each))
      ? [{ collection: each.collection, field: each.field, to: each.related_collection }]
      : [],
  )
}

function leadsTo(references: readonly Reference[], from: string, to: string): boolean {
  const seen = new Set([from])
  for (const at of seen) for (const each of references) if (each.collection === at) seen.add(each.to)
  return seen.has(to)
}

/** The snapshot whose fields at these places take null. */
export function withNulls(snapshot: Snapshot, places: readonly FieldPlace[]): Snapshot {
  const names = new Set(places.map(placeOf))
  return {
    ...snapshot,
    fields: snapshot.fields.map((field) =>
      field.schema != null && names.has(placeOf(field))
        ? { ...field, schema: { ...field.schema, is_nullable: true } }
        : field,
    ),
  }
}
