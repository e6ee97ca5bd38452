/** Checks written rows inside their transaction. */
import type { Context } from '../../domain/ports/context.ts'
import type { WriteLog, Written } from '../../domain/ports/write-log.ts'
import type { Key } from '../../domain/query/key.ts'
import { withTransaction } from '../rows/transaction.ts'

export type JudgedWrite = {
  readonly collection: string
  readonly work: (inner: Context) => Promise<readonly Key[]>
  readonly judge: (inner: Context, written: Written) => Promise<void>
}

/** Does the work in one transaction, then passes each of its writes to the collection to the judge, in order. */
export function judgeWritten(
  ctx: Context,
  { written }: WriteLog,
  { collection, work, judge }: JudgedWrite,
): Promise<readonly Key[]> {
  return withTransaction(ctx, async (inner) => {
    const before = written.length
    const keys = await work(inner)
    for (const each of written.slice(before)) if (each.collection === collection) await judge(inner, each)
    return keys
  })
}
