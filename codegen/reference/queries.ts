import { operatorSpellings as currentSpellings } from '../../src/domain/conditions/filter-values.ts'
import { type AggregateName, aggregates, type FunctionName, functions } from '../../src/domain/query/functions.ts'
import { type OperatorName, operators, typeGroups } from '../../src/domain/query/operators.ts'
import { operatorSpellings as legacySpellings } from '../../src/legacy/wire/operators.ts'
import { code, head, table } from './table.ts'

const meanings = {
  eq: 'Is the value.',
  neq: 'Is another value.',
  lt: 'Is less than the value.',
  lte: 'Is at most the value.',
  gt: 'Is greater than the value.',
  gte: 'Is at least the value.',
  in: 'Is one of the values.',
  nin: 'Is none of the values.',
  null: 'Is null.',
  nnull: 'Is not null.',
  empty: 'Is null or the empty text.',
  nempty: 'Is neither null nor the empty text.',
  contains: 'Contains the text, by case.',
  ncontains: 'Does not contain the text, by case.',
  icontains: 'Contains the text, in any case.',
  nicontains: 'Does not contain the text, in any case.',
  startsWith: 'Begins with the text, by case.',
  nstartsWith: 'Does not begin with the text, by case.',
  istartsWith: 'Begins with the text, in any case.',
  nistartsWith: 'Does not begin with the text, in any case.',
  endsWith: 'Ends with the text, by case.',
  nendsWith: 'Does not end with the text, by case.',
  iendsWith: 'Ends with the text, in any case.',
  niendsWith: 'Does not end with the text, in any case.',
  like: 'Matches a pattern with `%` and `_`, in any case.',
  nlike: 'Does not match a pattern with `%` and `_`, in any case.',
  between: 'Is between two values, or one of them.',
  nbetween: 'Is not between two values.',
  intersects: 'Has a point in common with the geometry.',
  nintersects: 'Has no point in common with the geometry.',
  intersectsBox: 'Has a point in common with the bounding box of the geometry.',
  nintersectsBox: 'Has no point in common with the bounding box of the geometry.',
  regex: 'Matches a regular expression. In validations only.',
  submitted: 'Is in the payload. In validations only.',
} as const satisfies { readonly [Name in OperatorName]: string }

const operatorsAbout = `A filter names a field, an operator and a value. The current generation writes \`filter[title][_contains]=two\`, \`{"title": {"_contains": "two"}}\` as JSON text, and the same in GraphQL; version 8 writes \`filter[title][contains]=two\`. Conditions are joined by \`_and\` and \`_or\`, in version 8 by \`filter[title][logical]=or\`. A dash means that the generation does not have the operator. Null matches \`_null\` and \`_empty\` only; in validations it matches the negative operators, too. Version 8 also compares texts in their order, and booleans as the numbers 0 and 1.`

const spelled = (spellings: Iterable<readonly [string, string]>, name: string): string => {
  const words = [...spellings].filter(([, core]) => core === name).map(([word]) => code(word))
  return words.length === 0 ? '–' : words.join(' ')
}

const arities = { none: 'true', one: 'one', pair: 'two', list: 'a list' } as const

export const operatorsPage = (): string =>
  [
    head('Filter operators', operatorsAbout),
    table(
      ['current', 'version 8', 'meaning', 'values', 'types of fields'],
      Object.entries(operators).map(([name, { arity, groups }]) => [
        spelled(currentSpellings, name),
        spelled(Object.entries(legacySpellings), name),
        meanings[name as OperatorName],
        arities[arity],
        groups.length > 8 ? 'all' : groups.join(', '),
      ]),
    ),
    '',
    `${groupsOfTypes()}. \`open\` is also what has a type of the database that is none here. A concealed field takes the operators of \`hidden\` only. Version 8 compares more: texts by \`lt\` to \`nbetween\`, in the order of the database, and the text of numbers and moments by \`contains\` and \`rlike\`.`,
    '',
    'Related rows: `{"articles": {"_some": {…}}}` and `_none` in the current generation, `has`, `nhas` and `all` in version 8.',
    '',
  ].join('\n')

/** What the groups in the table stand for: a type of fields each, or several. */
const groupsOfTypes = (): string =>
  [...Map.groupBy(Object.entries(typeGroups), ([, group]) => group)]
    .map(([group, types]) => [group, types.map(([type]) => type).filter((type) => type !== 'unknown')] as const)
    .filter(([group, types]) => types.length > 1 || types[0] !== group)
    .map(([group, types]) => `\`${group}\`: ${types.join(', ')}`)
    .join('; ')

const functionMeanings = {
  year: 'The year.',
  month: 'The month, 1 to 12.',
  week: 'The week by ISO 8601.',
  day: 'The day of the month.',
  weekday: 'The day of the week; Sunday is 0.',
  hour: 'The hour.',
  minute: 'The minute.',
  second: 'The second.',
  count: 'The number of related items, or of elements of a JSON list.',
  json: 'The value at a path: `json(facts, a.b[0])`. Not for grouping.',
} as const satisfies { readonly [Name in FunctionName]: string }

const aggregateMeanings = {
  count: 'The number of rows, or of values that are not null.',
  countDistinct: 'The number of different values.',
  countAll: 'The number of rows.',
  sum: 'The sum.',
  sumDistinct: 'The sum of different values.',
  avg: 'The average.',
  avgDistinct: 'The average of different values.',
  min: 'The least value.',
  max: 'The greatest value.',
} as const satisfies { readonly [Name in AggregateName]: string }

const functionsAbout = `Functions of the current generation, in \`fields\`, \`filter\`, \`sort\` and \`groupBy\`: \`year(published)\`; in GraphQL \`published_func { year }\`. Aggregates: \`aggregate[count]=*\`, with \`groupBy\`.`

export const functionsPage = (): string =>
  [
    head('Functions and aggregates', functionsAbout),
    table(
      ['function', 'meaning', 'types of fields'],
      Object.entries(functions).map(([name, types]) => [
        code(name),
        functionMeanings[name as FunctionName],
        types.join(', '),
      ]),
    ),
    '',
    '## Aggregates',
    '',
    table(
      ['aggregate', 'meaning', 'of'],
      Object.entries(aggregates).map(([name, { star, numeric }]) => [
        code(name),
        aggregateMeanings[name as AggregateName],
        [star ? '`*`' : '', numeric ? 'numbers' : 'fields'].filter((each) => each !== '').join(', '),
      ]),
    ),
    '',
  ].join('\n')
