/** Several works in one transaction, each as if it were alone. */
import type { Context } from '../../domain/ports/context.ts'
import { TandemError } from '../../domain/rights/errors.ts'
import { isCanceled } from '../../sql/errors/refusals.ts'
import { checkDeferred, limitStatements } from '../../sql/statements/batch/transactions.ts'
import { withoutHiddenNames } from '../rows/hide-names.ts'
import { rolledBack, withTransaction } from '../rows/transaction.ts'
import { explainingUnreached } from '../rows/unreached.ts'
import { withSavepoints } from './whole-database.ts'

/** Milliseconds that a batch may take, if the settings do not say. */
const usualTime = 30_000

export const timeOf = ({ limits }: Pick<Context, 'limits'>): number => limits.batchTime ?? usualTime

/** `what`: the name of the work in errors. */
type TogetherOptions = { readonly dryRun: boolean; readonly what?: 'batch' | 'import' }

/**
 * Does the work in one transaction, which is rolled back with `dryRun`. Its parts use the inner ctx, and share the limit
 * of written items of one request. The work may be repeated after a conflict with another transaction, so
 * it changes nothing but the database.
 */
export async function runAsOne<T>(
  ctx: Context,
  { dryRun, what = 'batch' }: TogetherOptions,
  work: (inner: Context) => Promise<T>,
): Promise<T> {
  const { batch } = ctx.limits
  const whole = async (inner: Context): Promise<T> => {
    const { db } = inner
    await limitStatements(db, timeOf(ctx))
    const own = { ...inner, db: withSavepoints(db), ...(batch === null ? {} : { budget: { left: batch } }) }
    const result = await work(own).catch((error: unknown) => {
      throw withLimit(error, `A statement of the ${what} took longer than ${timeOf(ctx)} ms (BATCH_TIMEOUT)`)
    })
    // Otherwise a dry run would miss errors of the commit.
    if (dryRun) await checkAsCommit(inner)
    return result
  }
  return dryRun ? explainingUnreached(ctx, () => rolledBack(ctx, whole)) : withTransaction(ctx, whole)
}

/** Names the limit in the error of a statement that was cancelled. */
function withLimit(error: unknown, reason: string): unknown {
  if (!(error instanceof TandemError) || !isCanceled(error)) return error
  const [failure] = error.failures
  return failure.kind === 'unavailable' ? new TandemError({ ...failure, reason }, { cause: error }) : error
}

async function checkAsCommit(ctx: Pick<Context, 'db' | 'schema' | 'actor'>): Promise<void> {
  try {
    await checkDeferred(ctx.db)
  } catch (error) {
    throw withoutHiddenNames(ctx, error)
  }
}
