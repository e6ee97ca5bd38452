import { expectTypeOf, test } from 'vitest'
import type { Client } from '../client.ts'
import type { Items } from '../current-items.ts'
import { createGraphql } from '../graphql.ts'
import type { LegacyItems } from '../legacy-items.ts'
import type { BigInteger, Decimal, Float } from './schema.ts'

type Product = { id: number; title: string; price: Decimal | null; views: BigInteger; parts: number[] | Product[] }
type Schema = { products: Product[] }

/** Calls are compiled and never made. */
const compiled = (_call: () => unknown): void => {}
declare const current: Items<Schema, Product>
declare const legacy: LegacyItems<Schema, Product>

test('decimals are compared, summed and written as text or as numbers', () => {
  compiled(() => current.read({ filter: { price: { _gt: '10' }, views: { _between: ['1', 5] } } }))
  compiled(() => current.read({ filter: { price: { _in: [1.5, '2'] } } }))
  compiled(() => current.read({ filter: { price: 12.5 } }))
  compiled(() => current.aggregate({ aggregate: { sum: ['price', 'views'], max: ['price'] } }))
  compiled(() => current.create({ title: 'A', price: 12.5, views: '9007199254740993' }))
  compiled(() => current.update(1, { price: '12.50', parts: [{ price: 1 }] }))
  compiled(() => legacy.read({ filter: { price: { gt: 10 } } }))
  compiled(() => legacy.create({ title: 'A', price: 12.5 }))
})

test('other texts are no numbers, and other values no decimals', () => {
  // @ts-expect-error a text has no order
  compiled(() => current.read({ filter: { title: { _gt: '10' } } }))
  // @ts-expect-error a text has no sum
  compiled(() => current.aggregate({ aggregate: { sum: ['title'] } }))
  // @ts-expect-error a number is no title
  compiled(() => current.create({ title: 12.5 }))
  // @ts-expect-error a boolean is no price
  compiled(() => current.create({ price: true }))
  // @ts-expect-error decimals are not searched
  compiled(() => current.read({ filter: { price: { _contains: '1' } } }))
})

const read = () => current.readOne(1, { fields: ['price', 'views'] })
const legacyRead = () => legacy.readOne(1, { fields: ['price', 'views', { parts: ['price'] }] })

test('the current generation answers with text, the legacy one with numbers', () => {
  type Read = Awaited<ReturnType<typeof read>>
  expectTypeOf<Read['price']>().toEqualTypeOf<Decimal | null>()
  expectTypeOf<Read['price'] & string>().toExtend<string>()
  type LegacyRead = Awaited<ReturnType<typeof legacyRead>>
  expectTypeOf<LegacyRead['price']>().toEqualTypeOf<number | null>()
  expectTypeOf<LegacyRead['views']>().toEqualTypeOf<BigInteger>()
  expectTypeOf<LegacyRead['parts'][number]['price']>().toEqualTypeOf<number | null>()
})

test('floating point numbers are numbers, or the text of what JSON has no number for', () => {
  type Place = { id: number; width: Float; height: Float | null }
  const places = {} as Items<{ places: Place[] }, Place>
  compiled(() => places.read({ filter: { width: { _gt: 10 }, height: 1.5 } }))
  compiled(() => places.aggregate({ aggregate: { avg: ['width', 'height'] } }))
  compiled(() => places.create({ width: 1.5, height: 'NaN' }))
  // @ts-expect-error another text is no number
  compiled(() => places.create({ width: '1.5' }))
  const read = () => places.readOne(1, { fields: ['width', 'height'] })
  type Read = Awaited<ReturnType<typeof read>>
  expectTypeOf<Exclude<Read['width'], string>>().toExtend<number>()
  expectTypeOf<Extract<Read['height'], 'Infinity'>>().not.toBeNever()
})

test('one type argument is the result of a GraphQL text', () => {
  const graphql = createGraphql({} as Client)
  type Result = { products: { title: string }[] }
  const ask = () => graphql<Result>('{ products { title } }', { id: 1 })
  expectTypeOf<Awaited<ReturnType<typeof ask>>>().toEqualTypeOf<Result>()
  // @ts-expect-error variables are an object
  compiled(() => graphql<Result>('{ products { title } }', 1))
})

test('a wrong name in nested fields is one error, at the name', () => {
  compiled(() =>
    current.read({
      fields: [
        'id',
        {
          parts: [
            'title',
            // @ts-expect-error no such field; the names around it are right
            'titel',
          ],
        },
      ],
    }),
  )
})
