/** Writes fields as bodies describe them, within a change of the schema. */
import { updateFields } from '../../core/model/change-fields.ts'
import { createFields } from '../../core/model/fields.ts'
import { createRelations } from '../../core/model/relations.ts'
import { afterwards, changeableField } from '../../core/model/schema-change.ts'
import type { Context } from '../../domain/ports/context.ts'
import { TandemError } from '../../domain/rights/errors.ts'
import type { Schema } from '../../domain/schema/schema.ts'
import { impliedRelation, parseField } from './model-input.ts'
import { refuseModel } from './refuse.ts'
import { openRequiredColumns, saysRequired } from './required-columns.ts'

type Body = Parameters<typeof parseField>[1]

export type NamedField = Body & { readonly field: string }

export const blank = 'field: This value should not be blank.'

/** Creates a field and the relation that its type implies; returns the field's name. */
export async function createField(ctx: Context, collection: string, body: Body): Promise<string> {
  const owner = ctx.schema.collections.get(collection)
  const name = body.field ?? refuseModel('contradictory', 'field', blank)
  const draft = parseField(name, { type: 'string', ...body }, owner ?? null)
  if (owner?.fields.get(name)?.column != null) refuseModel('field-exists', 'field', `Field "${name}" already exists`)
  await createFields(ctx, collection, [draft])
  if (saysRequired([body])) await openRequiredColumns(ctx, collection)
  const relation = impliedRelation(collection, draft)
  if (relation !== null) await createRelations(await afterwards(ctx), [relation])
  return name
}

export async function changeFields(ctx: Context, collection: string, bodies: readonly NamedField[]): Promise<void> {
  const owner = ctx.schema.collections.get(collection) ?? null
  for (const { field } of bodies) assertThere(ctx.schema, collection, field)
  await updateFields(
    ctx,
    collection,
    bodies.map((body) => parseField(body.field, body, owner)),
  )
  if (saysRequired(bodies)) await openRequiredColumns(ctx, collection)
}

/** Changes the fields that are there and adds the others. */
export async function writeFields(ctx: Context, collection: string, bodies: readonly Body[]): Promise<void> {
  const named = bodies.map((body) => ({ ...body, field: body.field ?? refuseModel('contradictory', 'field', blank) }))
  const fields = ctx.schema.collections.get(collection)?.fields
  const [changed, added] = [true, false].map((isThere) => named.filter(({ field }) => fields?.has(field) === isThere))
  await changeFields(ctx, collection, changed ?? [])
  for (const body of added ?? []) await createField({ ...ctx, ...(await afterwards(ctx)) }, collection, body)
}

/** Throws for a field that cannot be changed. Version 8 has a code of its own for one that the path names. */
export function assertThere(schema: Schema, collection: string, field: string): void {
  if (!schema.collections.has(collection)) throw new TandemError({ kind: 'collection-not-found', collection })
  try {
    changeableField(schema, collection, field)
  } catch (error) {
    const [failure] = error instanceof TandemError ? error.failures : []
    throw failure?.kind === 'field-not-found' ? new TandemError({ ...failure, kind: 'not-relational' }) : error
  }
}
