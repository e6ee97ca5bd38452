/** Files: rows whose bytes are in storage. A row comes and goes with its bytes, whatever happens in between. */
import type { Context } from '../domain/context.ts'
import type { Changes, Key } from '../domain/mutation.ts'
import { isObjectKey } from '../domain/storage.ts'
import type { Incoming, Part } from '../domain/upload.ts'
import { markOf } from './disk-names.ts'
import { assertAllowed, describe, type StoredContents, storeContents, values } from './file-contents.ts'
import {
  assertCovered,
  assertLocation,
  assertStorable,
  assertUpdatable,
  asUploader,
  collectionOf,
  type Destined,
  invalid,
  textOf,
  without,
} from './file-rights.ts'
import { readFileRules } from './file-settings.ts'
import { assertKeepsContents } from './guard-files.ts'
import { abandon, claimObject, deleteDoomed, isTaken, keeperOf, locationOf } from './stored-objects.ts'
import { withTransaction } from './transaction.ts'
import type { Draft } from './write-batch.ts'
import { createRelated, updateRelated } from './write-related.ts'

/** Text values → what they say about the file, in core names. */
type Reading = (said: { readonly [name: string]: unknown }) => Changes

/** Creates a file of each file part, with the values that stand before it; all or none. */
export async function createFromParts(
  ctx: Context,
  parts: AsyncIterable<Part>,
  read: Reading,
): Promise<readonly Key[]> {
  return storing(ctx, parts, (incoming, said) =>
    storeDestined(ctx, incoming, { id: ctx.ids.uuid(), replaces: false, changes: read(said) }),
  )
}

/** Creates a file of contents from elsewhere. `known`: facts that the contents do not tell. */
export async function createFromIncoming(
  ctx: Context,
  incoming: Incoming,
  { changes, known = new Map() }: { readonly changes: Changes; readonly known?: Changes },
): Promise<readonly Key[]> {
  const waiting = await storeDestined(ctx, incoming, { id: ctx.ids.uuid(), replaces: false, changes })
  const facts = new Map([...waiting.contents.facts, ...known])
  return createStored(ctx, [{ ...waiting, contents: { ...waiting.contents, facts } }])
}

/** Makes that file of the contents; `also` is done in the same transaction. */
export async function storeAs(
  ctx: Context,
  incoming: Incoming,
  destined: Destined,
  also: (inner: Context) => Promise<void> = async () => {},
): Promise<readonly Key[]> {
  const waiting = await storeDestined(ctx, incoming, destined)
  return createStored(ctx, [waiting], also)
}

async function storeDestined(ctx: Context, incoming: Incoming, destined: Destined): Promise<Waiting> {
  const { id, replaces } = destined
  const storage = await assertStorable(ctx, destined)
  const version = replaces ? { version: markOf(ctx) } : {}
  const contents = await storeContents(ctx, incoming, { storage, id, ...version })
  return { id, replaces, changes: without(destined.changes, 'storage'), contents }
}

/** A file whose bytes are in storage already, under a name that no other file has. */
export async function registerFile(ctx: Context, given: Changes): Promise<readonly Key[]> {
  const own = new Set(['storage', 'filename_disk', 'filename_download', 'type'])
  const changes: Changes = new Map([...given].filter(([name]) => !own.has(name)))
  assertCovered(ctx, 'create', given)
  assertKeepsContents(ctx, changes)
  const type = textOf(given, 'type') ?? missing('type')
  const key = textOf(given, 'filename_disk') ?? missing('filename_disk')
  const place = { storage: textOf(given, 'storage') ?? ctx.storage.primary, key }
  assertLocation(ctx, place.storage)
  const rules = await readFileRules(ctx)
  assertAllowed(ctx, rules, type)
  const found = isObjectKey(key) && !key.includes('__') ? await locationOf(ctx.storage, place.storage).stat(key) : null
  if (found === null || (await isTaken(ctx.db, place))) {
    throw invalid('filename_disk', 'Expected the name of a stored file that belongs to no other for "filename_disk"')
  }
  const filename = textOf(given, 'filename_download') ?? (key.split('/').at(-1) as string)
  const { folder } = rules
  const said = await describe(ctx, place, { filename, folder, type, size: found.size, checksum: null, charset: null })
  const contents = { place, ...said }
  return withTransaction(ctx, async (inner) => [await createRow(inner, { id: ctx.ids.uuid(), changes, contents })])
}

