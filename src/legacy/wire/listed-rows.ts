/** The parameters of lists on rows that are made here and not read from a table. */
import { rowsOf } from '../../domain/query/rows-of.ts'
import { TandemError } from '../../domain/rights/errors.ts'
import { toText, toWords } from './lists.ts'
import { matchesFilter } from './match-rows.ts'
import { parseMeta } from './meta.ts'
import { type ListScope, type Parameters, parsePage, type Read } from './query.ts'
import { type EnvelopeFacts, serializeRead } from './serialize.ts'

type Row = { readonly [name: string]: unknown }

/** The rows of a collection, all of which have the same fields. */
export type Listed = { readonly collection: string; readonly names: readonly string[]; readonly rows: readonly Row[] }

type ListedScope = { readonly parameters: Parameters; readonly scope: ListScope }

export function serializeListed(
  listed: Listed,
  { parameters, scope }: ListedScope,
  around: EnvelopeFacts,
): readonly string[] {
  const { rows, collection } = listed
  const words = toText(parameters['q']).toLowerCase()
  const selected = rows
    .filter(matchesFilter(parameters['filter'], collection))
    .filter((row) => Object.values(row).some((value) => words === '' || toText(value).toLowerCase().includes(words)))
  const page = parsePage(parameters, scope)
  const sorted = selected.toSorted(orderOf(toWords(parameters['sort'], 'sort'), listed))
  const shown = sorted.slice(page.offset, page.limit === null ? undefined : page.offset + page.limit)
  return serializeRows(shown, listed, {
    parameters,
    around,
    read: { query: { ...rowsOf(collection, []), page }, single: false },
    counts: { total: rows.length, filtered: selected.length },
  })
}

/** The envelope of some of them, in their order; `single`: of the only one, which has to be there. */
export function serializePicked(
  listed: Listed,
  { parameters, single }: { readonly parameters: Parameters; readonly single: boolean },
  around: EnvelopeFacts,
): readonly string[] {
  const read = { query: rowsOf(listed.collection, []), single }
  const counts = { total: listed.rows.length, filtered: listed.rows.length }
  return serializeRows(listed.rows, listed, { parameters, around, read, counts })
}

type Answer = {
  readonly parameters: Parameters
  readonly around: EnvelopeFacts
  readonly read: Omit<Read, 'meta'>
  readonly counts: { readonly total: number; readonly filtered: number }
}

function serializeRows(rows: readonly Row[], listed: Listed, { parameters, around, read, counts }: Answer) {
  const pick = pickerOf(toWords(parameters['fields'], 'fields'), listed)
  const pieces = [JSON.stringify(rows.map(pick))]
  return serializeRead(
    { ...read, meta: parseMeta(parameters['meta']) },
    { pieces, rowCount: rows.length, counts },
    around,
  )
}

function pickerOf(words: readonly string[], listed: Listed): (row: Row) => Row {
  if (words.length === 0) return (row) => row
  const left = words.filter((word) => word.startsWith('-')).map((word) => word.slice(1))
  const named = words.filter((word) => !word.startsWith('-')).map((word) => word.split('.', 1)[0] ?? '')
  for (const name of [...left, ...named]) if (name !== '*') assertNamed(name, listed)
  const all = named.length === 0 || named.includes('*')
  const names = listed.names.filter((name) => (all || named.includes(name)) && !left.includes(name))
  return (row) => Object.fromEntries(names.map((name) => [name, row[name]]))
}

function assertNamed(name: string, { names, collection }: Listed): void {
  if (!names.includes(name)) throw new TandemError({ kind: 'field-not-found', collection, field: name })
}

/** Numbers by size, anything else as text. */
function orderOf(words: readonly string[], listed: Listed): (left: Row, right: Row) => number {
  const keys = words.map((word) => ({ name: word.replace(/^[-+]/, ''), sign: word.startsWith('-') ? -1 : 1 }))
  for (const { name } of keys) assertNamed(name, listed)
  return (left, right) => {
    for (const { name, sign } of keys) {
      const order = compare(left[name], right[name]) * sign
      if (order !== 0) return order
    }
    return 0
  }
}

function compare(left: unknown, right: unknown): number {
  if (typeof left === 'number' && typeof right === 'number') return left - right
  const [one, other] = [toText(left), toText(right)]
  return one < other ? -1 : one > other ? 1 : 0
}
