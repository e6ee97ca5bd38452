/** Inserts a row for each element of a list, as lists of values, whose numbers follow each other in MySQL. */
import type { Connection } from 'mysql2'
import { parseExactly } from '../../../domain/conditions/exact-numbers.ts'
import type { EachRow, Rendered } from './render.ts'
import { type Answer, toInstantParameter, toParameter } from './values.ts'

type Element = { readonly [name: string]: unknown }

/** Few lengths, so that statements are prepared for each of them. */
const lengths = [100, 10, 1] as const

/** Parameters of one statement. */
const mostParameters = 65_535

type Session = {
  readonly connection: Connection
  readonly ask: (connection: Connection, sql: string, parameters: readonly unknown[]) => Promise<Answer>
}

/** The rows of the answer are the numbers of the rows that were written, or the given ones. */
export async function sendEach(
  { connection, ask }: Session,
  { sql, order, instants, each }: Rendered & { readonly each: EachRow },
  values: readonly unknown[],
): Promise<Answer> {
  const elements = parseExactly(String(values[each.list - 1])) as readonly Element[]
  const parametersOf = (element: Element): readonly unknown[] =>
    order.map((number, at) => {
      const field = each.fields.get(at)
      if (field !== undefined) return (field.isJson ? jsonOf : textOf)(element[field.name])
      return (instants.includes(at) ? toInstantParameter : toParameter)(values[number - 1])
    })
  const rows: [string][] = []
  let step: bigint | null = null
  for (let at = 0; at < elements.length; ) {
    const length = lengthAt(elements, at, { key: each.key, most: mostParameters / Math.max(order.length, 1) })
    const part = elements.slice(at, at + length)
    const text = `${sql} ${part.map(() => each.row).join(', ')}`
    const { number = '0' } = await ask(connection, text, part.flatMap(parametersOf))
    const given = textOf(part[0]?.[each.key])
    if (given === null && length > 1) step ??= await stepOf({ connection, ask })
    for (let index = 0; index < length; index += 1)
      rows.push([given ?? String(BigInt(number) + BigInt(index) * (step ?? 0n))])
    at += length
  }
  return { rows, fields: [], count: rows.length }
}

/** How many elements from there on are written by one statement: one with a number of its own is written alone. */
function lengthAt(elements: readonly Element[], at: number, { key, most }: { key: string; most: number }): number {
  const hasNumber = (element: Element | undefined): boolean => (element?.[key] ?? null) !== null
  const end = elements.findIndex((element, index) => index >= at && hasNumber(element))
  if (end === at) return 1
  const left = (end === -1 ? elements.length : end) - at
  return lengths.find((length) => length <= left && length <= most) ?? 1
}

/** The difference of two numbers: 1, but on servers that write at the same time. */
async function stepOf({ connection, ask }: Session): Promise<bigint> {
  const { rows } = await ask(connection, 'select @@auto_increment_increment', [])
  return BigInt(rows[0]?.[0] ?? 1)
}

const jsonOf = (value: unknown): string | null => (value === null || value === undefined ? null : JSON.stringify(value))

const textOf = (value: unknown): string | null => {
  const json = jsonOf(value)
  return typeof value === 'string' ? value : json
}
