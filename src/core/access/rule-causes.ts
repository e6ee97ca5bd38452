/** Causes of a refusal that lie in the rules that are there: what each of them lacks. */
import { filterText } from '../../domain/conditions/filter-text.ts'
import { writeFilter } from '../../domain/conditions/write-filter.ts'
import { and, type Filter } from '../../domain/query/filter.ts'
import type { Failure } from '../../domain/rights/errors.ts'
import { holdsCredentials } from '../../domain/schema/credentials.ts'
import type { Schema } from '../../domain/schema/schema.ts'
import type { Cause } from './cause.ts'
import type { RequestedAction } from './explained-rules.ts'
import type { JudgedRule } from './judged-rules.ts'

type Request = RequestedAction & { readonly schema: Schema }

/** A rule that names the field and misses the item explains more than one that does not name it. */
export const ruleCauses = (rules: readonly JudgedRule[], request: Request): readonly Cause[] =>
  rules
    .flatMap((judged): readonly Cause[] => {
      const [failure] = judged.refusals
      if (failure === undefined) return []
      const { text, ...parts } = toHidden(judged, failure, request) ?? toDenial(judged, failure, request)
      return [{ ...judged.record, ...parts, message: `${judged.name} ${text}` }]
    })
    .toSorted((a, b) => namesNot(a) - namesNot(b))

const namesNot = ({ code }: Cause): number => Number(code === 'field-not-covered')

/** A cause with what its message says after the name of the rule. */
type Denial = Omit<Cause, 'message'> & { readonly text: string }

/** Why a field that the rule names cannot be read all the same; null for other fields. */
function toHidden({ rule }: JudgedRule, failure: Failure, { action, collection }: Request): Denial | null {
  const name = failure.kind === 'forbidden' ? failure.denied?.field : undefined
  const field = name === undefined ? undefined : collection.fields.get(name)
  if (action !== 'read' || field === undefined) return null
  if (rule.fields !== '*' && !rule.fields.includes(field.name)) return null
  const why = holdsCredentials(collection.name, field.name)
    ? 'which only administrators read'
    : field.relation?.kind === 'one-to-many'
      ? `and no rule allows to read the key of items of ${field.relation.collection}`
      : 'which holds no value'
  return { code: 'field-unreadable', text: `names "${field.name}", ${why}`, field: field.name }
}

function toDenial({ rule, unmet }: JudgedRule, failure: Failure, request: Request): Denial {
  switch (failure.kind) {
    case 'item-not-found': {
      const demand = toDemand(unmet.length === 0 ? rule.filter : and(...unmet), request)
      const text =
        unmet.length === 0
          ? `does not reach the item: it reaches ${filterText(rule.filter)}`
          : `reaches only items where ${unmet.map(filterText).join(' and ')}, which this item does not meet`
      return { code: 'item-not-covered', text, ...demand }
    }
    case 'failed-validation': {
      const { field, type } = failure
      const demanded = rule.validation === null ? 'what the field demands' : filterText(rule.validation)
      const text = `refuses the value of "${field}" (${type}): it demands ${demanded}`
      return { code: 'values-refused', text, field, ...toDemand(rule.validation, request) }
    }
    case 'unprocessable':
      return { code: 'database-refuses', text: `grants it, but: ${failure.reason}`, reason: failure.reason }
    case 'forbidden': {
      const { denied, reason } = failure
      if (denied === undefined)
        return { code: 'comment-demanded', text: `grants it with a comment only: ${reason}`, ...(reason && { reason }) }
      const field = denied.field ?? request.field
      const fields = rule.fields === '*' ? ['*'] : [...rule.fields]
      const text = `names ${listOf(rule.fields)}${field === null ? '' : `, not "${field}"`}`
      return { code: 'field-not-covered', text, fields, ...(field !== null && { field }) }
    }
    default:
      return { code: 'refused', text: `does not apply: ${failure.kind}` }
  }
}

/** Nothing where every item meets it, or where the language of filters cannot say it. */
function toDemand(demanded: Filter | null, { schema, collection }: Request): Pick<Cause, 'filter'> {
  if (demanded === null || demanded.kind === 'all') return {}
  const filter = writeFilter(demanded, { schema, collection: collection.name })
  return filter === null ? {} : { filter }
}

function listOf(fields: JudgedRule['rule']['fields']): string {
  if (fields === '*') return 'every field'
  return fields.length === 0 ? 'no field' : `the fields ${fields.join(', ')}`
}
