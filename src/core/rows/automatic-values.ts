/** Values that the server sets in written rows: keys, times and authors. */
import type { Context } from '../../domain/ports/context.ts'
import type { Field, Special } from '../../domain/schema/schema.ts'

type ValueContext = Pick<Context, 'actor' | 'clock' | 'ids'>

/** The value that a flag of the field sets in the place of `submitted`; undefined = no flag sets one. */
export function automaticValue(
  ctx: ValueContext,
  field: Field,
  action: 'create' | 'update',
  submitted: unknown,
): unknown {
  for (const special of field.special) {
    const rule = rules[special]
    if (rule === undefined || (rule.on !== action && !isAlsoOnCreate(field))) continue
    const value = rule.value(ctx, field, submitted)
    if (value !== undefined) return value
  }
  return undefined
}

/** Whether the server sets the field in every such write, whatever is submitted. */
export const isSetByServer = (field: Field, action: 'create' | 'update'): boolean =>
  field.special.some((special) => special !== 'uuid' && applies(field, special, action))

/** Whether a new row needs a submitted value: neither the database nor the server has another one. */
export function needsValue(field: Field): boolean {
  const { column, special, meta } = field
  if (column === null || column.nullable || column.hasDefault || column.autoIncrement || column.generated) return false
  return meta?.['type'] !== 'slug' && !special.some((each) => applies(field, each, 'create'))
}

function applies(field: Field, special: Special, action: 'create' | 'update'): boolean {
  const on = rules[special]?.on
  return on !== undefined && (on === action || isAlsoOnCreate(field))
}

/** Types of fields that a creation sets too, unlike their specials: nothing was changed later yet. */
const alsoOnCreate: ReadonlySet<unknown> = new Set(['datetime_updated', 'user_updated'])

const isAlsoOnCreate = ({ meta }: Field): boolean => alsoOnCreate.has(meta?.['type'])

/**
 * The value of a field of type `slug` that is not submitted while the field that it mirrors is: its words in lower case,
 * unless an option says otherwise, joined by hyphens. Undefined for other fields.
 * @example slugOf(slug, (name) => (name === 'title' ? 'Crème brûlée!' : undefined)) // 'creme-brulee'
 */
export function slugOf({ meta }: Field, submitted: (field: string) => unknown): string | undefined {
  if (meta?.['type'] !== 'slug') return undefined
  const { mirroredField, forceLowercase = true } = (meta['options'] ?? {}) as {
    readonly mirroredField?: unknown
    readonly forceLowercase?: unknown
  }
  const text = typeof mirroredField === 'string' ? submitted(mirroredField) : undefined
  if (typeof text !== 'string') return undefined
  const words = text
    .normalize('NFKD')
    .replaceAll(/\p{M}+/gu, '')
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-+|-+$/g, '')
  return forceLowercase === false ? words : words.toLowerCase()
}

type Rule = {
  readonly on: 'create' | 'update'
  readonly value: (ctx: ValueContext, field: Field, submitted: unknown) => unknown
}

const isEmpty = (value: unknown): boolean => value === undefined || value === null || value === ''

/** Replaces the submitted value, except in writes of the system itself. */
const fixed =
  (of: (ctx: ValueContext, field: Field) => unknown): Rule['value'] =>
  (ctx, field, submitted) =>
    ctx.actor.kind === 'system' && submitted !== undefined ? undefined : of(ctx, field)

const now = fixed((ctx, field) => {
  const instant = ctx.clock().toISOString()
  if (field.type === 'date') return instant.slice(0, 10)
  return field.type === 'time' ? instant.slice(11, 19) : instant
})
const user = fixed(({ actor }) => (actor.kind === 'user' ? actor.user : null))
const role = fixed(({ actor }) => (actor.kind === 'user' ? actor.role : null))

const rules: { readonly [Name in Special]?: Rule } = {
  uuid: { on: 'create', value: (ctx, _field, submitted) => (isEmpty(submitted) ? ctx.ids.uuid() : undefined) },
  'date-created': { on: 'create', value: now },
  'date-updated': { on: 'update', value: now },
  'user-created': { on: 'create', value: user },
  'user-updated': { on: 'update', value: user },
  'role-created': { on: 'create', value: role },
  'role-updated': { on: 'update', value: role },
}
