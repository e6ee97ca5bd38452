/** Collections that refer to each other by required fields: no row of theirs can be the first. */
import type { FieldAddress } from '../../domain/schema/schema.ts'
import { entryKey, type Snapshot } from '../sync/schema-snapshot.ts'

type Reference = FieldAddress & { readonly to: string }

/** New fields that take no null only when all rows are there; without them, every row can come after those it needs. */
export function fieldsInCircles(snapshot: Snapshot, present: Snapshot): readonly FieldAddress[] {
  const existing = new Set(present.fields.map(entryKey))
  const required = requiredReferences(snapshot).filter((each) => each.collection !== each.to)
  const circular: FieldAddress[] = []
  for (let left = required; ; ) {
    const inCircle = left.find(({ collection, to }) => isReachable(left, to, collection))
    if (inCircle === undefined) return circular
    if (!existing.has(entryKey(inCircle))) circular.push({ collection: inCircle.collection, field: inCircle.field })
    left = left.filter((each) => each !== inCircle)
  }
}

function requiredReferences({ fields, relations }: Snapshot): readonly Reference[] {
  const required = new Set(fields.filter(({ schema }) => schema?.is_nullable === false).map(entryKey))
  return relations.flatMap((each) =>
    each.related_collection != null && required.has(entryKey(each))
      ? [{ collection: each.collection, field: each.field, to: each.related_collection }]
      : [],
  )
}

function isReachable(references: readonly Reference[], from: string, to: string): boolean {
  const seen = new Set([from])
  for (const at of seen) for (const each of references) if (each.collection === at) seen.add(each.to)
  return seen.has(to)
}

/** The snapshot whose fields at these places take null. */
export function withNulls(snapshot: Snapshot, fields: readonly FieldAddress[]): Snapshot {
  const names = new Set(fields.map(entryKey))
  return {
    ...snapshot,
    fields: snapshot.fields.map((field) =>
      field.schema != null && names.has(entryKey(field))
        ? { ...field, schema: { ...field.schema, is_nullable: true } }
        : field,
    ),
  }
}
