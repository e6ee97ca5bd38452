/** Contents of files, from the folder or bucket of the installation into the storage here. */
import { ObjectMissing, type Storage } from '../../domain/ports/storage.ts'
import type { Mirror, MirrorRow } from '../../domain/ports/table-source.ts'
import { mirrorOf } from './rows/drafts.ts'

export type ContentsReport = {
  readonly copied: number
  readonly present: number
  readonly bytes: number
  /** Files without contents there, in the order of their numbers. */
  readonly missing: readonly MissingFile[]
}

/** `id`: null before the file is here. `name`: what it is downloaded as. */
export type MissingFile = { readonly number: string; readonly id: string | null; readonly name: string | null }

/** `key`: null for a name that cannot be used, and for none. */
export type StoredFile = MissingFile & { readonly key: string | null }

/** What the contents of a file are found by. */
export const contentsMirror = mirrorOf(
  'platform_files',
  ['number'],
  `number integer, filename_disk varchar(255), embed varchar(200), id uuid, filename_download varchar(255)`,
)

/** Files that other services serve have no contents. */
export function storedOf({ columns }: Mirror, rows: readonly MirrorRow[]): readonly StoredFile[] {
  const at = new Map(columns.map(({ name }, index) => [name, index]))
  const valueOf = (row: MirrorRow, column: string): string | null => row[at.get(column) ?? -1] ?? null
  return rows.flatMap((row) => {
    const number = valueOf(row, 'number')
    if (number === null || valueOf(row, 'embed') !== null) return []
    const [key, id, name] = ['filename_disk', 'id', 'filename_download'].map((column) => valueOf(row, column))
    return { number, key: key ?? null, id: id ?? null, name: name ?? null }
  })
}

/** Files that are copied at the same time. */
const atOnce = 16

type Target = { readonly from: Storage | null; readonly to: Storage; readonly dry: boolean }

/** Copies what is not here in the same size. With `from` null, the contents are in place and are looked for only. */
export async function copyContents(
  files: AsyncIterable<StoredFile>,
  target: Target,
  onProgress: (done: number) => void,
): Promise<ContentsReport> {
  const report = { copied: 0, present: 0, bytes: 0, missing: [] as StoredFile[] }
  let done = 0
  await withEach(files, async (file) => {
    const outcome = await copyOne(file, target)
    if (outcome === 'missing') report.missing.push(file)
    else if (outcome === 'present') report.present += 1
    else {
      report.copied += 1
      report.bytes += outcome.size
    }
    onProgress((done += 1))
  })
  return { ...report, missing: sorted(report.missing) }
}

const sorted = (files: readonly StoredFile[]): readonly MissingFile[] =>
  files
    .toSorted((left, right) => Number(left.number) - Number(right.number))
    .map(({ number, id, name }) => ({ number, id, name }))

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

export type FoundContents = {
  readonly present: number
  readonly bytes: number
  readonly missing: readonly MissingFile[]
}

/** Looks for contents, and copies nothing. */
export async function findContents(files: readonly StoredFile[], from: Storage): Promise<FoundContents> {
  const sum = { present: 0, bytes: 0 }
  const missing: StoredFile[] = []
  await withEach(files, async (file) => {
    const there = file.key === null ? null : await from.stat(file.key)
    if (there === null) missing.push(file)
    else {
      sum.present += 1
      sum.bytes += there.size
    }
  })
  return { ...sum, missing: sorted(missing) }
}

async function copyOne(
  { key }: StoredFile,
  { from, to, dry }: Target,
): Promise<'missing' | 'present' | { readonly size: number }> {
  if (key === null) return 'missing'
  const [here, there] = await Promise.all([to.stat(key), from === null ? null : from.stat(key)])
  if (here !== null && (from === null || here.size === there?.size)) return 'present'
  if (from === null || there === null || dry) return 'missing'
  try {
    return await to.write(key, await from.read(key))
  } catch (error) {
    if (!(error instanceof ObjectMissing)) throw error
    return 'missing'
  }
}
