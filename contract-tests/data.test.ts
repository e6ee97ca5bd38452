/** What is answered is compared with what was asked: lists with their filters, orders and pages, items with what was written. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { evaluate } from '../src/domain/conditions/evaluate.ts'
import { compare, type Filter, type Literal, type Value } from '../src/domain/query/filter.ts'
import type { OperatorName } from '../src/domain/query/operators.ts'
import { accepted, bodyOf, type Draft, good, isObject, toCase } from '../verify/src/cases/case.ts'
import { sendCase } from '../verify/src/cases/send.ts'
import type { Answer } from '../verify/src/http/exchange.ts'
import type { Operation } from '../verify/src/spec/operations.ts'
import { fillTokens } from './live-tokens.ts'
import { type Resource, resourcesOf } from './resources.ts'
import { specs } from './spec.ts'
import { collectionOf, dayOf, isComparable, isMoment, isOrdered, type Row, scalarFields } from './told.ts'
import { openWorld, type UserKind } from './world.ts'

const resources = specs.flatMap(resourcesOf)
const world = await openWorld()
afterAll(() => world.close())

const send = async (operation: Operation, part: Partial<Draft> = {}, as: UserKind = 'admin'): Promise<Answer> => {
  const each = toCase(operation, { ...good(operation), ...part }, { ...accepted, rule: 'data' })
  return sendCase(await fillTokens(world, each), { url: world.url, token: world.tokens[as] })
}

const dataOf = async <T>(operation: Operation, part: Partial<Draft> = {}, as: UserKind = 'admin'): Promise<T> => {
  const { status, text, json } = await send(operation, part, as)
  expect(status, `${operation.id} ${JSON.stringify(part)}: ${text.slice(0, 300)}`).toBe(200)
  return (json as { readonly data: T }).data
}

type Parameters = { readonly [name: string]: string }
/** The stored rows: a list of permissions ends with the built-in ones, which have no key. */
const rowsOf = async ({ list }: Resource, parameters: Parameters = {}): Promise<readonly Row[]> => {
  const rows = await dataOf<readonly Row[]>(list, { query: Object.entries({ limit: '-1', sort: 'id', ...parameters }) })
  return rows.filter(({ system }) => system !== true)
}

/** Lists that show all rows whatever the limit is. */
const unlimited: ReadonlySet<string> = new Set(['current readPermissions'])

/** Fields of the legacy generation that show the number of a row whose order is that of its uuid. */
const numbers: ReadonlySet<string> = new Set(['role', 'user', 'folder', 'parent_folder', 'uploaded_by', 'action_by'])

/** Fields of legacy revisions that show parts of another row; conditions use its number. */
const ofParents: ReadonlySet<string> = new Set(['parent_collection', 'parent_item', 'parent_changed'])

/** No value of these conditions depends on the caller or the time. */
const asLiteral = (value: Value): Literal => (typeof value === 'object' ? null : value)

const nameOf = ({ generation, list }: Resource): string => `${generation} ${list.id}`
const takes = ({ list }: Resource, parameter: string): boolean => list.parameters.some(({ name }) => name === parameter)

const condition = ({ generation }: Resource, field: string, operator: string, value: unknown): Parameters =>
  generation === 'current'
    ? { filter: JSON.stringify({ [field]: { [`_${operator}`]: value } }) }
    : { [`filter[${field}][${operator}]`]: Array.isArray(value) ? value.join(',') : String(value) }

const comparableFields = (rows: readonly Row[], { generation }: Resource): readonly string[] =>
  scalarFields(rows).filter((name) => isComparable(rows, name) && !(generation === 'legacy' && numbers.has(name)))

/** Operators to ask a field for, with values that divide the rows. */
function questionsOf(
  resource: Resource,
  rows: readonly Row[],
  field: string,
): readonly (readonly [OperatorName, unknown])[] {
  const value = rows.map((row) => row[field]).find((each) => each !== null)
  if (value === undefined) return [['null', true]]
  // Moments are shown without the fractions that they are compared with, so a day divides them.
  const bound = dayOf(value) ?? value
  const order = comparableFields(rows, resource).includes(field) && !fewOperators.has(resource.list.id)
  const isText = typeof value === 'string' && !isMoment(value) && /^[A-Za-z]\w{3,}/.test(value)
  return [
    ['null', true],
    ['nnull', true],
    ...(isMoment(value)
      ? []
      : ([
          ['eq', value],
          ['neq', value],
        ] as const)),
    ...(isMoment(value) || typeof value === 'boolean'
      ? []
      : ([
          ['in', [value]],
          ['nin', [value]],
        ] as const)),
    ...(order
      ? ([
          ['gt', bound],
          ['gte', bound],
          ['lt', bound],
          ['lte', bound],
        ] as const)
      : []),
    ...(isText ? ([['contains', value.slice(1, 4)]] as const) : []),
  ]
}

