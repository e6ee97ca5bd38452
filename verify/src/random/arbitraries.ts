/** Random queries, values and nonsense. */

import * as fc from 'fast-check'
import { plainFields, sortable, valuesOf } from '../checks/listing.ts'
import { asText } from '../http/text.ts'
import { type OperatorName, operatorsOf } from '../model/operators.ts'
import type { Filter, ListQuery } from '../model/select.ts'
import { compare } from '../model/values.ts'
import type { Trial } from '../run/check.ts'
import { type ArticleField, articleFields } from '../world/fields.ts'
import type { Value } from '../world/rows.ts'

const allFields = plainFields.filter((field) => field !== 'data' && field !== 'secret')

export function listQueries(trial: Trial, fields: readonly ArticleField[] = allFields): fc.Arbitrary<ListQuery> {
  const condition = fc.constantFrom(...fields).chain((field) => conditionOn(trial, field))
  const { filter } = fc.letrec<{ filter: Filter; node: Filter }>((tie) => ({
    // Most conditions stand alone: among others, a wrong one changes no list.
    node: fc.oneof(
      { maxDepth: 3, depthSize: 'small' },
      { arbitrary: condition, weight: 4 },
      {
        arbitrary: fc.array(tie('filter'), { minLength: 1, maxLength: 3 }).map((list) => ({ _and: list })),
        weight: 1,
      },
      { arbitrary: fc.array(tie('filter'), { minLength: 1, maxLength: 3 }).map((list) => ({ _or: list })), weight: 1 },
    ),
    filter: tie('node'),
  }))
  const order = fc
    .constantFrom(...fields.filter((field) => sortable.includes(field)))
    .chain((field) => fc.constantFrom(field, `-${field}`))
  return fc
    .record(
      {
        filter,
        sort: fc.uniqueArray(order, { maxLength: 3, selector: (each) => each.replace('-', '') }),
        limit: fc.oneof(
          { arbitrary: fc.constant(-1), weight: 3 },
          { arbitrary: fc.integer({ min: 0, max: 30 }), weight: 1 },
        ),
        offset: fc.integer({ min: 0, max: 12 }),
        page: fc.integer({ min: 1, max: 5 }),
      },
      { requiredKeys: ['filter'] },
    )
    .map(possible)
}

/** A page has no meaning without a limit, and an empty order is none. */
function possible({ page, sort, limit = -1, ...rest }: ListQuery): ListQuery {
  const isPaged = page !== undefined && limit > 0
  return { ...rest, limit, ...(isPaged ? { page } : {}), ...(sort === undefined || sort.length === 0 ? {} : { sort }) }
}

function conditionOn(trial: Trial, field: ArticleField): fc.Arbitrary<Filter> {
  const kind = articleFields[field]
  const existing = fc.constantFrom(...valuesOf(trial, field).filter((value) => value !== ''))
  return fc.constantFrom<OperatorName>(...operatorsOf[kind]).chain((operator) => {
    const operand: fc.Arbitrary<unknown> = /null|empty/.test(operator)
      ? fc.boolean()
      : operator.endsWith('between')
        ? fc.tuple(existing, existing).map((pair) => pair.toSorted((a, b) => compare(kind, a, b)))
        : /_n?in$/.test(operator)
          ? fc.array(existing, { minLength: 1, maxLength: 4 })
          : /with$|contains$/.test(operator)
            ? existing.chain(partOf)
            : existing
    return operand.map((value) => ({ [field]: { [operator]: value } }))
  })
}

/** A part of a text that is not empty. Lower and upper case only of ASCII letters, which every database folds alike. */
const partOf = (value: Exclude<Value, null>): fc.Arbitrary<string> => {
  const text = asText(value).replace(/[^\x20-\x7e]/g, '')
  return fc
    .tuple(fc.nat(Math.max(0, text.length - 1)), fc.integer({ min: 1, max: 4 }), fc.boolean())
    .map(([from, length, upper]) => {
      const part = text.slice(from, from + length).trim() || text.trim()
      return upper ? part.toUpperCase() : part
    })
}

/** Without the code points that text of databases cannot hold. */
const storable = (text: string): string => text.replaceAll('\0', '').toWellFormed()

/** Values of drafts that every database stores unchanged. */
export const draftValues = fc.record(
  {
    label: fc.option(fc.string({ unit: 'binary', maxLength: 40 }).map(storable)),
    views: fc.option(fc.integer({ min: -2_147_483_648, max: 2_147_483_647 })),
    level: fc.option(fc.integer({ min: -1000, max: 1000 })),
    live: fc.option(fc.boolean()),
    rating: fc.option(fc.integer({ min: -1_000_000, max: 1_000_000 }).map((value) => value / 8)),
    day: fc.option(
      fc
        .date({ min: new Date('1000-01-01'), max: new Date('9000-12-31'), noInvalidDate: true })
        .map((date) => date.toISOString().slice(0, 10)),
    ),
    uid: fc.option(fc.uuid()),
    data: fc.option(
      fc.dictionary(
        fc.stringMatching(/^[a-z]{1,8}$/),
        fc.oneof(fc.integer(), fc.boolean(), fc.string({ maxLength: 8 }).map(storable), fc.constant(null)),
        { maxKeys: 4, noNullPrototype: true },
      ),
    ),
  },
  { requiredKeys: [] },
)

const nonsense = fc.oneof(
  fc.string({ maxLength: 12 }),
  fc.integer(),
  fc.double(),
  fc.constantFrom(
    '-1',
    '1e999',
    'NaN',
    'null',
    '[]',
    '{}',
    '[[',
    '{"a":',
    "'",
    '";--',
    '%00',
    '\u0000',
    '../..',
    '*.*.*',
    'a.b.c.d',
    '_and',
    '__proto__',
    'constructor',
  ),
)

/** Parameters of lists with values that are mostly impossible. */
export const invalidQueries = fc.record(
  {
    filter: fc.oneof(
      nonsense,
      fc.json({ maxDepth: 3 }),
      fc.dictionary(
        fc.constantFrom('_and', '_or', 'id', 'views', 'label', 'author', 'x'),
        fc.jsonValue({ maxDepth: 2 }),
      ),
    ),
    sort: nonsense,
    fields: nonsense,
    limit: nonsense,
    offset: nonsense,
    page: nonsense,
    search: nonsense,
    deep: fc.oneof(nonsense, fc.json({ maxDepth: 3 })),
    alias: fc.oneof(nonsense, fc.json({ maxDepth: 2 })),
    aggregate: fc.oneof(nonsense, fc.json({ maxDepth: 2 })),
    groupBy: nonsense,
    meta: nonsense,
  },
  { requiredKeys: [] },
)

export const junk = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.dictionary(
    fc.constantFrom('title', 'views', 'live', 'notes', 'author', 'keys', 'data', 'query', '__proto__'),
    fc.jsonValue({ maxDepth: 2 }),
  ),
)
