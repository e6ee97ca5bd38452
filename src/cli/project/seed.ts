/** `tandem seed`: rows of a folder, one file per collection. */
import { createReadStream } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { loadGenerations } from '../../app.ts'
import { type SeedTable, seedItems } from '../../core/configuration/seed-items.ts'
import { TandemError } from '../../domain/rights/errors.ts'
import type { Schema } from '../../domain/schema/schema.ts'
import { FileFault } from '../../exchange/file-text.ts'
import { type ReadRow, readableFormats } from '../../exchange/read-rows.ts'
import { migrate } from '../../sql/schema/migrate.ts'
import { createContext } from '../context.ts'
import { print, quietLog, withDatabase } from '../database.ts'

/** Writes the rows of all files in one transaction. */
export async function seedProject(folder: string): Promise<void> {
  const files = await readTables(folder)
  await withDatabase(async (db, config) => {
    const [generation] = await loadGenerations(config)
    if (generation === undefined) throw new Error('There is no generation')
    await migrate(db, quietLog)
    const ctx = await createContext(db, config, { generation, command: 'tandem seed' })
    const tables = files.map((table) => withTypes(table, ctx.schema))
    const counts = await seedItems(ctx, tables).catch(explain)
    for (const { collection, created, updated, same } of counts)
      print(`${collection}: ${created} created, ${updated} updated, ${same} unchanged`)
  })
}

function explain(error: unknown): never {
  const [failure] = error instanceof TandemError ? error.failures : []
  if (failure?.kind === 'invalid-payload') throw new Error(failure.reason, { cause: error })
  throw error
}

async function readTables(folder: string): Promise<readonly SeedTable[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    throw new Error(`${folder}: expected a folder, got ${error.code === 'ENOENT' ? 'nothing there' : error.message}`)
  })
  const files = names.filter((name) => /\.(json|csv)$/.test(name)).toSorted()
  if (files.length === 0) throw new Error(`${folder}: expected files such as authors.json or authors.csv, got none`)
  const tables: SeedTable[] = []
  for (const file of files) {
    const collection = file.slice(0, -extname(file).length)
    const twice = tables.find((each) => each.collection === collection)
    if (twice !== undefined) throw new Error(`${file}: expected one file for "${collection}", got ${twice.file} too`)
    tables.push({ file, collection, rows: await readRows(join(folder, file), file) })
  }
  return tables
}

async function readRows(path: string, file: string): Promise<readonly ReadRow[]> {
  const format = extname(file) === '.csv' ? 'csv' : 'json'
  try {
    const rows: ReadRow[] = []
    for await (const row of readableFormats[format](createReadStream(path))) rows.push(row)
    return rows
  } catch (error) {
    if (!(error instanceof FileFault)) throw error
    throw new Error(`${file}: ${error.row === 0 ? '' : `row ${error.row}: `}${error.message}`, { cause: error })
  }
}

/** Cells of CSV are texts: numbers, booleans and JSON become what their fields hold, and `author.name` names a related row. */
function withTypes(table: SeedTable, { collections }: Schema): SeedTable {
  if (extname(table.file) !== '.csv') return table
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
  return type === 'json' ? parsed(text) : text
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
