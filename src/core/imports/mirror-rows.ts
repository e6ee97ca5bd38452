/**
 * Makes the rows of a table here like those of the source. Both are read in the order of their keys and compared, so that
 * a run after an interruption, or a later one, writes what differs and nothing else.
 */
import type { Database } from '../../domain/ports/context.ts'
import type { Mirror, MirrorRow } from '../../domain/ports/table-source.ts'
import { countMirrored, emptyMirror, type MirrorReference, readMirrored } from '../../sql/statements/mirror-rows.ts'
import {
  type ChecksumOptions,
  canonicalRows,
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
  /** Why Tandem cannot hold a row, apart from errors of the database; null: it can. */
  readonly refuse?: (row: MirrorRow) => string | null
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
  const canonical = canonicalRows(db, mirror)
  const add = (row: MirrorRow): void => sum.add(canonical(row))
  const counted = count(source(), { mirror, counts, add }, options.onProgress)
  if (mirror.key.length === 0 || mirror.unordered === true)
    await replaceRows(db, mirror, { counted, counts, options, again: source })
  else await compareRows(db, mirror, { counted, counts, options })
  return { ...counts, checksum: sum.text() }
}

type MirrorWork = {
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
 * Where rows have no keys, or keys in another order, equal checksums say that they are the same; otherwise all of them are
 * written anew, and the source is read again. The counts are those of the rows that differ.
 */
async function replaceRows(
  db: Database,
  mirror: Mirror,
  { counted, counts, options, again }: MirrorWork & { readonly again: MirrorSource },
): Promise<void> {
  const here = await checksumHere(db, mirror, options)
  const sum = createChecksum()
  const { refused } = counts
  const canonical = canonicalRows(db, mirror)
  for await (const row of flatten(counted)) if (!isRefused(row, { mirror, refused, options })) sum.add(canonical(row))
  if (here.checksum === sum.text()) return
  const fits = (row: MirrorRow): boolean => (options.refuse?.(row) ?? null) === null
  if (here.rows === 0) counts.created = counts.source - refused.length
  else Object.assign(counts, await differenceOf(db, mirror, { again, options, fits }))
  if (options.dry === true) return
  const alreadyRefused = refused.length
  await db.transaction(async (inner) => {
    await emptyMirror(inner, mirror)
    const target = { db: inner, mirror, counts: { ...counts }, dry: false, references: [] }
    const inserts = createBatch((rows) => writeAll(target, 'created', rows))
    for await (const row of flatten(again())) if (fits(row)) await inserts.add(row)
    await inserts.flush()
  })
  // Rows that the database refuses are never here, so that they were counted as new ones.
  counts.created -= refused.length - alreadyRefused
}

async function differenceOf(
  db: Database,
  mirror: Mirror,
  {
    again,
    options,
    fits,
  }: { readonly again: MirrorSource; readonly options: MirrorOptions; readonly fits: (row: MirrorRow) => boolean },
) {
  const difference = createDifference()
  for await (const row of comparableRows(db, mirror, options)) difference.addHere(row)
  const canonical = canonicalRows(db, mirror)
  for await (const row of flatten(again())) if (fits(row)) difference.addSource(canonical(row))
  return difference.counts()
}

type Refusing = { readonly mirror: Mirror; readonly refused: Refused[]; readonly options: MirrorOptions }

/** Notes the row if it cannot be here. */
function isRefused(row: MirrorRow, { mirror, refused, options }: Refusing): boolean {
  const reason = options.refuse?.(row) ?? null
  if (reason !== null) refused.push({ key: keyOf(mirror, row), reason })
  return reason !== null
}

async function compareRows(db: Database, mirror: Mirror, { counted, counts, options }: MirrorWork): Promise<void> {
  const isEmpty = (await countMirrored(db, mirror.table)) === 0
  const here = isEmpty ? none() : flatten(readMirrored(db, mirror))
  const compare = keyOrder(mirror, options)
  const canonical = canonicalRows(db, mirror)
  const target = { db, mirror, counts, dry: options.dry === true, references: options.references ?? [] }
  const inserts = createBatch((rows) => writeAll(target, 'created', rows))
  const updates = createBatch((rows) => writeAll(target, 'updated', rows))
  const deletes = createBatch((rows) => writeAll(target, 'deleted', rows))
  const gone = async (row: MirrorRow) => {
    const isOurs = options.updatesOnly !== true && (options.isOurs?.(row) ?? true)
    if (isOurs) await deletes.add(row)
  }
  let next = await here.next()
  for await (const row of flatten(counted)) {
    if (isRefused(row, { mirror, refused: counts.refused, options })) continue
    while (next.done !== true && compare(next.value, row) < 0) {
      await gone(next.value)
      next = await here.next()
    }
    if (next.done === true || compare(next.value, row) > 0) {
      if (options.updatesOnly !== true) await inserts.add(row)
      continue
    }
    if (!isSame(canonical(next.value), canonical(row), options)) await updates.add(row)
    next = await here.next()
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

const isFloat = (type: string): boolean => /^(real|double)/.test(type)
const isExact = (type: string): boolean => /^(smallint|integer|bigint|numeric)/.test(type)

type Compare = (left: string, right: string) => number

/** The order in which both databases give rows. */
function keyOrder(
  { columns, key }: Mirror,
  { toComparable = (_at, text) => text }: MirrorOptions,
): (stored: MirrorRow, row: MirrorRow) => number {
  const parts = key.map((name) => {
    const at = columns.findIndex((column) => column.name === name)
    return { at, compare: orderOf(columns[at]?.type ?? '') }
  })
  return (stored, row) => {
    for (const { at, compare } of parts) {
      const [one, other] = [toComparable(at, stored[at] ?? ''), row[at] ?? '']
      const difference = one === other ? 0 : compare(one, other)
      if (difference !== 0) return difference
    }
    return 0
  }
}

function orderOf(type: string): Compare {
  if (isFloat(type)) return (one, other) => Number(one) - Number(other)
  if (!isExact(type)) return (one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other))
  // Numbers of this program are exact up to 15 digits.
  return (one, other) =>
    one.length > 15 || other.length > 15 ? compareDigits(one, other) : Number(one) - Number(other)
}

function compareDigits(one: string, other: string): number {
  const [left = '', right = ''] = [one, other].map((text) => text.split('.')[1] ?? '')
  const most = Math.max(left.length, right.length)
  const digitsOf = (text: string, fraction: string): bigint =>
    BigInt((text.split('.')[0] ?? '') + fraction.padEnd(most, '0'))
  const [first, second] = [digitsOf(one, left), digitsOf(other, right)]
  return first < second ? -1 : first > second ? 1 : 0
}
