/**
 * Rows of imported tables, many per statement. All values are texts; the database converts them to the type of their
 * column. The lists of values travel as one JSON text per column.
 */
import type { Runner } from './answers.ts'

export type MirrorColumn = { readonly name: string; readonly type: string }

/** A table, or those of its columns that an import writes. */
export type Mirror = {
  readonly table: string
  /** Names of columns that identify a row; empty: rows have no key. */
  readonly key: readonly string[]
  readonly columns: readonly MirrorColumn[]
  /** A uuid key that new rows get beside the columns. */
  readonly generates?: string
}

export type MirrorRow = readonly (string | null)[]

const quote = (identifier: string): string => `"${identifier.replaceAll('"', '""')}"`

const listed = (columns: readonly MirrorColumn[], rows: readonly MirrorRow[]) => ({
  from: `rows from (${columns.map((_, at) => `json_array_elements_text($${at + 1}::json)`).join(', ')}) as x (${columns.map((_, at) => `c${at}`).join(', ')})`,
  values: columns.map((_, at) => JSON.stringify(rows.map((row) => row[at] ?? null))),
})

const cast = ({ type }: MirrorColumn, at: number): string => `x.c${at}::${type}`

/** Adds rows that are not there. */
export async function insertMirrored(db: Runner, mirror: Mirror, rows: readonly MirrorRow[]): Promise<void> {
  const { table, columns, generates } = mirror
  const { from, values } = listed(columns, rows)
  const own = generates === undefined ? [] : [generates]
  const names = [...columns.map(({ name }) => name), ...own].map(quote).join(', ')
  const picked = [...columns.map(cast), ...own.map(() => 'gen_random_uuid()')].join(', ')
  await db.run({ text: `insert into ${quote(table)} (${names}) select ${picked} from ${from}`, values })
}

/** Changes rows that are there. */
export async function updateMirrored(db: Runner, mirror: Mirror, rows: readonly MirrorRow[]): Promise<void> {
  const { table, columns, key } = mirror
  const { from, values } = listed(columns, rows)
  const isKey = ({ name }: MirrorColumn) => key.includes(name)
  const sets = columns.flatMap((column, at) => (isKey(column) ? [] : [`${quote(column.name)} = ${cast(column, at)}`]))
  const same = columns.flatMap((column, at) => (isKey(column) ? [`t.${quote(column.name)} = ${cast(column, at)}`] : []))
  if (sets.length === 0) return
  await db.run({
    text: `update ${quote(table)} t set ${sets.join(', ')} from ${from} where ${same.join(' and ')}`,
    values,
  })
}

/** Deletes rows by their keys; `rows` are whole rows. */
export async function deleteMirrored(db: Runner, mirror: Mirror, rows: readonly MirrorRow[]): Promise<void> {
  const { table, columns, key } = mirror
  const own = key.map((name) => columns.findIndex((column) => column.name === name))
  const keyColumns = own.map((at) => columns[at] as MirrorColumn)
  const { from, values } = listed(
    keyColumns,
    rows.map((row) => own.map((at) => row[at] ?? null)),
  )
  const same = keyColumns.map((column, at) => `t.${quote(column.name)} = ${cast(column, at)}`).join(' and ')
  await db.run({ text: `delete from ${quote(table)} t using ${from} where ${same}`, values })
}

export const emptyMirror = async (db: Runner, { table }: Mirror): Promise<void> =>
  void (await db.run({ text: `delete from ${quote(table)}`, values: [] }))

export async function countMirrored(db: Runner, table: string): Promise<number> {
  const { rows } = await db.run({ text: `select count(*)::int as count from ${quote(table)}`, values: [] })
  return (rows[0] as { readonly count: number }).count
}

const isText = (type: string): boolean => type === 'text' || type.startsWith('varchar')

/** All rows in the order of their keys, by pages; texts are ordered by their bytes. */
export async function* readMirrored(db: Runner, mirror: Mirror): AsyncGenerator<readonly MirrorRow[]> {
  const { table, columns, key } = mirror
  // With the name of the table, because the texts have the names of their columns and another order.
  const shown = columns.map(({ name }) => `t.${quote(name)}::text`).join(', ')
  if (key.length === 0) {
    const { rows } = await db.run({ text: `select ${shown} from ${quote(table)} t`, values: [], rows: 'array' })
    yield rows as readonly MirrorRow[]
    return
  }
  const parts = key.map((name) => columns.find((column) => column.name === name) as MirrorColumn)
  const order = parts.map(({ name, type }) => `t.${quote(name)}${isText(type) ? ' collate "C"' : ''}`).join(', ')
  const bound = parts.map(({ type }, at) => `$${at + 1}::${type}`).join(', ')
  let after: MirrorRow | null = null
  for (;;) {
    const where: string = after === null ? '' : ` where (${order}) > (${bound})`
    const { rows } = await db.run({
      text: `select ${shown} from ${quote(table)} t${where} order by ${order} limit ${pageSize}`,
      values: after ?? [],
      rows: 'array',
    })
    const page = rows as readonly MirrorRow[]
    if (page.length > 0) yield page
    const last: MirrorRow | undefined = page.at(-1)
    if (page.length < pageSize || last === undefined) return
    after = key.map((name) => last[columns.findIndex((column) => column.name === name)] ?? null)
  }
}

const pageSize = 2000
