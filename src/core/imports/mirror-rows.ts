/**
 * Makes the rows of a table here like those of the source. Both are read in the order of their keys and compared, so that
 * a run after an interruption, or a later one, writes what differs and nothing else.
 */
import type { Database } from '../../domain/ports/context.ts'
import type { Mirror, MirrorRow } from '../../domain/ports/table-source.ts'
import { TandemError } from '../../domain/rights/errors.ts'
import {
  countMirrored,
  deleteMirrored,
  emptyMirror,
  findAbsent,
  insertMirrored,
  type MirrorReference,
  readMirrored,
  updateMirrored,
} from '../../sql/statements/mirror-rows.ts'
import { sha1 } from '../../tokens/digest.ts'

export type Outcome = {
  readonly source: number
  readonly created: number
  readonly updated: number
  readonly deleted: number
  readonly refused: readonly Refused[]
  /** Of all rows of the source, whatever their order. */
  readonly checksum: string
  /** The key of the last row. */
  readonly last: string | null
}

export type Refused = { readonly key: string; readonly reason: string }

export type MirrorOptions = {
  /** Rows here that the import is about; others stay. Absent: all. */
  readonly isOurs?: (row: MirrorRow) => boolean
  /** A stored value in the notation of the source's, by the number of its column. */
  readonly toComparable?: (at: number, text: string) => string
  /** Only rows that are there are changed. */
  readonly updatesOnly?: boolean
  /** Rows that name a row that is not there are refused together. */
  readonly references?: readonly MirrorReference[]
  /** Nothing is written; the counts say what would be. */
  readonly dry?: boolean
  readonly onProgress?: (done: number) => void
}

type Counts = {
  source: number
  last: string | null
  created: number
  updated: number
  deleted: number
  readonly refused: Refused[]
}

/** Texts of a statement, and rows. */
const most = { size: 1_000_000, rows: 2000 } as const

/** The rows of the source, from the first one at each call. */
export type MirrorSource = () => AsyncIterable<readonly MirrorRow[]>

export async function mirrorRows(
  db: Database,
  mirror: Mirror,
  source: MirrorSource,
  options: MirrorOptions,
): Promise<Outcome> {
  const counts: Counts = { source: 0, last: null, created: 0, updated: 0, deleted: 0, refused: [] }
  const sum = createChecksum()
  const counted = count(source(), { mirror, counts, add: sum.add }, options.onProgress)
  if (mirror.key.length === 0) await replaceRows(db, mirror, { counted, counts, options, again: source })
  else await compareRows(db, mirror, { counted, counts, options })
  return { ...counts, checksum: sum.text() }
}

type Work = {
  readonly counted: AsyncGenerator<readonly MirrorRow[]>
  readonly counts: Counts
  readonly options: MirrorOptions
}

async function* count(
  source: AsyncIterable<readonly MirrorRow[]>,
  { mirror, counts, add }: { readonly mirror: Mirror; readonly counts: Counts; readonly add: (row: MirrorRow) => void },
  tell: ((done: number) => void) | undefined,
): AsyncGenerator<readonly MirrorRow[]> {
  for await (const page of source) {
    for (const row of page) add(row)
    yield page
    counts.source += page.length
    const last = page.at(-1)
    if (last !== undefined) counts.last = keyOf(mirror, last)
    tell?.(counts.source)
  }
}

/**
 * Where rows have no keys, equal checksums say that they are the same; otherwise all of them are written anew, and the
 * source is read again.
 */
async function replaceRows(
  db: Database,
  mirror: Mirror,
  { counted, counts, options, again }: Work & { readonly again: MirrorSource },
): Promise<void> {
  const here = await checksumHere(db, mirror, options)
  const sum = createChecksum()
  for await (const page of counted) for (const row of page) sum.add(row)
  if (here.checksum === sum.text()) return
  counts.created = counts.source
  counts.deleted = here.rows
  if (options.dry === true) return
  await db.transaction(async (inner) => {
    await emptyMirror(inner, mirror)
    const inserts = createBatch((rows) => insertMirrored(inner, mirror, rows))
    for await (const page of again()) for (const row of page) await inserts.add(row)
    await inserts.flush()
  })
}

