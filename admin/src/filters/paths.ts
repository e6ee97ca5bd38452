/**
 * Where the value of a rule is. Of a field with several related items, the path says of how many of them, and of a
 * many-to-any which collection: `comments._some.text`, `blocks._none.item:authors.name`. As in requests, a backslash makes
 * a dot part of a name.
 */
import type { Collection, Model } from '../model/model.ts'
import { namesOf } from '../model/names.ts'
import { anyOf, toManyOf, toOneOf } from '../model/relations.ts'

export const quantifiers = ['_some', '_none'] as const

export const isQuantifier = (name: string): boolean => quantifiers.some((each) => each === name)

export const toPath = (names: readonly string[]): string =>
  names.map((name) => name.replaceAll(/[\\.]/g, String.raw`\$&`)).join('.')

/** What one name of a path leads to, with the quantifier behind it: null for a value, and for what the user does not see. */
export function nextOf(model: Model, { name, fields }: Collection, step: string): Collection | null {
  const isField = fields.some(({ field }) => field === step)
  const [field, scope] = isField ? [step] : splitScope(step)
  if (scope !== undefined) return anyOf(model, name, field).find((each) => each.name === scope) ?? null
  return toOneOf(model, name, field) ?? toManyOf(model, name, field)?.many ?? null
}

/** `item:authors` → `item` and `authors`. */
export const splitScope = (step: string): readonly [field: string, scope?: string] => {
  const colon = step.indexOf(':')
  return colon === -1 ? [step] : [step.slice(0, colon), step.slice(colon + 1)]
}

/** The collection at the end of a path, whose last name is that of a relation or says of how many items. */
export const collectionAt = (model: Model, collection: Collection, path: string): Collection | null =>
  namesOf(path)
    .filter((name) => !isQuantifier(name))
    .reduce<Collection | null>((at, name) => (at === null ? null : nextOf(model, at, name)), collection)

/** The part of a path that leads to related items: up to the last "of how many", or to all but its last name. */
export function wayOf(path: string): string {
  const names = namesOf(path)
  const last = names.findLastIndex(isQuantifier)
  return toPath(names.slice(0, last === -1 ? -1 : last + 1))
}
