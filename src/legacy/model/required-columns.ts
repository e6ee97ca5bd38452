/** Columns of fields that only some statuses require. */
import { updateFields } from '../../core/model/change-fields.ts'
import { afterwards } from '../../core/model/schema-change.ts'
import type { Context } from '../../domain/ports/context.ts'

/** Lets the columns of such fields be null; items that need a value are refused by their status. */
export async function openRequiredColumns(ctx: Context, collection: string): Promise<void> {
  const inner = await afterwards(ctx)
  const { requiredBy, fields } = inner.schema.collections.get(collection) ?? {}
  const closed = (requiredBy?.required ?? []).filter((name) => fields?.get(name)?.column?.nullable === false)
  if (closed.length === 0) return
  await updateFields(
    inner,
    collection,
    closed.map((name) => ({ name, column: { nullable: true } })),
  )
}

/** Whether the bodies say which statuses require fields. */
export const saysRequired = (bodies: readonly { readonly options?: unknown }[]): boolean =>
  bodies.some(({ options }) => JSON.stringify(options ?? null).includes('"required_fields"'))
