/** Converts `STORAGE_LOCATIONS` and the settings `STORAGE_<NAME>_*`. */
import { join, resolve } from 'node:path'
import type { LocationOptions, LocationsOptions } from '../storage/locations.ts'
import { refuse } from './error.ts'
import type { ReadSetting } from './kinds.ts'
import { type LocationValues, locationSettings } from './settings/locations.ts'

/** Base folders of relative paths: that of the settings, and the data directory. */
type Folders = { readonly folder: string; readonly dataDir: string }

/** The options of each storage location, in order. */
export function toLocations(names: readonly string[], read: ReadSetting, folders: Folders): LocationsOptions {
  const wrong = names.find((name) => !/^[A-Za-z][A-Za-z0-9_]{0,62}$/.test(name))
  if (wrong !== undefined || names.length === 0 || new Set(names).size < names.length)
    refuse('STORAGE_LOCATIONS', 'different names of letters, digits and underscores', JSON.stringify(names))
  return names.map((name) => {
    const prefix = `STORAGE_${name.toUpperCase()}_`
    const rows = Object.entries(locationSettings)
    const values = Object.fromEntries(rows.map(([key, row]) => [key, read(`${prefix}${key}`, row)]))
    return [name, toLocation(values as unknown as LocationValues, prefix, folders)]
  })
}

function toLocation(values: LocationValues, prefix: string, folders: Folders): LocationOptions {
  if (values.DRIVER === 'local') {
    const root = values.ROOT === null ? join(folders.dataDir, 'uploads') : resolve(folders.folder, values.ROOT)
    return { driver: 'local', root }
  }
  if (values.BUCKET === null) return refuse(`${prefix}BUCKET`, 'the name of a bucket', 'nothing')
  if ((values.KEY === null) !== (values.SECRET === null))
    return refuse(`${prefix}KEY`, `${prefix}KEY and ${prefix}SECRET, or neither`, 'one of them')
  return {
    driver: 's3',
    key: values.KEY,
    secret: values.SECRET,
    bucket: values.BUCKET,
    region: values.REGION,
    endpoint: values.ENDPOINT,
    forcePathStyle: values.FORCE_PATH_STYLE,
    root: values.ROOT ?? '',
    acl: values.ACL,
    serverSideEncryption: values.SERVER_SIDE_ENCRYPTION,
  }
}
