import type { Storage, StorageLocations } from '../domain/ports/storage.ts'
import { createLocalStorage } from './local.ts'
import type { S3Options } from './s3.ts'

/** The settings of one location, `STORAGE_<NAME>_*`. */
export type LocationOptions =
  | { readonly driver: 'local'; readonly root: string }
  | ({ readonly driver: 's3' } & S3Options)

/** The locations by name. New files go to the first. */
export type LocationsOptions = readonly (readonly [name: string, options: LocationOptions])[]

export type OpenLocations = StorageLocations & {
  readonly close: () => void
}

/** Creates the storages without connecting. The S3 SDK is loaded only if a location uses it. */
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
  if (primary === undefined) throw new Error('Expected at least one storage location')
  return { locations, primary, close: () => closing.forEach((close) => close()) }
}
