import { expect, test } from 'vitest'
import type { CurrentItemsOperations } from '../../generated/current.ts'
import type { LegacyItemsOperations } from '../../generated/legacy.ts'
import { empty, json, jsonText } from '../reply/reply.ts'
import type { Handlers } from './handlers.ts'

type Two = Pick<CurrentItemsOperations, 'readItems'> & {
  ping: { input: object; output: { status: 204; content: null } }
}

const readItems: Handlers<Two>['readItems'] = async (_ctx, input) =>
  jsonText(`{"data":[],"x":"${input.path.collection}"}`)
const ping: Handlers<Two>['ping'] = async () => empty()

test('a complete set of handlers compiles and its inputs are typed', async () => {
  const handlers = {
    async readItems(_ctx, input) {
      const limit: number | undefined = input.query.limit
      const fields: string | string[] | undefined = input.query.fields
      const keys: readonly (string | number)[] | undefined = input.keys
      return json({ data: [{ limit, fields, keys, collection: input.path.collection, id: input.request.id }] })
    },
    ping,
  } satisfies Handlers<Two>
  expect(Object.keys(handlers)).toEqual(['readItems', 'ping'])
})

test('a missing handler does not compile', () => {
  // @ts-expect-error ping is missing
  const handlers = { readItems } satisfies Handlers<Two>
  expect(handlers).toEqual({ readItems })
})

test('an extra handler does not compile', () => {
  // @ts-expect-error readNothing is no operation
  const handlers = { readItems, ping, readNothing: ping } satisfies Handlers<Two>
  expect(Object.keys(handlers)).toHaveLength(3)
})

test('an answer that the operation does not have does not compile', () => {
  // @ts-expect-error readItems never answers 204
  const noContent = { readItems: async () => empty(), ping } satisfies Handlers<Two>
  // @ts-expect-error data is missing
  const noData = { readItems: async () => json({ items: [] }), ping } satisfies Handlers<Two>
  expect([noContent, noData]).toHaveLength(2)
})

test('a parameter that only the other generation has does not compile', () => {
  const handlers = {
    async readItems(_ctx, input) {
      // @ts-expect-error the legacy generation has no alias
      const alias = input.query.alias
      return json({ data: [{ alias, project: input.path.project }] })
    },
  } satisfies Pick<Handlers<LegacyItemsOperations>, 'readItems'>
  expect(Object.keys(handlers)).toEqual(['readItems'])
})
