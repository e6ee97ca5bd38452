/**
 * Makes the rows of a table here like those of the source. Both are read in the order of their keys and compared, so that
 * a run after an interruption, or a later one, writes what differs and nothing else.
 */
import type { Database } from '../../domain/ports/context.ts'
import type { Mirror, MirrorRow } from '../../domain/ports/table-source.ts'
import {
  countMirrored,
  emptyMirror,
  insertMirrored,
  type MirrorReference,
  readMirrored,
} from '../../sql/statements/mirror-rows.ts'
import {
  type ChecksumOptions,
  checksumHere,
  comparableRows,
  createChecksum,
  createDifference,
} from './mirror-checksums.ts'
import { type Counts, createBatch, keyOf, type Refused, writeAll } from './mirror-writes.ts'

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

export type MirrorOptions = ChecksumOptions & {
  /** Only rows that are there are changed. */
  readonly updatesOnly?: boolean
  /** Rows that name a row that is not there are refused together. */
  readonly references?: readonly MirrorReference[]
  /** Nothing is written; the counts say what would be. */
  readonly dry?: boolean
  readonly onProgress?: (done: number) => void
}

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
 * source is read again. The counts are those of the rows that differ.
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
  if (here.rows === 0) counts.created = counts.source
  else Object.assign(counts, await differenceOf(db, mirror, { again, options }))
  if (options.dry === true) return
  await db.transaction(async (inner) => {
    await emptyMirror(inner, mirror)
    const inserts = createBatch((rows) => insertMirrored(inner, mirror, rows))
    for await (const page of again()) for (const row of page) await inserts.add(row)
    await inserts.flush()
  })
}

async function differenceOf(
  db: Database,
  mirror: Mirror,
  { again, options }: { readonly again: MirrorSource; readonly options: MirrorOptions },
) {
  const difference = createDifference()
  for await (const row of comparableRows(db, mirror, options)) difference.addHere(row)
  for await (const page of again()) for (const row of page) difference.addSource(row)
  return difference.counts()
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
