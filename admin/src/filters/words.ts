/** A filter in words. */
import type { Collection, Model } from '../model/model.ts'
import { namesOf } from '../model/names.ts'
import { toFieldLabel, toNamedLabel } from '../model/texts.ts'
import { isQuantifier, nextOf, splitScope } from './paths.ts'
import { type Operator, operators, type Rule, toOperandText, toRules } from './rules.ts'

type Translate = (key: string) => string

/** `author.name` → `Author › Name`, `tags._some.name` → `Tags (any) › Name`: labels, and names that are not known. */
export const pathLabel = (model: Model, collection: Collection | null, path: string, translate: Translate): string =>
  namesLabel(model, collection, namesOf(path), translate)

function namesLabel(
  model: Model,
  collection: Collection | null,
  [first = '', ...rest]: readonly string[],
  translate: Translate,
): string {
  const [quantifier = '', ...behind] = rest
  const how = isQuantifier(quantifier) ? translate(`app.filter.${quantifier.slice(1)}`) : null
  const below = how === null ? rest : behind
  const label = stepLabel(model, collection, first)
  const shown = how === null ? label : `${label} (${how})`
  if (below.length === 0) return shown
  const next = collection === null ? null : nextOf(model, collection, first)
  return `${shown} › ${namesLabel(model, next, below, translate)}`
}

/** `item:authors` → `Item (Authors)`. */
function stepLabel(model: Model, collection: Collection | null, step: string): string {
  const labelOf = (name: string): string | undefined => {
    const field = collection?.fields.find((each) => each.field === name)
    return field === undefined ? undefined : toFieldLabel(field)
  }
  const [name, scope] = splitScope(step)
  const own = labelOf(step)
  return own ?? (scope === undefined ? step : `${labelOf(name) ?? name} (${toNamedLabel(model, scope)})`)
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
