/** Conditions as text for people, with operators and dynamic values as they are written in permissions. */
import {
  type Comparison,
  type DynamicValue,
  type Filter,
  isDynamic,
  type Operand,
  type Value,
} from '../query/filter.ts'

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

function comparisonText({ operand, operator, values }: Comparison): string {
  const list = values.map(valueText)
  const value = list.length === 1 && operator !== 'in' && operator !== 'nin' ? list[0] : `[${list.join(', ')}]`
  return `${operandText(operand)} _${operator.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}${values.length === 0 ? '' : ` ${value}`}`
}

const operandText = (operand: Operand): string =>
  operand.kind === 'field'
    ? operand.field
    : `${operand.function}(${[operand.field, ...(operand.jsonPath ?? [])].join(', ')})`

const valueText = (value: Value): string => (isDynamic(value) ? dynamicText(value) : JSON.stringify(value))

function dynamicText(value: DynamicValue): string {
  switch (value.kind) {
    case 'now':
      return value.milliseconds === 0 && value.months === 0
        ? '$NOW'
        : `$NOW(${value.months} months, ${value.milliseconds / 1000} seconds)`
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
