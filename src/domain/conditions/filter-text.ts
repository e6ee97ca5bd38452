/** Conditions as text for people, with operators and dynamic values as they are written in permissions. */
import {
  type Comparison,
  type DynamicValue,
  type Filter,
  isDynamic,
  type Operand,
  type Value,
} from '../query/filter.ts'
import { operatorSpellings } from './filter-values.ts'

/** One line. Conditions joined by `or` are in parentheses wherever something stands beside them. */
export function filterText(filter: Filter): string {
  switch (filter.kind) {
    case 'all':
      return 'every item'
    case 'none':
      return 'no item'
    case 'and':
      return filter.filters.map(partText).join(' and ')
    case 'or':
      return filter.filters.map(partText).join(' or ')
    case 'not':
      return `not (${filterText(filter.filter)})`
    case 'compare':
      return comparisonText(filter)
    case 'related':
      return `${filter.quantifier} ${filter.field} has (${filterText(filter.filter)})`
    default:
      return filter satisfies never
  }
}

const partText = (filter: Filter): string =>
  filter.kind === 'or' || filter.kind === 'and' ? `(${filterText(filter)})` : filterText(filter)

function comparisonText(filter: Comparison): string {
  const { operand, operator, values } = filter
  const list = values.map(valueText)
  const value = list.length === 1 && operator !== 'in' && operator !== 'nin' ? list[0] : `[${list.join(', ')}]`
  return `${operandText(operand)} ${operatorText(filter)}${values.length === 0 ? '' : ` ${value}`}`
}

const spellings = new Map([...operatorSpellings].map(([spelling, operator]) => [operator, spelling]))

/** `_starts_with`; the name of an operator that permissions have no word for. */
export const operatorText = ({ operator }: Comparison): string => spellings.get(operator) ?? `_${operator}`

/** `status`, `year(published)`, `json(settings, theme.color)` */
export function operandText(operand: Operand): string {
  if (operand.kind === 'field') return operand.field
  const path = operand.jsonPath === undefined ? '' : `, ${operand.jsonPath.join('.')}`
  return `${operand.function}(${operand.field}${path})`
}

const valueText = (value: Value): string => (isDynamic(value) ? dynamicText(value) : JSON.stringify(value))

/** The literal, or the text of the variable. */
export const valueJson = (value: Value): unknown => (isDynamic(value) ? dynamicText(value) : value)

function dynamicText(value: DynamicValue): string {
  switch (value.kind) {
    case 'now':
      if (value.months !== 0) return `$NOW(${value.months} months)`
      return value.milliseconds === 0 ? '$NOW' : `$NOW(${value.milliseconds / 1000} seconds)`
    case 'current-user':
      return ['$CURRENT_USER', ...value.path].join('.')
    case 'current-role':
      return ['$CURRENT_ROLE', ...value.path].join('.')
    case 'current-roles':
      return '$CURRENT_ROLES'
    case 'current-policies':
      return '$CURRENT_POLICIES'
    case 'numbered':
      return `number ${value.number} of ${value.collection}`
    case 'reached':
      return `what the shared item of ${value.collection} leads to`
    default:
      return value satisfies never
  }
}
