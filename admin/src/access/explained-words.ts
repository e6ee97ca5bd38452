/** What the server tells of rules and conditions, in the language of the interface. */
import { filterWords } from '../filters/words.ts'
import type { Action, Collection, Model } from '../model/model.ts'
import { toFieldLabel, toNamedLabel } from '../model/texts.ts'
import type { Cause, Holder, Rule } from './explained.ts'

export type Here = {
  readonly model: Model
  readonly collection: Collection | null
  readonly translate: (key: string, values?: object) => string
}

/** Without this part, a cause is told by `app.told.<code>_plain`. */
const decisive: { readonly [Code in Cause['code']]?: keyof Cause } = {
  rule: 'kind',
  'second-factor-demanded': 'policy',
  'item-not-covered': 'filter',
  'field-not-covered': 'field',
  'values-refused': 'filter',
  'policy-not-held': 'holders',
}

/** As the server says it, where the application has no words. */
export function causeWords(here: Here, cause: Cause): string {
  const { code, message, field = '', fields = [], filter = {}, holders = [], others = 0, actions = [] } = cause
  const { translate } = here
  const part = decisive[code]
  return translate(`app.told.${part === undefined || part in cause ? code : `${code}_plain`}`, {
    _: message,
    rule: cause.kind === undefined ? '' : ruleWords(here, cause),
    policy: cause.policy_name,
    collection: toNamedLabel(here.model, cause.collection ?? ''),
    actions: actions.map((action) => translate(`app.matrix.${action}`)).join(', '),
    field: fieldWords(here, field),
    fields: fieldsWords(here, fields),
    condition: conditionWords(here, filter),
    addresses: cause.addresses?.join(', '),
    holders: [
      ...holders.map((holder) => holderWords(here, holder)),
      ...(others === 0 ? [] : [translate(others === 1 ? 'app.told.other' : 'app.told.others', { count: others })]),
    ].join(', '),
  })
}

export function ruleWords({ translate }: Here, rule: Cause | Rule): string {
  const { kind, permission, level, policy_name: policy, role_name: role, status } = rule
  const name = kind === 'level' && status !== undefined ? 'level_of_status' : kind
  return translate(`app.told.${name}`, { id: permission ?? level, policy, role, status })
}

export const holderWords = ({ translate }: Here, { role, user, name }: Holder): string =>
  role === null
    ? translate(`app.told.${user === null ? 'public' : 'user'}`)
    : translate('app.told.role', { role: name })

export function fieldsWords(here: Here, fields: readonly string[]): string {
  if (fields.includes('*')) return here.translate('app.told.every_field')
  return fields.map((each) => fieldWords(here, each)).join(', ') || here.translate('app.told.no_field')
}

function fieldWords({ collection }: Here, name: string): string {
  const field = collection?.fields.find((each) => each.field === name)
  return field === undefined ? name : toFieldLabel(field)
}

type Items = { readonly text: string; readonly filter: object | null }

/** The items that an action reaches. */
export function itemsWords(here: Here, action: Action, { text, filter }: Items): string {
  if (action === 'create') return here.translate('app.told.new_items')
  return filter === null ? text : conditionWords(here, filter)
}

function conditionWords({ model, collection, translate }: Here, filter: object): string {
  const [first] = Object.values(filter) as readonly unknown[]
  if (first === undefined) return translate('app.told.every_item')
  if (Array.isArray(first) && first.length === 0) return translate('app.told.no_item')
  return filterWords(model, collection, filter, translate)
}
