/** A filter in words. */
import type { Collection, Model } from '../model/model.ts'
import { toManyOf, toOneOf } from '../model/relations.ts'
import { toFieldLabel } from '../model/texts.ts'
import { type Operator, operators, type Rule, toOperandText, toRules } from './rules.ts'

type Translate = (key: string) => string

/** `author.name` → `Author › Name`, `tags._some.name` → `Tags (any) › Name`: labels, and names that are not known. */
export function pathLabel(model: Model, collection: Collection | null, path: string, translate: Translate): string {
  const [first = '', ...rest] = path.split('.')
  const field = collection?.fields.find((each) => each.field === first)
  const label = field === undefined ? first : toFieldLabel(field)
  const [quantifier = '', ...below] = rest
  if (quantifier === '') return label
  if (quantifier !== '_some' && quantifier !== '_none') {
    const next = collection === null ? null : toOneOf(model, collection.name, first)
    return `${label} › ${pathLabel(model, next, rest.join('.'), translate)}`
  }
  const next = collection === null ? null : (toManyOf(model, collection.name, first)?.many ?? null)
  const how = translate(`app.filter.${quantifier.slice(1)}`)
  return `${label} (${how}) › ${pathLabel(model, next, below.join('.'), translate)}`
}

/** Values that the server puts in. */
const dynamic: { readonly [value: string]: string } = {
  $CURRENT_USER: 'app.filter.current_user',
  $CURRENT_ROLE: 'app.filter.current_role',
  $NOW: 'app.filter.now',
}

/** `Status is draft and Author › Name contains Ann`; JSON where a list of rules cannot say it. */
export function filterWords(model: Model, collection: Collection | null, filter: object, translate: Translate): string {
  const list = toRules(filter)
  if (list === null) return JSON.stringify(filter)
  const valueOf = ({ operator, value }: Rule): string =>
    operators[operator as Operator] === 'none'
      ? ''
      : typeof value === 'string' && Object.hasOwn(dynamic, value)
        ? translate(dynamic[value] ?? '')
        : toOperandText(value)
  return list.rules
    .map((rule) =>
      [pathLabel(model, collection, rule.path, translate), translate(`app.operator.${rule.operator}`), valueOf(rule)]
        .filter(Boolean)
        .join(' '),
    )
    .join(` ${translate(list.join === '_and' ? 'app.filter.and' : 'app.filter.or')} `)
}
