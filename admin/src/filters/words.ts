/** A filter in words. */
import type { Collection, Model } from '../model/model.ts'
import { namesOf } from '../model/names.ts'
import { toOneOf } from '../model/relations.ts'
import { toFieldLabel, toNamedLabel } from '../model/texts.ts'
import { collectionAt, isQuantifier, nextOf, splitScope, toPath } from './paths.ts'
import { type Operator, operators, toOperandText } from './rules.ts'

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
  // Of a many-to-one there is one item at most.
  const isOnly = quantifier === '_some' && collection !== null && toOneOf(model, collection.name, first) !== null
  const how = isQuantifier(quantifier) && !isOnly ? translate(`app.filter.${quantifier.slice(1)}`) : null
  const below = isQuantifier(quantifier) ? behind : rest
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

/** `Status is draft and Author › Name contains Ann`; JSON where there are no words for a part of it. */
export const filterWords = (
  model: Model,
  collection: Collection | null,
  filter: object,
  translate: Translate,
): string => wordsOf({ model, collection, translate }, filter) ?? JSON.stringify(filter)

type Here = { readonly model: Model; readonly collection: Collection | null; readonly translate: Translate }

/** Null where there are no words for a part of the filter. */
export function wordsOf(here: Here, filter: unknown, path: readonly string[] = []): string | null {
  if (typeof filter !== 'object' || filter === null || Array.isArray(filter)) return null
  const entries = Object.entries(filter)
  const [[name, value] = ['', null]] = entries
  if (entries.length !== 1 || name === '_and' || name === '_or')
    return path.length === 0 ? joined(here, entries) : related(here, filter, path)
  const isStep = !name.startsWith('_') || isQuantifier(name)
  return isStep ? wordsOf(here, value, [...path, name]) : comparison(here, toPath(path), name, value)
}

function joined(here: Here, entries: readonly (readonly [string, unknown])[]): string | null {
  const { translate } = here
  const [[name, value] = ['', null]] = entries
  const list = entries.length === 1 ? value : entries.map((entry) => Object.fromEntries([entry]))
  if (!Array.isArray(list) || list.length === 0) return null
  const parts = list.map((each) => {
    const words = wordsOf(here, each)
    return list.length > 1 && isJoined(each) ? `(${words})` : words
  })
  const word = translate(name === '_or' ? 'app.filter.or' : 'app.filter.and')
  return parts.includes(null) ? null : parts.join(` ${word} `)
}

/** Whether its words need parentheses beside others. */
const isJoined = (filter: object): boolean =>
  Object.keys(filter).length > 1 || ['_and', '_or'].includes(Object.keys(filter)[0] ?? '')

/** Several conditions on the same related items: `Rides (none): (Length greater than 3 and Horse is 1)`. */
function related(here: Here, filter: object, path: readonly string[]): string | null {
  const { model, collection, translate } = here
  const way = toPath(path)
  const words = wordsOf({ ...here, collection: collection && collectionAt(model, collection, way) }, filter)
  return words === null ? null : `${pathLabel(model, collection, way, translate)}: (${words})`
}

function comparison(
  { model, collection, translate }: Here,
  path: string,
  operator: string,
  value: unknown,
): string | null {
  const arity = Object.hasOwn(operators, operator) ? operators[operator as Operator] : undefined
  if (arity === undefined || path === '') return null
  const shown =
    typeof value === 'string' && Object.hasOwn(dynamic, value) ? translate(dynamic[value] ?? '') : toOperandText(value)
  return [
    pathLabel(model, collection, path, translate),
    translate(`app.operator.${operator}`),
    arity === 'none' ? '' : shown,
  ]
    .filter(Boolean)
    .join(' ')
}
