/** The storage locations that configuration names. */
import type { Storage, StorageLocations } from '../domain/storage.ts'
import { createLocalStorage } from './local.ts'
import type { S3Options } from './s3.ts'

/** One location, as `STORAGE_<NAME>_*` describes it. */
export type LocationOptions =
  | { readonly driver: 'local'; readonly root: string }
  | ({ readonly driver: 's3' } & S3Options)

/** By name; new files go to the first. */
export type LocationsOptions = readonly (readonly [name: string, options: LocationOptions])[]

export type OpenLocations = StorageLocations & {
  /** Lets go of connections. */
  readonly close: () => void
}

/** Opens them; what lies behind is asked when it is needed. The SDK of buckets is loaded only for those who have one. */
export async function openLocations(options: LocationsOptions): Promise<OpenLocations> {
  const closing: (() => void)[] = []
  const locations = new Map<string, Storage>()
  for (const [name, location] of options) {
    if (location.driver === 'local') locations.set(name, createLocalStorage(location.root))
    else {
      const { createS3Storage } = await import('./s3.ts')
      const storage = createS3Storage(location)
      closing.push(storage.close)
      locations.set(name, storage)
    }
  }
  const primary = options[0]?.[0]
  if (primary === undefined) throw new Error('There is no storage location')
  return { locations, primary, close: () => closing.forEach((close) => close()) }
}
