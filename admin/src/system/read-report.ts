/** Reads the file that `tandem import version-8 --report` and `tandem adopt version-8 --report` write. */

export type ReportedTable = {
  readonly table: string
  readonly source: number
  readonly here: number
  readonly created: number
  readonly updated: number
  readonly differing: number
  readonly refused: number
  readonly isWhole: boolean
}

export type ImportReport = {
  readonly source: string
  readonly isComplete: boolean
  readonly tables: readonly ReportedTable[]
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
  const given = listOf(read['tables'])
  const tables = given.map((each): ReportedTable => {
    const [differing, refused] = [countOf(each['differing']), listOf(each['refused']).length]
    return {
      table: textOf(each['table']),
      source: countOf(each['source']),
      here: countOf(each['taken']),
      created: countOf(each['created']),
      updated: countOf(each['updated']),
      differing,
      refused,
      isWhole: differing + refused === 0,
    }
  })
  const missing = missingOf(read)
  const notes = [
    ...given.flatMap((each) =>
      listOf(each['refused']).map(({ key, reason }) => `${textOf(each['table'])} ${textOf(key)}: ${textOf(reason)}`),
    ),
    ...missing,
    ...listOf(read['values']).map(
      ({ table, column, what, count }) => `${textOf(table)}.${textOf(column)}: ${textOf(count)} × ${textOf(what)}`,
    ),
    ...listOf(read['foreignKeys'])
      .filter(({ fault }) => typeof fault === 'string')
      .map(
        ({ table, column, target, fault }) =>
          `${textOf(table)}.${textOf(column)} → ${textOf(target)}: ${textOf(fault)}`,
      ),
    ...(Array.isArray(read['notes']) ? read['notes'].map(textOf) : []),
  ]
  return {
    source: read['source'],
    isComplete: tables.every(({ isWhole }) => isWhole) && missing.length === 0,
    tables,
    notes: [...new Set(notes)],
  }
}

const missingOf = ({ files }: Fields): readonly string[] =>
  isFields(files) && Array.isArray(files['missing']) ? files['missing'].map(textOf) : []

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
