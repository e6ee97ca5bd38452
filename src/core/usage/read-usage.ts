/** The counted usage, with the successors of operations of an older generation. */
import type { Context } from '../../domain/ports/context.ts'
import type { Successors } from '../../domain/ports/operation.ts'
import { succeeded, successors } from '../../generated/successors.ts'
import { type CountedUse, readUsageCounts, type UsageFilter } from '../../sql/statements/operation/usage.ts'

const existing: Successors = successors

export type ReadUse = Omit<CountedUse, 'calls'> & {
  readonly calls: number
  /** Method and path of an operation of an older generation; else null. */
  readonly called: string | null
  readonly successors: Successors[string]['operations']
  readonly changes: string | null
}

/** Reads uses, also those that this process has not written yet. */
export async function readUsage(
  { db, server }: Pick<Context, 'db' | 'server'>,
  filter: UsageFilter,
): Promise<readonly ReadUse[]> {
  await server.flushUsage?.()
  return (await readUsageCounts(db, filter)).map(toUse)
}

/** Adds the successors. */
function toUse(use: CountedUse): ReadUse {
  const old = use.generation === succeeded ? existing[use.operation] : undefined
  const calls = Number(use.calls)
  if (old === undefined) return { ...use, calls, called: null, successors: [], changes: null }
  return { ...use, calls, called: old.called, successors: old.operations, changes: old.changes }
}
