/** What a filter can speak of. */
import { choicesOf } from '../inputs/kinds.ts'
import type { Choice, Collection, Field, Model } from '../model/model.ts'
import { namesOf } from '../model/names.ts'
import { anyOf, toManyOf, toOneOf } from '../model/relations.ts'
import { collectionAt, quantifiers, toPath } from './paths.ts'

/** `isWay`: it has no value, but leads to related items further away, whose fields are chosen next. */
export type FilterField = {
  readonly path: string
  readonly type: string
  readonly choices: readonly Choice[]
  readonly isWay?: boolean
}

type Names = readonly string[]

/**
 * Fields of the items at the end of `way`, those of a related item up to two steps away, those of lists of related ones,
 * and the ways that lead on from there.
 */
export function filterFields(model: Model, collection: Collection, way = ''): readonly FilterField[] {
  const start = collectionAt(model, collection, way)
  if (start === null) return []
  const names = namesOf(way)
  const all = [...fieldsBelow(model, start, { steps: 2, names }), ...listFields(model, start, names)]
  return [...all.filter(({ isWay }) => !isWay), ...all.filter(({ isWay }) => isWay)]
}

export const ownFields = (collection: Collection): readonly FilterField[] =>
  columnsOf(collection).map((each) => toFilterField([each.field], each))

type Below = { readonly steps: number; readonly names: Names; readonly except?: string }

function fieldsBelow(model: Model, collection: Collection, { steps, names, except }: Below): readonly FilterField[] {
  const columns = columnsOf(collection).filter(({ field }) => field !== except)
  const own = columns.map((each) => toFilterField([...names, each.field], each))
  const related = columns.flatMap(({ field }) =>
    targetsOf(model, collection, field).flatMap(([step, other]) => {
      const at = [...names, step]
      if (steps === 0) return [toWay(at)]
      // Records of the platform have many fields, which lead to each other.
      const below = fieldsBelow(model, other, { steps: other.isSystem ? 0 : steps - 1, names: at })
      return [...below, ...listsOf(model, other).flatMap((list) => quantifiers.map((how) => toWay([...at, list, how])))]
    }),
  )
  return [...own, ...related]
}

/** The items that a column refers to, of one collection or of several, with the name that leads there. */
function targetsOf(model: Model, { name }: Collection, field: string): readonly (readonly [string, Collection])[] {
  const other = toOneOf(model, name, field)
  if (other !== null) return [[field, other]]
  return anyOf(model, name, field).map((each) => [`${field}:${each.name}`, each] as const)
}

/** Of related items that a field lists, and of what the rows of a junction lead to. */
const listFields = (model: Model, collection: Collection, names: Names): readonly FilterField[] =>
  listsOf(model, collection).flatMap((field) => {
    const relation = toManyOf(model, collection.name, field)
    if (relation === null) return []
    const { many, manyField: except } = relation
    return quantifiers.flatMap((how) => [
      ...fieldsBelow(model, many, { steps: 1, names: [...names, field, how], except }),
      ...listsOf(model, many).flatMap((list) => quantifiers.map((next) => toWay([...names, field, how, list, next]))),
    ])
  })

const listsOf = (model: Model, { name, fields }: Collection): Names =>
  fields.flatMap(({ field, schema }) => (schema === null && toManyOf(model, name, field) !== null ? [field] : []))

const toFilterField = (names: Names, field: Field): FilterField => ({
  path: toPath(names),
  type: field.type,
  choices: choicesOf(field),
})

const toWay = (names: Names): FilterField => ({ path: toPath(names), type: '', choices: [], isWay: true })

const columnsOf = ({ fields }: Collection) => fields.filter(({ schema }) => schema !== null)
