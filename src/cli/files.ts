/** `tandem files sweep`. */
import { writeGrace } from '../core/objects/stored-objects.ts'
import { sweepFiles } from '../core/objects/sweep-files.ts'
import { openLocations } from '../storage/locations.ts'
import { print, quietLog, withTables } from './database.ts'
import { withProgress } from './progress.ts'

/** Deletes objects without a row, and reports rows without an object. */
export const sweepStorage = ({ dryRun }: { readonly dryRun: boolean }): Promise<void> =>
  withTables(async (db, config) => {
    const storage = await openLocations(config.storage)
    try {
      const options = { now: new Date(), dry: dryRun }
      const work = () => sweepFiles({ db, storage, log: quietLog }, options)
      const { orphans, strangers, missing, unfinished } = await withProgress('Comparing storage and rows', work)
      for (const each of orphans) print(`${dryRun ? 'Would delete' : 'Deleted'} ${each.storage}: ${each.key}`)
      for (const each of strangers) print(`Kept, belongs to no file: ${each.storage}: ${each.key}`)
      for (const each of missing) print(`The file ${each.id} has no contents: ${each.storage}: ${each.key}`)
      for (const each of unfinished)
        print(
          `Kept, being written or interrupted less than ${writeGrace / 60_000} minutes ago: ${each.storage}: ${each.key}`,
        )
      print(`${orphans.length} orphans, ${strangers.length} strangers, ${missing.length} files without contents.`)
    } finally {
      storage.close()
    }
  })
