/** Writes rows of a mirror in batches. Rows that the database refuses are found and reported; all others are written. */
import type { Database } from '../../domain/ports/context.ts'
import type { Mirror, MirrorRow } from '../../domain/ports/table-source.ts'
import { TandemError } from '../../domain/rights/errors.ts'
import {
  deleteMirrored,
  findAbsent,
  insertMirrored,
  type MirrorReference,
  updateMirrored,
} from '../../sql/statements/mirror-rows.ts'

export type Refused = { readonly key: string; readonly reason: string }

export type Counts = {
  source: number
  last: string | null
  created: number
  updated: number
  deleted: number
  readonly refused: Refused[]
}

/** Texts of a statement, and rows. */
const most = { size: 1_000_000, rows: 2000 } as const

export function createBatch(write: (rows: readonly MirrorRow[]) => Promise<void>) {
  let rows: MirrorRow[] = []
  let size = 0
  const flush = async (): Promise<void> => {
    if (rows.length === 0) return
    const ready = rows
    rows = []
    size = 0
    await write(ready)
  }
  return {
    async add(row: MirrorRow): Promise<void> {
      rows.push(row)
      for (const value of row) size += value?.length ?? 4
      if (rows.length >= most.rows || size >= most.size) await flush()
    },
    flush,
  }
}

type Target = {
  readonly db: Database
  readonly mirror: Mirror
  readonly counts: Counts
  readonly dry: boolean
  readonly references: readonly MirrorReference[]
}

const writers = { created: insertMirrored, updated: updateMirrored, deleted: deleteMirrored } as const

export async function writeAll(target: Target, what: keyof typeof writers, rows: readonly MirrorRow[]): Promise<void> {
  const write = async (part: readonly MirrorRow[]): Promise<void> => {
    if (!target.dry) await tried(target.db, (db) => writers[what](db, target.mirror, part))
    target.counts[what] += part.length
  }
  if (what === 'deleted' || target.references.length === 0) return halving(rows, target, write)
  try {
    await write(rows)
  } catch (error) {
    if (isLost(error)) throw error
    await halving(await withoutDangling(rows, target), target, write)
  }
}

/** Within a transaction, what is refused leaves the rest of it as it was. */
const tried = (db: Database, work: (db: Database) => Promise<void>): Promise<void> =>
  db.isInner === true ? db.transaction(work) : work(db)

/** Refuses the rows that name what is not there, and returns the others. */
async function withoutDangling(
  rows: readonly MirrorRow[],
  { db, mirror, counts, references }: Target,
): Promise<readonly MirrorRow[]> {
  let rest = rows
  for (const reference of references) {
    const at = mirror.columns.findIndex(({ name }) => name === reference.column)
    const absent = await findAbsent(db, mirror, reference, rest)
    const isDangling = (row: MirrorRow): boolean => absent.has(row[at] ?? '')
    const reason = (row: MirrorRow): string =>
      `"${reference.column}" is ${row[at]}, and ${reference.table} has no such row`
    counts.refused.push(...rest.filter(isDangling).map((row) => ({ key: keyOf(mirror, row), reason: reason(row) })))
    rest = rest.filter((row) => !isDangling(row))
  }
  return rest
}

/** Finds the rows that the database refuses by halves; all others are written. */
async function halving(
  rows: readonly MirrorRow[],
  around: Target,
  write: (rows: readonly MirrorRow[]) => Promise<void>,
): Promise<void> {
  if (rows.length === 0) return
  try {
    await write(rows)
  } catch (error) {
    if (isLost(error)) throw error
    const [row] = rows
    if (rows.length > 1) {
      const middle = rows.length >> 1
      await halving(rows.slice(0, middle), around, write)
      await halving(rows.slice(middle), around, write)
    } else if (row !== undefined)
      around.counts.refused.push({ key: keyOf(around.mirror, row), reason: reasonOf(error) })
  }
}

const isLost = (error: unknown): boolean =>
  error instanceof TandemError && error.failures.some(({ kind }) => kind === 'unavailable')

function reasonOf(error: unknown): string {
  const cause = (error as Error).cause ?? error
  const { message, detail, column } = cause as { message?: string; detail?: string; column?: string }
  return [message ?? String(cause), column, detail]
    .filter((part) => part !== undefined)
    .join('; ')
    .slice(0, 300)
}

/** The key of a row for people; the beginning of its values if it has none. */
export const keyOf = ({ columns, key }: Mirror, row: MirrorRow): string =>
  key.length === 0
    ? JSON.stringify(row).slice(0, 200)
    : key.map((name) => row[columns.findIndex((column) => column.name === name)] ?? '').join(',')
