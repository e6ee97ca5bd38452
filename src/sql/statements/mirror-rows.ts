/** Rows of imported tables, many per statement. The database converts their values, all texts, to the types of columns. */
import type { Database } from '../../domain/ports/context.ts'
import type { Mirror, MirrorColumn, MirrorRow } from '../../domain/ports/table-source.ts'
import { quoteName } from '../dialects/quoting.ts'
import { type MirrorWords, mirrorWords } from './mirror-words.ts'

type Runner = Pick<Database, 'run' | 'dialect'>

/** Adds rows that are not there. */
export async function insertMirrored(db: Runner, mirror: Mirror, rows: readonly MirrorRow[]): Promise<void> {
  const { table, columns, generates } = mirror
  const words = mirrorWords(db.dialect)
  const { from, values } = words.given(columns, rows)
  const own = generates === undefined ? [] : [generates]
  const names = [...columns.map(({ name }) => name), ...own].map(quoteName).join(', ')
  const picked = [...columns.map(words.value), ...own.map(() => 'gen_random_uuid()')].join(', ')
  await db.run({ text: `insert into ${quoteName(table)} (${names}) select ${picked} from ${from}`, values })
}

export async function updateMirrored(db: Runner, mirror: Mirror, rows: readonly MirrorRow[]): Promise<void> {
  const { table, columns, key } = mirror
  const words = mirrorWords(db.dialect)
  const { from, values } = words.given(columns, rows)
  const pairs = columns.map((column, at) => ({
    isKey: key.includes(column.name),
    set: `${words.set}${quoteName(column.name)} = ${words.value(column, at)}`,
    same: `t.${quoteName(column.name)} = ${words.compared(column, at)}`,
  }))
  const sets = pairs.flatMap(({ isKey, set }) => (isKey ? [] : [set]))
  if (sets.length === 0) return
  const same = pairs.flatMap((each) => (each.isKey ? [each.same] : [])).join(' and ')
  await db.run({ text: words.update({ table: quoteName(table), from, sets, same }), values })
}

/** Deletes rows by their keys; `rows` are whole rows. */
export async function deleteMirrored(db: Runner, mirror: Mirror, rows: readonly MirrorRow[]): Promise<void> {
  const { table, columns, key } = mirror
  const words = mirrorWords(db.dialect)
  const own = key.map((name) => columns.findIndex((column) => column.name === name))
  const keyColumns = own.map((at) => columns[at] as MirrorColumn)
  const keys = rows.map((row) => own.map((at) => row[at] ?? null))
  const { from, values } = words.given(keyColumns, keys)
  const same = keyColumns
    .map((column, at) => `t.${quoteName(column.name)} = ${words.compared(column, at)}`)
    .join(' and ')
  await db.run({ text: words.delete({ table: quoteName(table), from, same }), values })
}

/** A column whose values have to be those of a column of another table. */
export type MirrorReference = { readonly column: string; readonly table: string; readonly target: string }

/** The values that name no row there. */
export async function findAbsent(
  db: Runner,
  { columns }: Mirror,
  { column: name, table, target }: MirrorReference,
  rows: readonly MirrorRow[],
): Promise<ReadonlySet<string>> {
  const at = columns.findIndex((column) => column.name === name)
  const column = columns[at] as MirrorColumn
  const words = mirrorWords(db.dialect)
  const texts = [...new Set(rows.map((row) => row[at] ?? null))].filter((value) => value !== null)
  const { from, values } = words.given(
    [column],
    texts.map((value) => [value]),
  )
  const here = `select ${quoteName(target)} from ${quoteName(table)}`
  const text = `select x.c0 as value from ${from} where ${words.compared(column, 0)} not in (${here})`
  const existing = (await db.run({ text, values })).rows as readonly { readonly value: string }[]
  return new Set(existing.map(({ value }) => value))
}

export const emptyMirror = async (db: Runner, { table }: Mirror): Promise<void> =>
  void (await db.run({ text: `delete from ${quoteName(table)}`, values: [] }))

export async function countMirrored(db: Runner, table: string): Promise<number> {
  const { rows } = await db.run({ text: `select count(*)::int as count from ${quoteName(table)}`, values: [] })
  return (rows[0] as { readonly count: number }).count
}

/** Whether JSON is given back letter by letter. */
export const keepsJson = ({ dialect }: Pick<Runner, 'dialect'>): boolean => mirrorWords(dialect).keepsJson

/** All rows in the order of their keys, by pages; texts are ordered by their bytes. Rows without keys come in any order. */
export function readMirrored(db: Runner, mirror: Mirror): AsyncGenerator<readonly MirrorRow[]> {
  const words = mirrorWords(db.dialect)
  const shown = mirror.columns.map(words.shown).join(', ')
  const read = async (rest: string, values: readonly unknown[]) => {
    const text = `select ${shown} from ${quoteName(mirror.table)} t${rest}`
    return (await db.run({ text, values, rows: 'array' })).rows as readonly MirrorRow[]
  }
  return mirror.key.length > 0 ? readByKeys(read, mirror, words) : readByBlocks(read, db, { mirror, words })
}

type Read = (rest: string, values: readonly unknown[]) => Promise<readonly MirrorRow[]>

async function* readByKeys(
  read: Read,
  { columns, key }: Mirror,
  words: MirrorWords,
): AsyncGenerator<readonly MirrorRow[]> {
  const parts = key.map((name) => columns.find((column) => column.name === name) as MirrorColumn)
  const order = parts.map(words.ordered).join(', ')
  const bound = parts.map(({ type }, at) => `$${at + 2}::${type}`).join(', ')
  let limit = 100
  let after: MirrorRow | null = null
  for (;;) {
    const where: string = after === null ? '' : ` where (${order}) > (${bound})`
    const page = await read(`${where} order by ${order} limit $1`, [limit, ...(after ?? [])])
    if (page.length > 0) yield page
    const last: MirrorRow | undefined = page.at(-1)
    if (page.length < limit || last === undefined) return
    after = key.map((name) => last[columns.findIndex((column) => column.name === name)] ?? null)
    limit = nextStep(limit, page, 2000)
  }
}

/** Without keys, rows are addressed by their storage position, if the database exposes it. */
async function* readByBlocks(
  read: Read,
  db: Runner,
  { mirror, words }: { readonly mirror: Mirror; readonly words: MirrorWords },
): AsyncGenerator<readonly MirrorRow[]> {
  if (words.blocks === null) return yield await read('', [])
  const { rows } = await db.run({ text: words.blocks.count(quoteName(mirror.table)), values: [] })
  const { count } = rows[0] as { readonly count: number }
  let step = 1
  for (let from = 0; from < count; ) {
    const page = await read(` where ${words.blocks.within}`, [from, from + step])
    if (page.length > 0) yield page
    from += step
    step = nextStep(step, page, 64)
  }
}

/** Letters that a page may have. */
const mostLetters = 2_000_000

/** Long rows come in short pages. */
function nextStep(step: number, page: readonly MirrorRow[], most: number): number {
  const letters = page.reduce((sum, row) => row.reduce((own, value) => own + (value?.length ?? 0), sum), 1)
  return Math.max(1, Math.min(most, step * 4, Math.floor((step * mostLetters) / letters)))
}