/** Each field gets a third of the questions, and neighbours get others: operators are tested by type elsewhere. */
const inTurn = <T>(questions: readonly T[], index: number): readonly T[] =>
  questions.filter((_, at) => at % 3 === index % 3)

/** Lists whose rows are no rows of the database, so that they know fewer operators. */
const fewOperators: ReadonlySet<string> = new Set(['readSettings'])

const idsOf = (rows: readonly Row[]): readonly unknown[] => rows.map(({ id }) => id)

describe.each(resources)('$generation $list.id', (resource) => {
  let all: readonly Row[] = []
  beforeAll(async () => {
    await world.reset()
    all = await rowsOf(resource)
  })

  test('has rows, each once and in order', () => {
    expect(all.length).toBeGreaterThan(0)
    expect(new Set(idsOf(all)).size).toBe(all.length)
    expect(isOrdered(idsOf(all))).toBe(true)
  })

  test('is read item by item with the same values', async () => {
    for (const row of all.slice(0, 5)) {
      expect(await dataOf(resource.read, { path: pathOf(resource.read, row.id) })).toEqual(row)
    }
  })

  if (!unlimited.has(nameOf(resource)))
    test('pages add up to the whole, whatever their size', async () => {
      for (const limit of [1, 2, 3]) {
        const pages: Row[] = []
        for (let offset = 0; offset < all.length + limit; offset += limit) {
          const page = await rowsOf(resource, { limit: String(limit), offset: String(offset) })
          expect(page.length).toBe(Math.max(0, Math.min(limit, all.length - offset)))
          pages.push(...page)
        }
        expect(pages).toEqual(all)
        const second = await rowsOf(resource, { limit: String(limit), page: '2' })
        expect(second).toEqual(all.slice(limit, 2 * limit))
      }
    })

  test('is sorted by what it is asked to be sorted by, both ways', async () => {
    expect(idsOf(await rowsOf(resource, { sort: '-id' }))).toEqual(idsOf(all).toReversed())
    for (const field of comparableFields(all, resource)) {
      const up = await rowsOf(resource, { sort: `${field},id` })
      const down = await rowsOf(resource, { sort: `-${field},id` })
      for (const [rows, turn] of [
        [up, 1],
        [down, -1],
      ] as const) {
        expect(new Set(idsOf(rows)), field).toEqual(new Set(idsOf(all)))
        const values = rows.map((row) => row[field]).filter((value) => value !== null)
        expect(isOrdered(turn === 1 ? values : values.toReversed()), `${field} ${JSON.stringify(values)}`).toBe(true)
      }
    }
  })

  test('has the fields that are asked for and no others', async () => {
    const names = Object.keys(all[0] ?? {})
    for (const fields of [['id'], ...names.map((name) => ['id', name])]) {
      const rows = await rowsOf(resource, { fields: fields.join(',') })
      const expected = all.map((row) => Object.fromEntries(fields.map((name) => [name, row[name]])))
      expect(rows, fields.join(',')).toEqual(expected)
    }
  })

  if (takes(resource, 'filter'))
    test('has the rows that satisfy the filter and no others', async () => {
      const place = { collection: collectionOf(all), resolve: asLiteral }
      for (const [index, field] of scalarFields(all).entries()) {
        if (ofParents.has(field)) continue
        for (const [operator, asked] of inTurn(questionsOf(resource, all, field), index)) {
          const values = (operator.endsWith('null') ? [] : [asked].flat()) as readonly Value[]
          const filter: Filter = compare(field, operator, values)
          // No comparison finds a row without a value; in rules, negative ones let it pass.
          const rows = ['neq', 'nin'].includes(operator) ? all.filter((row) => row[field] !== null) : all
          const expected = rows.filter((row) => evaluate(filter, new Map(Object.entries(row)), place).length === 0)
          const found = await rowsOf(resource, condition(resource, field, operator, asked))
          expect(found, `${field} ${operator} ${JSON.stringify(asked)}`).toEqual(expected)
        }
      }
    })

  test('shows an actor with fewer rights nothing that an administrator does not see', async () => {
    const { status, json } = await send(
      resource.list,
      {
        query: [
          ['limit', '-1'],
          ['sort', 'id'],
        ],
      },
      'editor',
    )
    if (status !== 200) return expect(status).toBe(403)
    const byId = new Map(all.map((row) => [row.id, row]))
    const { data } = json as { readonly data: readonly Row[] }
    for (const row of data.filter(({ system }) => system !== true)) expect(byId.get(row.id)).toMatchObject(row)
  })
})

