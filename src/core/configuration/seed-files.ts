/** Files of rows for development and tests: one JSON or CSV file per collection, named after it. */

import { parseExactly } from '../../domain/conditions/exact-numbers.ts'
import { parseOr } from '../../domain/parse-or.ts'
import type { Schema } from '../../domain/schema/schema.ts'
import { type Bytes, FileFault } from '../../exchange/file-text.ts'
import { type ReadRow, readableFormats } from '../../exchange/read-rows.ts'

/** The rows of one file. Values of CSV are texts until `withTypes`. */
export type SeedTable = { readonly file: string; readonly collection: string; readonly rows: readonly ReadRow[] }

const named = /^(.+)\.(json|csv)$/

/** Reads the files of a folder that hold rows, in the order of their names. Throws an error that names file and row. */
export async function readSeedFiles(
  names: readonly string[],
  open: (name: string) => Bytes,
): Promise<readonly SeedTable[]> {
  const tables: SeedTable[] = []
  for (const file of names.toSorted()) {
    const [, collection, format] = named.exec(file) ?? []
    if (collection === undefined) continue
    const twice = tables.find((each) => each.collection === collection)
    if (twice !== undefined) throw new Error(`${file}: expected one file for "${collection}", got ${twice.file} too`)
    tables.push({ file, collection, rows: await readRows(open(file), file, format as 'json' | 'csv') })
  }
  return tables
}

async function readRows(content: Bytes, file: string, format: 'json' | 'csv'): Promise<readonly ReadRow[]> {
  try {
    const rows: ReadRow[] = []
    for await (const row of readableFormats[format](content)) rows.push(row)
    return rows
  } catch (error) {
    if (!(error instanceof FileFault)) throw error
    throw new Error(`${file}: ${error.row === 0 ? '' : `row ${error.row}: `}${error.message}`, { cause: error })
  }
}

/** Cells of CSV are texts: numbers, booleans and JSON become what their fields hold, and `author.name` names a related row. */
export function withTypes(table: SeedTable, { collections }: Schema): SeedTable {
  if (!table.file.endsWith('.csv')) return table
  const fields = collections.get(table.collection)?.fields
  const typed = (name: string, cell: unknown): readonly [string, unknown] => {
    const dot = name.indexOf('.')
    if (dot > 0) return [name.slice(0, dot), { [name.slice(dot + 1)]: cell }]
    return [name, fromCell(fields?.get(name)?.type, String(cell))]
  }
  return {
    ...table,
    rows: table.rows.map((row) => Object.fromEntries(Object.entries(row).map(([name, cell]) => typed(name, cell)))),
  }
}

function fromCell(type: string | undefined, text: string): unknown {
  if (type === 'integer' || type === 'float') return /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(text) ? Number(text) : text
  if (type === 'boolean') return text === 'true' ? true : text === 'false' ? false : text
  if (type === 'csv') return text.split(',')
  return type === 'json' ? parseOr(text, text, parseExactly) : text
}
