/** Work whose rows are judged after they are written, inside its transaction. */
import type { Context, Written } from '../../domain/ports/context.ts'
import type { Key } from '../../domain/query/mutation.ts'
import { withTransaction } from '../rows/transaction.ts'

type Work = (inner: Context) => Promise<readonly Key[]>

/** Does the work in a transaction of its own, then hands each of its writes to the collection to the judge, in order. */
export function judgeWritten(
  ctx: Context,
  collection: string,
  { work, judge }: { readonly work: Work; readonly judge: (inner: Context, written: Written) => Promise<void> },
): Promise<readonly Key[]> {
  return withTransaction(ctx, async (base) => {
    const written: Written[] = []
    const onWritten = (each: Written): void => {
      if (each.collection === collection) written.push(each)
      ctx.onWritten?.(each)
    }
    const inner: Context = { ...base, onWritten }
    const keys = await work(inner)
    for (const each of written) await judge(inner, each)
    return keys
  })
}
