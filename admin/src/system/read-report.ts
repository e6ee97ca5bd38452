/** Reads the file that `tandem import version-8 --report` and `tandem adopt version-8 --report` write. */

export type ReportedTable = {
  readonly table: string
  /** The collection that has the rows. */
  readonly collection: string
  readonly source: number
  readonly here: number
  readonly created: number
  readonly updated: number
  readonly differing: number
  readonly refused: readonly { readonly key: string; readonly reason: string }[]
  readonly isWhole: boolean
}

/** `id`: empty in reports that do not have it. */
export type MissingFile = { readonly number: string; readonly id: string; readonly name: string }

/** Values of a column that could not stay as they were. */
export type ReportedValue = {
  readonly table: string
  readonly collection: string
  readonly column: string
  readonly what: string
  readonly count: number
  readonly examples: readonly { readonly key: string; readonly value: string }[]
}

/** A foreign key that could not be made. */
export type FaultyKey = {
  readonly table: string
  readonly column: string
  readonly target: string
  readonly fault: string
}

export type ImportReport = {
  readonly source: string
  readonly isComplete: boolean
  readonly tables: readonly ReportedTable[]
  readonly missing: readonly MissingFile[]
  readonly values: readonly ReportedValue[]
  readonly keys: readonly FaultyKey[]
  readonly notes: readonly string[]
}

type Fields = { readonly [field: string]: unknown }

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null

const listOf = (value: unknown): readonly Fields[] => (Array.isArray(value) ? value.filter(isFields) : [])

const textOf = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' ? String(value) : '')

const countOf = (value: unknown): number => (typeof value === 'number' ? value : 0)

/** Null for a text that is no such report. */
export function readReport(text: string): ImportReport | null {
  const read = parse(text)
  if (!isFields(read) || typeof read['source'] !== 'string' || !Array.isArray(read['tables'])) return null
  const tables = listOf(read['tables']).map(toTable)
  const collections = new Map(tables.map(({ table, collection }) => [table, collection]))
  const missing = isFields(read['files']) ? listOf(read['files']['missing']).map(toMissing) : []
  return {
    source: read['source'],
    isComplete: tables.every(({ isWhole }) => isWhole) && missing.length === 0,
    tables,
    missing,
    values: listOf(read['values']).map((each) => toValue(each, collections)),
    keys: listOf(read['foreignKeys'])
      .filter(({ fault }) => typeof fault === 'string')
      .map((each) => ({
        table: textOf(each['table']),
        column: textOf(each['column']),
        target: textOf(each['target']),
        fault: textOf(each['fault']),
      })),
    notes: Array.isArray(read['notes']) ? [...new Set(read['notes'].map(textOf))] : [],
  }
}

function toTable(each: Fields): ReportedTable {
  const differing = countOf(each['differing'])
  const refused = listOf(each['refused']).map(({ key, reason }) => ({ key: textOf(key), reason: textOf(reason) }))
  return {
    table: textOf(each['table']),
    collection: textOf(each['here']),
    source: countOf(each['source']),
    here: countOf(each['taken']),
    created: countOf(each['created']),
    updated: countOf(each['updated']),
    differing,
    refused,
    isWhole: differing + refused.length === 0,
  }
}

const toMissing = ({ number, id, name }: Fields): MissingFile => ({
  number: textOf(number),
  id: textOf(id),
  name: textOf(name),
})

const toValue = (each: Fields, collections: ReadonlyMap<string, string>): ReportedValue => ({
  table: textOf(each['table']),
  collection: collections.get(textOf(each['table'])) ?? '',
  column: textOf(each['column']),
  what: textOf(each['what']),
  count: countOf(each['count']),
  examples: listOf(each['examples']).map(({ key, value }) => ({ key: textOf(key), value: textOf(value) })),
})

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