/** Gives a file other contents, and the values that stand before them. The old ones go when the new ones are there. */
export async function replaceContents(
  ctx: Context,
  key: Key,
  { parts, read }: { readonly parts: AsyncIterable<Part>; readonly read: Reading },
): Promise<readonly Key[]> {
  const id = await assertUpdatable(ctx, key)
  const store: Store = (incoming, said) => storeDestined(ctx, incoming, { id, replaces: true, changes: read(said) })
  const keys = await storing(ctx, parts, store, 1)
  await deleteDoomed(keeperOf(ctx))
  return keys
}

/** A file that waits to be written: a new one, or with `replaces` the one of that id with other contents. */
export type Waiting = {
  readonly id: string
  readonly replaces?: boolean
  readonly changes: Changes
  readonly contents: StoredContents
}

type Said = { readonly [name: string]: unknown }

type Store = (incoming: Incoming, said: Said) => Promise<Waiting>

/** Stores part after part, then writes all rows at once; a failure leaves neither rows nor objects. */
async function storing(ctx: Context, parts: AsyncIterable<Part>, store: Store, most = 100): Promise<readonly Key[]> {
  const waiting: Waiting[] = []
  let said: { [name: string]: unknown } = {}
  try {
    for await (const part of parts) {
      if (part.kind === 'value') {
        if (Object.hasOwn(said, part.name)) throw invalid(part.name, `Expected one part "${part.name}" for each file`)
        said = { ...said, [part.name]: readValue(part.name, part.value) }
        continue
      }
      if (waiting.length === most) throw invalid(part.name, `Expected at most ${most} files but received more`)
      waiting.push(await store(part, said))
      said = {}
    }
    const [late] = Object.keys(said)
    if (late !== undefined) throw invalid(late, `Expected the part "${late}" before the file that it belongs to`)
    if (waiting.length === 0) throw invalid('file', 'Expected a part with a file but received none')
  } catch (error) {
    await abandon(
      keeperOf(ctx),
      waiting.map(({ contents }) => contents.place),
    )
    throw error
  }
  return createStored(ctx, waiting)
}

/** Writes the rows of stored contents; a failure leaves neither rows nor objects. */
export async function createStored(
  ctx: Context,
  waiting: readonly Waiting[],
  also: (inner: Context) => Promise<void> = async () => {},
): Promise<readonly Key[]> {
  try {
    return await withTransaction(ctx, async (inner) => {
      const keys: Key[] = []
      for (const each of waiting) {
        await claimObject(inner.db, each.contents.place)
        keys.push(await (each.replaces === true ? updateRow(inner, each) : createRow(inner, each)))
      }
      await also(inner)
      return keys
    })
  } catch (error) {
    await abandon(
      keeperOf(ctx),
      waiting.map(({ contents }) => contents.place),
    )
    throw error
  }
}

async function createRow(ctx: Context, { id, changes, contents }: Waiting): Promise<Key> {
  const given = { id, private_hash: toHash(ctx.ids.uuid()) }
  const fill = new Map([...values(given), ...contents.defaults])
  const draft: Draft = { changes: new Map([...without(changes, 'storage'), ...contents.facts]), path: '', fill }
  const [key] = await createRelated(asUploader(ctx, 'create', contents.facts), collectionOf(ctx), [draft])
  return key as Key
}

/** 16 characters that nobody guesses: 82 bits of a random uuid. */
const toHash = (uuid: string): string =>
  BigInt(`0x${uuid.replaceAll('-', '')}`)
    .toString(36)
    .slice(-16)

async function updateRow(ctx: Context, { id, changes, contents }: Waiting): Promise<Key> {
  const all = new Map([...changes, ...contents.facts])
  await updateRelated(asUploader(ctx, 'update', contents.facts), collectionOf(ctx), [
    { key: id, changes: all, path: '' },
  ])
  return id
}

/** A part is text; three words, and the JSON of fields that hold JSON, mean more. */
export function readValue(name: string, text: string): unknown {
  if (text === 'null') return null
  if (text === 'true' || text === 'false') return text === 'true'
  if (name !== 'tags' && name !== 'metadata') return text
  try {
    return JSON.parse(text) as unknown
  } catch {
    throw invalid(name, `Expected JSON for "${name}"`)
  }
}

const missing = (name: string): never => {
  throw invalid(name, `Expected a text for "${name}" but received nothing`)
}