async function compareRows(db: Database, mirror: Mirror, { counted, counts, options }: Work): Promise<void> {
  const isEmpty = (await countMirrored(db, mirror.table)) === 0
  const here = isEmpty ? none() : flatten(readMirrored(db, mirror))
  const compare = keyOrder(mirror)
  const target = { db, mirror, counts, dry: options.dry === true, references: options.references ?? [] }
  const inserts = createBatch((rows) => writeAll(target, 'created', rows))
  const updates = createBatch((rows) => writeAll(target, 'updated', rows))
  const deletes = createBatch((rows) => writeAll(target, 'deleted', rows))
  const gone = async (row: MirrorRow) => {
    const isOurs = options.updatesOnly !== true && (options.isOurs?.(row) ?? true)
    if (isOurs) await deletes.add(row)
  }
  let next = await here.next()
  for await (const page of counted) {
    for (const row of page) {
      while (next.done !== true && compare(next.value, row) < 0) {
        await gone(next.value)
        next = await here.next()
      }
      if (next.done === true || compare(next.value, row) > 0) {
        if (options.updatesOnly !== true) await inserts.add(row)
        continue
      }
      if (!isSame(next.value, row, options)) await updates.add(row)
      next = await here.next()
    }
  }
  for (; next.done !== true; next = await here.next()) await gone(next.value)
  // What takes the place of another row comes after it is gone.
  await deletes.flush()
  await updates.flush()
  await inserts.flush()
}

const isSame = (stored: MirrorRow, row: MirrorRow, { toComparable = (_at, text) => text }: MirrorOptions): boolean =>
  row.every((value, at) => {
    const other = stored[at] ?? null
    return value === other || (value !== null && other !== null && toComparable(at, other) === value)
  })

async function* none(): AsyncGenerator<MirrorRow> {}

async function* flatten(pages: AsyncIterable<readonly MirrorRow[]>): AsyncGenerator<MirrorRow> {
  for await (const page of pages) yield* page
}

const isNumber = (type: string): boolean => /^(smallint|integer|bigint|numeric|real|double)/.test(type)

/** The order in which both databases give rows. */
function keyOrder({ columns, key }: Mirror): (left: MirrorRow, right: MirrorRow) => number {
  const parts = key.map((name) => {
    const at = columns.findIndex((column) => column.name === name)
    return { at, numeric: isNumber(columns[at]?.type ?? '') }
  })
  return (left, right) => {
    for (const { at, numeric } of parts) {
      const [one, other] = [left[at] ?? '', right[at] ?? '']
      if (one === other) continue
      if (!numeric) return Buffer.compare(Buffer.from(one), Buffer.from(other))
      if (one.length > 15 || other.length > 15) return compareLong(one, other)
      const difference = Number(one) - Number(other)
      if (difference !== 0) return difference
    }
    return 0
  }
}

const compareLong = (one: string, other: string): number => {
  const [left, right] = [BigInt(one.split('.')[0] ?? 0), BigInt(other.split('.')[0] ?? 0)]
  return left < right
    ? -1
    : left > right
      ? 1
      : Number(`0.${one.split('.')[1] ?? 0}`) - Number(`0.${other.split('.')[1] ?? 0}`)
}

function createBatch(write: (rows: readonly MirrorRow[]) => Promise<void>) {
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

async function writeAll(target: Target, what: keyof typeof writers, rows: readonly MirrorRow[]): Promise<void> {
  const write = async (part: readonly MirrorRow[]): Promise<void> => {
    if (!target.dry) await writers[what](target.db, target.mirror, part)
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

/** The key of a row for people. */
const keyOf = ({ columns, key }: Mirror, row: MirrorRow): string =>
  key.map((name) => row[columns.findIndex((column) => column.name === name)] ?? '').join(',')

/** The sum of the digests of rows, so that their order does not matter. */
function createChecksum() {
  let high = 0
  let low = 0
  return {
    add: (row: MirrorRow): void => {
      const digest = sha1(JSON.stringify(row))
      high = (high + Number.parseInt(digest.slice(0, 12), 16)) % 2 ** 48
      low = (low + Number.parseInt(digest.slice(12, 24), 16)) % 2 ** 48
    },
    text: (): string => [high, low].map((part) => part.toString(16).padStart(12, '0')).join(''),
  }
}

export async function checksumHere(
  db: Database,
  mirror: Mirror,
  { isOurs = () => true, toComparable }: MirrorOptions,
): Promise<{ readonly rows: number; readonly checksum: string }> {
  const sum = createChecksum()
  let rows = 0
  for await (const page of readMirrored(db, mirror)) {
    for (const row of page.filter(isOurs)) {
      sum.add(
        toComparable === undefined ? row : row.map((value, at) => (value === null ? null : toComparable(at, value))),
      )
      rows += 1
    }
  }
  return { rows, checksum: sum.text() }
}
