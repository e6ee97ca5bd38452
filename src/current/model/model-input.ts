/** Converts bodies about the data model to drafts. Properties that clients send back but cannot set are dropped. */
import type { CollectionDraft } from '../../core/model/collections.ts'
import type { ColumnDraft, FieldDraft } from '../../core/model/field-plan.ts'
import type { RelationDraft } from '../../core/model/relation-row.ts'
import { invalidPayload } from '../../domain/rights/errors.ts'
import type { components } from '../../generated/current.ts'

type Schemas = components['schemas']

export function parseCollection({ collection, meta, schema, fields }: Schemas['CollectionInput']): CollectionDraft {
  return {
    name: collection,
    table: schema == null ? null : { comment: schema.comment ?? null },
    ...(meta === undefined ? {} : { meta: tidy(meta, collectionKeys) }),
    fields: (fields ?? []).map((field) => parseField(field)),
  }
}

export function parseField({ field, type, meta, schema }: Schemas['FieldInput']): FieldDraft {
  return {
    name: field,
    ...(type == null ? {} : { type }),
    ...(meta === undefined ? {} : { meta: tidy(meta, fieldKeys) }),
    ...(schema === undefined ? {} : { column: schema === null ? null : parseColumn(schema) }),
  }
}

/** A field's changes, at its own path. */
export function parseFieldChange(name: string, body: Schemas['FieldChange']): FieldDraft {
  assertSameName('field', name, body.field)
  return parseField({ ...body, field: name })
}

export function parseRelation(body: Schemas['RelationInput']): RelationDraft {
  const { collection, field, related_collection: related, schema, meta } = body
  return {
    collection,
    field,
    ...(related === undefined ? {} : { related }),
    ...(schema === undefined ? {} : { constraint: schema === null ? null : parseConstraint(schema) }),
    ...(meta === undefined ? {} : { meta }),
  }
}

/** Names cannot change: a name in the body must equal the one in the path. */
export function assertSameName(part: 'collection' | 'field', name: string, input: string | undefined): void {
  if (input === undefined || input === name) return
  const reason = `Expected "${name}" for "${part}" but received ${JSON.stringify(input)}: names cannot be changed`
  throw invalidPayload(part, reason)
}

const collectionKeys = ['collection'] as const
const fieldKeys = ['id', 'collection', 'field'] as const

/** The row without its key fields. */
function tidy(meta: object | null, keys: readonly string[]): { readonly [column: string]: unknown } | null {
  if (meta === null) return null
  return Object.fromEntries(Object.entries(meta).filter(([key]) => key !== 'system' && !keys.includes(key)))
}

const columnKeys = {
  data_type: 'dataType',
  numeric_precision: 'precision',
  numeric_scale: 'scale',
  is_nullable: 'nullable',
  default_value: 'defaultValue',
  is_unique: 'unique',
  is_indexed: 'indexed',
  is_primary_key: 'primaryKey',
  has_auto_increment: 'autoIncrement',
  comment: 'comment',
} as const satisfies { readonly [key: string]: Exclude<keyof ColumnDraft, 'length'> }

function parseColumn(schema: NonNullable<Schemas['ColumnSchema']>): ColumnDraft {
  const length = schema.max_length === undefined ? schema.length : schema.max_length
  const entries = Object.entries(columnKeys).flatMap(([key, name]) => {
    const value = schema[key as keyof typeof columnKeys]
    return value === undefined ? [] : [[name, value] as const]
  })
  return { ...(Object.fromEntries(entries) as ColumnDraft), ...(length === undefined ? {} : { length }) }
}

function parseConstraint(schema: NonNullable<Schemas['ForeignKeySchema']>): NonNullable<RelationDraft['constraint']> {
  const { on_delete: onDelete, on_update: onUpdate } = schema
  return { ...(onDelete === undefined ? {} : { onDelete }), ...(onUpdate === undefined ? {} : { onUpdate }) }
}
