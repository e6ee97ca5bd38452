/** A row of another project → the body of a write here. */
import type { SourceRow } from '../../domain/ports/import-source.ts'
import type { Collection, Field } from '../../domain/schema/schema.ts'
import { inOrder } from '../sync/schema-snapshot.ts'
import { realName, withRealNames } from '../views/system-names.ts'
import { type Session, wordOf } from './session.ts'

export type Payload = { [field: string]: unknown }

/** The fields of a collection by the names of the wire, and those that name the collection of a many-to-any. */
type Known = { readonly fields: ReadonlyMap<string, Field>; readonly naming: ReadonlySet<string> }

const known = new WeakMap<Collection, Known>()

function knownOf({ ctx }: Session, collection: Collection): Known {
  const found = known.get(collection)
  if (found !== undefined) return found
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
  const made = { fields, naming }
  known.set(collection, made)
  return made
}

/** Values of columns that can be written. Lists of related keys follow from the related rows themselves. */
export function toPayload(session: Session, collection: Collection, given: SourceRow): Payload {
  const { fields, naming } = knownOf(session, collection)
  const row = collection.system ? withRealNames(given) : given
  const payload: Payload = {}
  for (const [name, value] of Object.entries(row)) {
    const field = fields.get(name)
    if (field === undefined) {
      if (value !== null) session.reporting.note(`The field ${collection.name}.${name} does not exist here`)
    } else if (field.column === null || field.column.generated) continue
    else if (field.concealed || field.special.includes('hash')) noteSecret(session, collection, name, value)
    else
      payload[name] =
        naming.has(field.name) && typeof value === 'string' ? realName(value) : kept(session, field, value)
  }
  return payload
}

function noteSecret({ reporting }: Session, { name, system }: Collection, field: string, value: unknown): void {
  if (!system && value !== null) reporting.note(`The values of ${name}.${field} are secret and cannot be read`)
}

/** A reference to a user that is here already, or to a row that was not taken, changes. */
function kept({ sameUsers, gone }: Session, { relation, column }: Field, value: unknown): unknown {
  if (relation?.kind !== 'many-to-one' || value === null) return value
  const { collection } = relation
  const key = wordOf(value)
  if (collection === 'platform_users' && sameUsers.has(key)) return sameUsers.get(key)
  return gone.get(collection)?.has(key) === true && column?.nullable === true ? null : value
}

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
  JSON.stringify(inOrder(theirs)) === JSON.stringify(inOrder(ours))
