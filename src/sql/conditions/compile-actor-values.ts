/** Conditions that the actor has the values that a filter of a rule names, such as `$CURRENT_USER.team`. */
import { type Comparison, type Filter, isDynamic, type Value } from '../../domain/query/filter.ts'
import type { Collection } from '../../domain/schema/schema.ts'
import type { ColumnType } from '../dialects/dialect.ts'
import { currentRole, currentUser, listOfActor } from './bind-values.ts'
import { type Build, bind, collectionOf, columnType, fieldOf, integerType, type Moment, textType } from './build.ts'
import { actorRows, isActorPath } from './compile-actor.ts'

/** Conditions for each comparison: one for its values without a path, and one for each path. */
export function actorHasValues(build: Build, collection: Collection, filter: Filter): readonly string[] {
  switch (filter.kind) {
    case 'all':
    case 'none':
      return []
    case 'and':
    case 'or':
      return filter.filters.flatMap((each) => actorHasValues(build, collection, each))
    case 'not':
      return actorHasValues(build, collection, filter.filter)
    case 'related':
      return actorHasValues(build, collectionOf(build.schema, filter.collection), filter.filter)
    case 'compare':
      return hasValues(build, collection, filter)
    default:
      return filter satisfies never
  }
}

function hasValues(build: Build, collection: Collection, comparison: Comparison): readonly string[] {
  const isSet = bind(build, comparison, ({ values }, moment) => values.every((value) => hasPlainValue(value, moment)))
  const paths = comparison.values.filter((value) => isDynamic(value)).filter(isActorPath)
  return [
    build.dialect.cast(isSet, { type: 'boolean', dataType: 'boolean' }),
    ...paths.map((path) => {
      const rows = actorRows(build, path, typeOf(collection, comparison))
      return `exists (select 1 from (${rows}) a where a.v is not null)`
    }),
  ]
}

function typeOf(collection: Collection, { operand }: Comparison): ColumnType {
  if (operand.kind === 'function') return operand.function === 'json' ? textType : integerType
  const field = fieldOf(collection, operand.field)
  return field.column === null ? textType : columnType(field)
}

/** Whether a value without a path is there; a list without elements is not. */
function hasPlainValue(value: Value, moment: Moment): boolean {
  if (!isDynamic(value)) return true
  switch (value.kind) {
    case 'current-user':
      return isActorPath(value) || currentUser(moment) !== null
    case 'current-role':
      return isActorPath(value) || currentRole(moment) !== null
    case 'current-roles':
    case 'current-policies':
      return listOfActor(value, moment) !== null
    default:
      return true
  }
}
