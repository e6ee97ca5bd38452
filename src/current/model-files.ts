/** Snapshots for the command line. */
import type { ModelFiles } from '../http/generation.ts'
import { parseSnapshot } from './schema-given.ts'
import { describeDiff } from './schema-plan.ts'
import { applyDiff, compareSnapshot, readSnapshot } from './schema-sync.ts'

/** The same as `/schema` does for clients. */
export const modelFiles: ModelFiles = {
  snapshot: readSnapshot,
  compare(ctx, given, force) {
    const found = compareSnapshot(ctx, parseSnapshot(given), force)
    return found === null ? null : { diff: found, lines: describeDiff(found.diff), apply: () => applyDiff(ctx, found) }
  },
}
