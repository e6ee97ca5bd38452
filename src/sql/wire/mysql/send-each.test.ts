import { expect, test } from 'vitest'
import { type EachRow, type Rendered, renderAll } from './render.ts'
import { sendEach } from './send-each.ts'

const text = `insert into t (a, j, owner) values each $1 by 'id' ($1."a", cast($1->"j" as json), $2)`

const [rendered] = renderAll(text)
const isEach = (each: Rendered | undefined): each is Rendered & { readonly each: EachRow } => each?.each !== undefined

/** A server that numbers rows from 10 on, by steps of 2. */
async function sent(rows: readonly object[]) {
  const asked: (readonly [sql: string, parameters: readonly unknown[]])[] = []
  let next = 10
  const ask = async (_connection: unknown, sql: string, parameters: readonly unknown[]) => {
    if (sql === 'select @@auto_increment_increment') return { rows: [['2']], fields: [], count: 1 }
    asked.push([sql, parameters])
    const number = String(next)
    next += 2 * (sql.split('(?,').length - 1)
    return { rows: [], fields: [], count: 1, number }
  }
  if (!isEach(rendered)) throw new Error('Expected a row for each element')
  const { rows: numbers } = await sendEach({ connection: {} as never, ask }, rendered, [JSON.stringify(rows), 'me'])
  return { asked, numbers: numbers.map(([number]) => number) }
}

test('a row is one statement, whose fields are texts or JSON', async () => {
  const { asked, numbers } = await sent([{ a: true, j: { b: [1] } }])
  expect(asked).toEqual([['insert into t (a, j, owner) values (?, cast(? as json), ?)', ['true', '{"b":[1]}', 'me']]])
  expect(numbers).toEqual(['10'])
})

test('rows of a list are numbered one after another', async () => {
  const { asked, numbers } = await sent(Array.from({ length: 12 }, (_, at) => ({ a: `a${at}`, j: null })))
  expect(asked.map(([, parameters]) => parameters.length / 3)).toEqual([10, 1, 1])
  expect(numbers).toEqual(['10', '12', '14', '16', '18', '20', '22', '24', '26', '28', '30', '32'])
})

test('a row with a number of its own is written alone and keeps it', async () => {
  const { asked, numbers } = await sent([{ a: 1 }, { a: 2, id: -7 }, { a: 3, id: null }])
  expect(asked).toHaveLength(3)
  expect(numbers[1]).toBe('-7')
})

test('no digit of a number is lost', async () => {
  const digits = '9007199254740993'
  if (!isEach(rendered)) throw new Error('Expected a row for each element')
  const given: unknown[] = []
  const ask = async (_connection: unknown, _sql: string, parameters: readonly unknown[]) => {
    given.push(...parameters)
    return { rows: [], fields: [], count: 1, number: '1' }
  }
  await sendEach({ connection: {} as never, ask }, rendered, [`[{"a":${digits},"j":${digits}}]`, null])
  expect(given).toEqual([digits, digits, null])
})
