/** A row of another project → the body of a write here. */
import { memoizeBy } from '../../domain/memoize.ts'
import type { Context } from '../../domain/ports/context.ts'
import type { SourceRow } from '../../domain/ports/import-source.ts'
import type { Collection, Field } from '../../domain/schema/schema.ts'
import { withSortedKeys } from '../sync/schema-snapshot.ts'
import { realName, withRealNames } from '../views/system-names.ts'
import { valueHere } from './import-references.ts'
import { type Session, wordOf } from './session.ts'

export type Payload = { [field: string]: unknown }

/** The fields of a collection by the names of the wire, and those that name the collection of a many-to-any. */
type TargetFields = { readonly fields: ReadonlyMap<string, Field>; readonly naming: ReadonlySet<string> }

const targetFieldsOf = memoizeBy((collection: Collection, ctx: Pick<Context, 'view'>): TargetFields => {
  const shown = ctx.view.byCore.get(collection.name)?.fields ?? new Map<string, { readonly field: string }>()
  const fields = new Map(
    [...shown].flatMap(([name, { field }]) => {
      const own = collection.fields.get(field)
      return own === undefined ? [] : [[name, own] as const]
    }),
  )
  const naming = new Set(
    [...collection.fields.values()].flatMap(({ relation }) =>
      relation?.kind === 'many-to-any' ? [relation.collectionField] : [],
    ),
  )
  return { fields, naming }
})

/** Values of columns that can be written. Lists of related keys follow from the related rows themselves. */
export function toPayload(session: Session, collection: Collection, sourceRow: SourceRow): Payload {
  const { fields, naming } = targetFieldsOf(collection, session.ctx)
  const row = collection.system ? withRealNames(sourceRow) : sourceRow
  const payload: Payload = {}
  for (const [name, value] of Object.entries(row)) {
    const field = fields.get(name)
    if (field === undefined) {
      if (!isEmpty(value)) noteUnknown(session, collection, name)
    } else if (field.column === null || field.column.generated) continue
    // Values that are required here and missing in the source get their default.
    else if (value === null && collection.system && !field.column.nullable) continue
    else if (field.concealed || field.special.includes('hash')) noteSecret(session, collection, name, value)
    else
      payload[name] =
        naming.has(field.name) && typeof value === 'string'
          ? realName(value)
          : valueHere(session, { row, field, collection })
  }
  return payload
}

function noteSecret({ reporting }: Session, { name, system }: Collection, field: string, value: unknown): void {
  if (!system && value !== null) reporting.note(`The values of ${name}.${field} are secret and cannot be read`)
}

function noteUnknown({ reporting }: Session, { name: collection, system }: Collection, field: string): void {
  const text = `The field ${collection}.${field} does not exist here`
  if (system && itsOwn.test(field)) reporting.note(text)
  else reporting.miss(text)
}

/** Settings of the other platform about itself: its registration, its consents, and features that Tandem lacks. */
const itsOwn =
  /^(accepted_terms|org_name|product_updates|project_(id|owner|status|usage)|collaborative_editing_enabled|(ai|mcp)_.*)$/

const isEmpty = (value: unknown): boolean =>
  value === null ||
  value === undefined ||
  value === false ||
  value === '' ||
  (typeof value === 'object' && Object.keys(value).length === 0)

/** Whether a stored value is what the other project shows, in the notation of either server. */
export function isSame(theirs: unknown, ours: unknown): boolean {
  if (theirs === ours || (theirs ?? null) === (ours ?? null)) return true
  if (theirs === null || ours === null || theirs === undefined || ours === undefined) return false
  if (typeof theirs === 'object' || typeof ours === 'object') return sameJson(theirs, ours)
  const [left, right] = [wordOf(theirs), wordOf(ours)]
  if (left === right) return true
  if (isNumber(left) && isNumber(right)) return Number(left) === Number(right)
  return isMoment(left) && isMoment(right) && Date.parse(left) === Date.parse(right)
}

const isNumber = (text: string): boolean => /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(text)

const isMoment = (text: string): boolean => /^\d{4}-\d\d-\d\d/.test(text)

/** The keys of objects may come in any order. */
const sameJson = (theirs: unknown, ours: unknown): boolean =>
  JSON.stringify(withSortedKeys(theirs)) === JSON.stringify(withSortedKeys(ours))
