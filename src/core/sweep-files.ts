/** Compares everything that is in storage with every row: for when one of them was lost, or came from a backup. */
import type { Database } from '../domain/context.ts'
import { type Storage, variantPrefix } from '../domain/storage.ts'
import {
  deleteObject,
  keysWritten,
  type ObjectKeeper,
  type ObjectPlace,
  repairObjects,
  writeGrace,
} from './stored-objects.ts'

export type Swept = {
  /** Objects of ours that no row has: deleted, or to be deleted. */
  readonly orphans: readonly ObjectPlace[]
  /** Objects that no row has, under names that this server did not give: left alone. */
  readonly strangers: readonly ObjectPlace[]
  /** Rows whose object is not there. */
  readonly missing: readonly (ObjectPlace & { readonly id: string })[]
  /** Writes under way, or cut within the grace: left alone. */
  readonly unfinished: readonly ObjectPlace[]
}

export type SweepOptions = { readonly now: Date; readonly dry: boolean }

/** Nothing younger than the grace of a write is touched, nor what the journal knows. */
export async function sweepFiles(keeper: ObjectKeeper, { now, dry }: SweepOptions): Promise<Swept> {
  if (!dry) await repairObjects(keeper, now)
  const orphans: ObjectPlace[] = []
  const strangers: ObjectPlace[] = []
  const unfinished: ObjectPlace[] = []
  const before = new Date(now.getTime() - writeGrace)
  for (const [storage, location] of keeper.storage.locations) {
    for (const key of await keysWritten(keeper.db, storage)) unfinished.push({ storage, key })
    for await (const page of oldObjects(location, before)) {
      for (const key of await withoutRow(keeper.db, storage, page)) {
        const list = isOurs(key) ? orphans : strangers
        list.push({ storage, key })
      }
    }
  }
  if (!dry) for (const place of orphans) await deleteObject(keeper.storage, place)
  return { orphans, strangers, missing: await missingObjects(keeper), unfinished }
}

const pageSize = 500

async function* oldObjects(location: Storage, before: Date): AsyncGenerator<readonly string[]> {
  let page: string[] = []
  for await (const { key, modified } of location.list('')) {
    if (modified >= before) continue
    page.push(key)
    if (page.length === pageSize) {
      yield page
      page = []
    }
  }
  if (page.length > 0) yield page
}

/** A variant belongs to the object that its name begins with. */
async function withoutRow(db: Database, storage: string, keys: readonly string[]): Promise<readonly string[]> {
  const text = `select filename_disk as key from platform_files where storage = $1
      and (filename_disk = any($2) or regexp_replace(filename_disk, '[.][^./]*$', '') = any($3))
    union all select key from platform_stored_objects where storage = $1 and key = any($2)
    union all select key from platform_upload_segments where storage = $1 and key = any($2)`
  const bases = keys.map((key) => key.split('__', 1)[0] as string)
  const { rows } = await db.run({ text, values: [storage, keys, bases] })
  const known = (rows as readonly { readonly key: string }[]).map(({ key }) => key)
  const own = new Set(known)
  const prefixes = new Set(known.map(variantPrefix))
  return keys.filter((key) => !own.has(key) && !prefixes.has(`${key.split('__', 1)[0]}__`))
}

/** The names that uploads and transforms give: an id, a version, a variant, an extension. */
const isOurs = (key: string): boolean =>
  /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?:-\w{8})?(?:__[\w.-]+)?(?:\.[a-z0-9]{1,16})?$/.test(key)

async function missingObjects({ db, storage }: ObjectKeeper): Promise<Swept['missing']> {
  const missing: (ObjectPlace & { readonly id: string })[] = []
  let after = '00000000-0000-0000-0000-000000000000'
  for (;;) {
    const text = `select id, storage, filename_disk as key from platform_files
      where id > $1 and filename_disk is not null order by id limit ${pageSize}`
    const { rows } = await db.run({ text, values: [after] })
    const page = rows as Swept['missing']
    for (const place of page) {
      const location = storage.locations.get(place.storage)
      if (location === undefined || (await location.stat(place.key)) === null) missing.push(place)
    }
    if (page.length < pageSize) return missing
    after = page.at(-1)?.id as string
  }
}
