/** Creates and replaces files. The row and the stored object are always consistent. */
import type { Context, ReadContext } from '../../domain/ports/context.ts'
import { isObjectKey } from '../../domain/ports/storage.ts'
import type { Incoming, Part } from '../../domain/ports/uploads.ts'
import type { Key } from '../../domain/query/key.ts'
import type { Changes } from '../../domain/query/mutation.ts'
import { invalidPayload } from '../../domain/rights/errors.ts'
import { isObjectKnown } from '../../sql/statements/stored-objects.ts'
import { type Received, writeAlone } from '../batch/received.ts'
import { assertAllowed, readFileRules } from '../guards/file-settings.ts'
import { assertKeepsContents } from '../guards/guard-files.ts'
import { assertExpected, type Expected } from '../items/content-tags.ts'
import { markOf } from '../objects/disk-names.ts'
import { abandon, deleteReleased, keeperOf, locationOf } from '../objects/stored-objects.ts'
import { afterCommit, withTransaction } from '../rows/transaction.ts'
import { describe, storeContents } from './file-contents.ts'
import {
  assertCovered,
  assertStorable,
  assertUpdatable,
  type FileTarget,
  locationIn,
  textOf,
  without,
} from './file-rights.ts'
import { createRow, receivedOf, type StoredDraft, type TransactionSteps } from './file-rows.ts'

/** Parses text values into changes of a file, in core names. */
type ReadFormValues = (message: { readonly [name: string]: unknown }) => Changes

/** Receives one file per file part, with the values before it. */
export function receiveParts(
  ctx: Context,
  parts: AsyncIterable<Part>,
  read: ReadFormValues,
  late?: Set<string>,
): Promise<Received> {
  const store: Store = (incoming, formValues) =>
    storeDestined(ctx, incoming, { id: ctx.ids.uuid(), replaces: false, changes: read(formValues) })
  return storing(ctx, parts, store, { late })
}

/** Receives the contents of a new file. `existing`: facts that cannot be read from the contents. */
export async function receiveIncoming(
  ctx: Context,
  incoming: Incoming,
  { changes, existing = new Map() }: { readonly changes: Changes; readonly existing?: Changes },
): Promise<Received> {
  const waiting = await storeDestined(ctx, incoming, { id: ctx.ids.uuid(), replaces: false, changes })
  const facts = new Map([...waiting.contents.facts, ...existing])
  return receivedOf(ctx, [{ ...waiting, contents: { ...waiting.contents, facts } }])
}

/** Receives the contents of the target. Old contents are deleted after the commit. */
export async function receiveAs(ctx: Context, incoming: Incoming, target: FileTarget): Promise<Received> {
  const waiting = await storeDestined(ctx, incoming, target)
  return receivedOf(ctx, [waiting], target.replaces ? { also: deleteOld } : {})
}

/** Creates or replaces the file. `also` runs in the same transaction. */
export async function storeAs(
  ctx: Context,
  incoming: Incoming,
  destined: FileTarget,
  also: (inner: Context) => Promise<void> = async () => {},
): Promise<readonly Key[]> {
  const waiting = await storeDestined(ctx, incoming, destined)
  return writeAlone(ctx, Promise.resolve(receivedOf(ctx, [waiting], { also })))
}

async function storeDestined(ctx: Context, incoming: Incoming, destined: FileTarget): Promise<StoredDraft> {
  const { id, replaces } = destined
  const storage = await assertStorable(ctx, destined)
  const version = replaces ? { version: markOf(ctx) } : {}
  const contents = await storeContents(ctx, incoming, { storage, id, ...version })
  return { id, replaces, changes: without(destined.changes, 'storage'), contents }
}