const pathOf = (operation: Operation, id: unknown): Draft['path'] => {
  const name = /\{(\w+)\}$/.exec(operation.path)?.[1] ?? ''
  return { ...good(operation).path, [name]: id }
}

/** A signing secret is shown by the creation alone. */
const masked = ({ secret, ...row }: Row): object =>
  typeof secret === 'string' && secret.startsWith('whsec_') ? { ...row, secret: '**********' } : { ...row, secret }

describe.each(resources.filter(({ create }) => create !== null))('$generation $create.id', (resource) => {
  beforeEach(() => world.reset())
  const create = resource.create as Operation
  const { update, remove } = resource
  const examples = (create.body?.examples ?? []).flatMap(({ name, value }) =>
    isObject(value) && !Array.isArray(value) ? [{ name, value: value as Row }] : [],
  )

  test.each(examples)('$name: what was created is read back, with the values that were sent', async ({ value }) => {
    const before = await rowsOf(resource)
    const created = await dataOf<Row>(create, bodyOf(create, value))
    const after = await rowsOf(resource)
    expect(idsOf(after).filter((id) => !idsOf(before).includes(id))).toEqual([created.id])
    const found = await dataOf(resource.read, { path: pathOf(resource.read, created.id) })
    expect(found).toEqual(masked(created))
    expect(told(created, value)).toEqual(told(value, created))
    expect(after.filter(({ id }) => id !== created.id)).toEqual(before)
  })

  if (update !== null)
    test('an update changes what was sent and nothing else', async () => {
      const { path } = good(update)
      const before = await dataOf<Row>(resource.read, { path })
      const others = (await rowsOf(resource)).filter(({ id }) => id !== before.id)
      const sent = good(update).body as Row
      const [answered] = [await dataOf<Row | readonly Row[]>(update)].flat()
      const after = await dataOf<Row>(resource.read, { path })
      expect(after).toEqual(answered)
      expect(told(after, sent)).toEqual(told(sent, after))
      const kept = Object.keys(before).filter((name) => !(name in sent) && !isStamp(name) && !chosen.has(name))
      expect(pick(after, kept)).toEqual(pick(before, kept))
      expect((await rowsOf(resource)).filter(({ id }) => id !== before.id)).toEqual(others)
    })

  if (remove !== null)
    test('a deletion removes the item and no other', async () => {
      const before = await rowsOf(resource)
      const { id } = await dataOf<Row>(resource.read, { path: good(remove).path })
      expect((await send(remove)).status).toBe(204)
      expect([403, 404]).toContain((await send(resource.read, { path: good(remove).path })).status)
      expect(idsOf(await rowsOf(resource))).toEqual(idsOf(before).filter((each) => each !== id))
    })
})

const pick = (row: Row, names: readonly string[]): Row => Object.fromEntries(names.map((name) => [name, row[name]]))

/** Who changed it last, and when, is written by the server. */
const isStamp = (name: string): boolean => /^(date|user|modified)_?(updated|on|by)?$/.test(name)

/** Chosen by the server, or made of other fields, whatever the client sends. */
const chosen: ReadonlySet<string> = new Set(['filename_disk', 'data'])

const isShown = (value: unknown): boolean => !isObject(value) && !/^\*+$/.test(String(value))

/** The values that both rows have, without secrets, which are not shown, and nested objects, which are shown as keys. */
const told = (row: Row, other: Row): Row => {
  const names = Object.keys(row).filter((name) => name in other && !chosen.has(name))
  return pick(row, names.filter((name) => isShown(row[name]) && isShown(other[name])).toSorted())
}
