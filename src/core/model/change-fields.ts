/** Changes fields: their columns, table by table, and their metadata. */

import { listAt, type MetadataRow } from '../../domain/model/metadata.ts'
import type { Context } from '../../domain/ports/context.ts'
import { firstRepeated } from '../../domain/schema/repeated.ts'
import type { Field } from '../../domain/schema/schema.ts'
import { alterColumns, assertRetypes, type ColumnChange } from './alter-column.ts'
import { type FieldDraft, type Kind, kindOf, specialsFor, withoutTypeFlags } from './field-plan.ts'
import { assertValidation, ownMeta } from './fields.ts'
import { addRows, addressKey, changeRows, fieldRows } from './metadata.ts'
import { changeableField, refusePart } from './schema-change.ts'

/** A draft with `meta: null` removes the metadata of the field. */
export type FieldChange = { readonly collection: string; readonly draft: FieldDraft }

/** Changes several fields of a collection, each at most once. */
export async function updateFields(ctx: Context, collection: string, drafts: readonly FieldDraft[]): Promise<void> {
  const twice = firstRepeated(drafts.map(({ name }) => name))
  if (twice !== undefined) refusePart('field', `Expected "${twice}" once but received it twice`)
  await changeFields(
    ctx,
    drafts.map((draft) => ({ collection, draft })),
  )
}

/** Changes columns of fields and their metadata. Properties that a draft leaves out are kept. */
export async function changeFields(ctx: Context, changes: readonly FieldChange[]): Promise<void> {
  const planned = changes.map((change) => planChange(ctx, change))
  await alterColumns(ctx, planned.flatMap(columnChange))
  const withMeta = planned.flatMap((each) => {
    const meta = metaOf(each)
    return Object.keys(meta).length === 0 && each.draft.meta == null ? [] : [{ ...each, meta }]
  })
  const rows = await fieldRows(
    ctx,
    withMeta.map(({ collection, field }) => ({ collection, field: field.name })),
  )
  const existing = withMeta.map((each) => {
    const address = { collection: each.collection, field: each.field.name }
    return { ...each, address, key: rows.get(addressKey(address))?.[0] }
  })
  await addRows(
    ctx,
    'platform_fields',
    existing.flatMap(({ key, meta, address }) => (key === undefined ? [{ ...meta, ...address }] : [])),
  )
  await changeRows(
    ctx,
    'platform_fields',
    existing.flatMap(({ key, meta }) => (key === undefined ? [] : [{ key, row: meta }])),
  )
  await assertValidation(
    ctx,
    changes.map(({ collection, draft }) => ({ collection, drafts: [draft] })),
  )
}

/** Throws if a column cannot be changed as requested, whatever its values are. Changes nothing. */
export async function assertTypes(ctx: Pick<Context, 'db' | 'schema'>, changes: readonly FieldChange[]): Promise<void> {
  await assertRetypes(
    ctx,
    changes.filter(({ draft }) => draft.type != null).flatMap((change) => columnChange(planChange(ctx, change))),
  )
}

type Planned = FieldChange & { readonly field: Field; readonly kind: Kind | null }

function planChange({ schema }: Pick<Context, 'schema'>, { collection, draft }: FieldChange): Planned {
  const field = changeableField(schema, collection, draft.name)
  return { collection, draft, field, kind: newKind(field, draft) }
}

const columnChange = ({ field, ...change }: Planned): readonly ColumnChange[] =>
  field.column === null ? [] : [{ ...change, field, column: field.column }]

function metaOf({ field, draft, kind }: Planned): MetadataRow {
  const special = specialsOf(field, draft, kind)
  return {
    ...ownMeta(draft.meta),
    ...undeclared(field, kind),
    ...(special === null ? {} : { special: special.length > 0 ? special : null }),
  }
}

/** Flags of the previous type are dropped when the type changes. */
const undeclared = (field: Field, kind: Kind | null): MetadataRow =>
  kind?.kind === 'column' && kind.type !== field.type && field.meta?.['type'] != null ? { type: null } : {}

/** The field after the change; null if it stays the same. */
function newKind(field: Field, draft: FieldDraft): Kind | null {
  const { type = null, meta = null } = draft
  if (field.column === null) {
    const special = meta === null || meta['special'] === undefined ? field.special : listAt(meta, 'special')
    const kind = kindOf({ ...draft, type: type ?? 'alias', meta: { special } })
    if (kind.kind === 'column') refusePart('type', `Expected "${field.name}" to stay an alias: it has no column`)
    if (draft.column != null && Object.keys(draft.column).length > 0) {
      refusePart('schema', `Expected no column for "${field.name}", which is an alias`)
    }
    return kind
  }
  if (type === null || type === 'unknown') {
    if (meta?.['special'] !== undefined) kindOf({ ...draft, type: 'string' })
    return null
  }
  const kind = kindOf(draft)
  if (kind.kind === 'alias')
    refusePart('type', `Expected a type with a column for "${field.name}" but received "${type}"`)
  return kind
}

/** The flags after the change; null if they stay the same. */
function specialsOf(field: Field, draft: FieldDraft, kind: Kind | null): readonly string[] | null {
  const stored = listAt(field.meta ?? {}, 'special')
  const names = draft.meta?.['special'] === undefined ? null : listAt(draft.meta, 'special')
  if (kind === null) return names
  const isSame = kind.kind === 'alias' || (kind.type === field.type && kind.type !== 'geometry')
  const special = specialsFor(kind, names ?? (isSame ? stored : withoutTypeFlags(stored)))
  return special.join() === stored.join() ? null : special
}