/** Registers an existing object as a file. The object must not belong to another file. */
export async function registerFile(ctx: Context, input: Changes): Promise<readonly Key[]> {
  const own = new Set(['storage', 'filename_disk', 'filename_download', 'type'])
  const changes: Changes = new Map([...input].filter(([name]) => !own.has(name)))
  assertCovered(ctx, 'create', input)
  assertKeepsContents(ctx, changes)
  const required = (name: string): string => textOf(input, name) ?? missing(name)
  const type = required('type')
  const key = required('filename_disk')
  const location = { storage: locationIn(ctx, input), key }
  const rules = await readFileRules(ctx)
  assertAllowed(ctx, rules, type)
  const stat =
    isObjectKey(key) && !key.includes('__') ? await locationOf(ctx.storage, location.storage).stat(key) : null
  if (stat === null || (await isObjectKnown(ctx.db, location))) {
    throw invalidPayload(
      'filename_disk',
      'Expected the name of a stored file that belongs to no other for "filename_disk"',
    )
  }
  const filename = input.has('filename_download') ? required('filename_download') : (key.split('/').at(-1) as string)
  const { folder } = rules
  const message = await describe(ctx, location, {
    filename,
    folder,
    type,
    size: stat.size,
    checksum: null,
    charset: null,
  })
  const contents = { address: location, ...message }
  return withTransaction(ctx, async (inner) => [await createRow(inner, { id: ctx.ids.uuid(), changes, contents })])
}

type Replacement = {
  readonly late?: Set<string>
  readonly parts: AsyncIterable<Part>
  readonly read: ReadFormValues
  /** The required state of the file at the time of the write. */
  readonly expected?: Expected | null
}

/** Receives new contents and properties of a file. The old contents are deleted after the commit. */
export async function receiveReplacement(
  ctx: Context,
  key: Key,
  { parts, read, late, expected = null }: Replacement,
): Promise<Received> {
  const id = await assertUpdatable(ctx, key)
  const store: Store = (incoming, formValues) =>
    storeDestined(ctx, incoming, { id, replaces: true, changes: read(formValues) })
  const before = (inner: ReadContext) => assertExpected(inner, expected)
  return storing(ctx, parts, store, { most: 1, before, also: deleteOld, late })
}

/** Deletes contents that a row had before, once it has others. */
export const deleteOld = (inner: Context): Promise<void> => afterCommit(inner, deleteReleased)

/**
 * `late` takes the names of values behind the last file, which belong to no file; without it, and on a strict server, they
 * are refused.
 */
type StoreOptions = TransactionSteps & { readonly most?: number; readonly late?: Set<string> | undefined }

type Store = (incoming: Incoming, formValues: { readonly [name: string]: unknown }) => Promise<StoredDraft>

/** Stores the parts one by one. A failure leaves no objects. */
async function storing(
  ctx: ReadContext & Pick<Context, 'log' | 'storage'>,
  parts: AsyncIterable<Part>,
  store: Store,
  { most = 100, late, ...beside }: StoreOptions = {},
): Promise<Received> {
  const waiting: StoredDraft[] = []
  let message: { [name: string]: unknown } = {}
  try {
    for await (const part of parts) {
      if (part.kind === 'value') {
        if (Object.hasOwn(message, part.name))
          throw invalidPayload(part.name, `Expected one part "${part.name}" for each file`)
        message = { ...message, [part.name]: readValue(part.name, part.value) }
        continue
      }
      if (waiting.length === most) throw invalidPayload(part.name, `Expected at most ${most} files but received more`)
      waiting.push(await store(part, message))
      message = {}
    }
    const surplus = Object.keys(message)
    const [first] = surplus
    if (first !== undefined && waiting.length > 0 && (late === undefined || ctx.limits.strict === true))
      throw invalidPayload(first, `Expected the part "${first}" before the file that it belongs to`)
    for (const name of surplus) late?.add(name)
    if (waiting.length === 0) throw invalidPayload('file', 'Expected a part with a file but received none')
  } catch (error) {
    await abandon(
      keeperOf(ctx),
      waiting.map(({ contents }) => contents.address),
    )
    throw error
  }
  return receivedOf(ctx, waiting, beside)
}

/** Parses a form value: `true`, `false` and `null`, JSON for JSON fields, otherwise text. */
export function readValue(name: string, text: string): unknown {
  if (text === 'null') return null
  if (text === 'true' || text === 'false') return text === 'true'
  if (name !== 'tags' && name !== 'metadata') return text
  try {
    return JSON.parse(text) as unknown
  } catch {
    throw invalidPayload(name, `Expected JSON for "${name}"`)
  }
}

const missing = (name: string): never => {
  throw invalidPayload(name, `Expected a text for "${name}" but received nothing`)
}
