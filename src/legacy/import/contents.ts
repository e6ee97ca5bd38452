/** Contents of files, from the folder or bucket of the installation into the storage here. */
import { ObjectMissing, type Storage } from '../../domain/ports/storage.ts'

export type ContentsReport = {
  readonly copied: number
  readonly present: number
  readonly bytes: number
  /** Files without contents there, by their numbers. */
  readonly missing: readonly string[]
}

export type StoredFile = { readonly number: string; readonly key: string }

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
  const next = files[Symbol.asyncIterator]()
  let done = 0
  const work = async (): Promise<void> => {
    for (let each = await next.next(); each.done !== true; each = await next.next()) {
      await copyOne(each.value, { from, to, dry, report })
      done += 1
      onProgress(done)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return { ...report, missing: report.missing.toSorted((left, right) => Number(left) - Number(right)) }
}

type Target = {
  readonly from: Storage | null
  readonly to: Storage
  readonly dry: boolean
  readonly report: { copied: number; present: number; bytes: number; readonly missing: string[] }
}

async function copyOne({ number, key }: StoredFile, { from, to, dry, report }: Target): Promise<void> {
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
