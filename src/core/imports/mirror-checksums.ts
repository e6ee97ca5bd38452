/** Checksums of rows, whatever their order. */

import type { Database } from '../../domain/ports/context.ts'
import type { Mirror, MirrorRow } from '../../domain/ports/table-source.ts'
import { withSortedNames } from '../../domain/sorted-names.ts'
import { keepsJson, readMirrored } from '../../sql/statements/mirror-rows.ts'
import { sha1 } from '../../tokens/digest.ts'

export type ChecksumOptions = {
  /** Rows here that the import is about; others stay. Absent: all. */
  readonly isOurs?: (row: MirrorRow) => boolean
  /** A stored value in the notation of the source's, by the number of its column. */
  readonly toComparable?: (at: number, text: string) => string
}

/** Rows as they are compared: JSON as a value where the database here does not keep its text. */
export function canonicalRows(db: Pick<Database, 'dialect'>, { columns }: Mirror): (row: MirrorRow) => MirrorRow {
  const isChanged = columns.map(({ type }) => type === 'json' && !keepsJson(db))
  if (!isChanged.includes(true)) return (row) => row
  return (row) => row.map((value, at) => (value !== null && isChanged[at] === true ? canonicalJson(value) : value))
}

/** One text for each value: names in their order, numbers of eight bytes. */
const canonicalJson = (text: string): string => JSON.stringify(withSortedNames(JSON.parse(text)))

/** The sum of the digests of rows, so that their order does not matter. */
export function createChecksum() {
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

/** Counts the rows that one side has and the other has not. Equal rows of a table without a key count as often as they are there. */
export function createDifference() {
  const surplus = new Map<number, number>()
  const add = (row: MirrorRow, count: 1 | -1): void => {
    const digest = Number.parseInt(sha1(JSON.stringify(row)).slice(0, 13), 16)
    const left = (surplus.get(digest) ?? 0) + count
    if (left === 0) surplus.delete(digest)
    else surplus.set(digest, left)
  }
  return {
    addSource: (row: MirrorRow): void => add(row, 1),
    addHere: (row: MirrorRow): void => add(row, -1),
    counts: () => {
      let [created, deleted] = [0, 0]
      for (const left of surplus.values()) {
        if (left > 0) created += left
        else deleted -= left
      }
      return { created, deleted }
    },
  }
}

/** The rows here, in the notation of the source. */
export async function* comparableRows(
  db: Database,
  mirror: Mirror,
  { isOurs = () => true, toComparable }: ChecksumOptions,
): AsyncGenerator<MirrorRow> {
  const canonical = canonicalRows(db, mirror)
  for await (const page of readMirrored(db, mirror)) {
    for (const row of page.filter(isOurs))
      yield canonical(
        toComparable === undefined ? row : row.map((value, at) => (value === null ? null : toComparable(at, value))),
      )
  }
}

export async function checksumHere(
  db: Database,
  mirror: Mirror,
  options: ChecksumOptions,
): Promise<{ readonly rows: number; readonly checksum: string }> {
  const sum = createChecksum()
  let rows = 0
  for await (const row of comparableRows(db, mirror, options)) {
    sum.add(row)
    rows += 1
  }
  return { rows, checksum: sum.text() }
}
