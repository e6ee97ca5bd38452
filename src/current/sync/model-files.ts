/** Snapshots for the command line. */
import { showNamesIn, storeNamesIn } from '../../domain/model/system-spelling.ts'
import type { ModelFiles } from '../../http/app/generation.ts'
import { adoptSnapshot } from './foreign-snapshot.ts'
import { describeDiff } from './schema-plan.ts'
import { isPartial, withPlatformKeys } from './schema-snapshot.ts'
import { applyDiff, compareSnapshot, readSnapshot } from './schema-sync.ts'

/** Does what `/schema` does for clients. */
export const modelFiles: ModelFiles = {
  snapshot: (ctx, { include, exclude }) =>
    withPlatformKeys(
      readSnapshot(ctx, { include: { name: '--include', raw: include }, exclude: { name: '--exclude', raw: exclude } }),
      ctx.server.compatibleVersion,
    ),
  compare(ctx, input, force) {
    const snapshot = adoptSnapshot(ctx, input)
    const diff = compareSnapshot(ctx, snapshot, force)
    if (diff === null) return null
    const lines = [...(isPartial(snapshot) ? [partialNote] : []), ...describeDiff(diff.diff)]
    return { diff: diff, lines, apply: () => applyDiff(ctx, diff) }
  },
}

/** The same with names of system collections that have another prefix. */
export const spelledModelFiles = (prefix: string): ModelFiles => ({
  snapshot: (ctx, only) => showNamesIn(modelFiles.snapshot(ctx, storeNamesIn(only, prefix)), prefix),
  compare: (ctx, input, force) => modelFiles.compare(ctx, storeNamesIn(input, prefix), force),
})

const partialNote = 'A partial snapshot: collections that it does not hold stay as they are.'
