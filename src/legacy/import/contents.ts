/** Contents of files, from the folder or bucket of the installation into the storage here. */
import { ObjectMissing, type Storage } from '../../domain/ports/storage.ts'
import type { Mirror, MirrorRow } from '../../domain/ports/table-source.ts'
import { mirrorOf } from './rows/drafts.ts'

export type ContentsReport = {
  readonly copied: number
  readonly present: number
  readonly bytes: number
  /** Files without contents there, by their numbers. */
  readonly missing: readonly string[]
}

/** `key`: null for a name that cannot be used, and for none. */
export type StoredFile = { readonly number: string; readonly key: string | null }

/** What the contents of a file are found by. */
export const contentsMirror: Mirror = mirrorOf('platform_files', ['number'], {
  number: 'integer',
  filename_disk: 'varchar(255)',
  embed: 'varchar(200)',
})

/** Files that other services serve have no contents. */
export function storedOf({ columns }: Mirror, rows: readonly MirrorRow[]): readonly StoredFile[] {
  const [first, second, third] = ['number', 'filename_disk', 'embed'].map((name) =>
    columns.findIndex((column) => column.name === name),
  ) as [number, number, number]
  return rows.flatMap((row) => {
    const [number, key = null] = [row[first], row[second]]
    return number == null || row[third] !== null ? [] : [{ number, key }]
  })
}

/** Files that are copied at the same time. */
const atOnce = 16

/** Copies what is not here in the same size. With `from` null, the contents are in place and are looked for only. */
export async function copyContents(
  files: AsyncIterable<StoredFile>,
  {
    from,
    to,
    dry,
    onProgress,
  }: {
    readonly from: Storage | null
    readonly to: Storage
    readonly dry: boolean
    readonly onProgress: (done: number) => void
  },
): Promise<ContentsReport> {
  const report = { copied: 0, present: 0, bytes: 0, missing: [] as string[] }
  let done = 0
  await withEach(files, async (file) => {
    await copyOne(file, { from, to, dry, report })
    done += 1
    onProgress(done)
  })
  return { ...report, missing: sorted(report.missing) }
}

const sorted = (numbers: readonly string[]): readonly string[] =>
  numbers.toSorted((left, right) => Number(left) - Number(right))

/** Several files at the same time. */
async function withEach(
  files: Iterable<StoredFile> | AsyncIterable<StoredFile>,
  work: (file: StoredFile) => Promise<void>,
): Promise<void> {
  const next = Symbol.asyncIterator in files ? files[Symbol.asyncIterator]() : files[Symbol.iterator]()
  const workOff = async (): Promise<void> => {
    for (let each = await next.next(); each.done !== true; each = await next.next()) await work(each.value)
  }
  await Promise.all(Array.from({ length: atOnce }, workOff))
}

export type FoundContents = { readonly found: number; readonly bytes: number; readonly missing: readonly string[] }

/** Looks for contents, and copies nothing. */
export async function findContents(files: readonly StoredFile[], from: Storage): Promise<FoundContents> {
  const sum = { found: 0, bytes: 0 }
  const missing: string[] = []
  await withEach(files, async ({ number, key }) => {
    const there = key === null ? null : await from.stat(key)
    if (there === null) missing.push(number)
    else {
      sum.found += 1
      sum.bytes += there.size
    }
  })
  return { ...sum, missing: sorted(missing) }
}

type Target = {
  readonly from: Storage | null
  readonly to: Storage
  readonly dry: boolean
  readonly report: { copied: number; present: number; bytes: number; readonly missing: string[] }
}

async function copyOne({ number, key }: StoredFile, { from, to, dry, report }: Target): Promise<void> {
  if (key === null) {
    report.missing.push(number)
    return
  }
  const [here, there] = await Promise.all([to.stat(key), from === null ? null : from.stat(key)])
  if (from === null || (here !== null && here.size === there?.size)) {
    if (here === null) report.missing.push(number)
    else report.present += 1
    return
  }
  if (there === null || dry) {
    report.missing.push(number)
    return
  }
  try {
    const { size } = await to.write(key, await from.read(key))
    report.copied += 1
    report.bytes += size
  } catch (error) {
    if (!(error instanceof ObjectMissing)) throw error
    report.missing.push(number)
  }
}
