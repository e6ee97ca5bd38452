import type { Context, ReadContext } from '../../domain/ports/context.ts'
import type { Incoming } from '../../domain/ports/uploads.ts'
import type { Changes } from '../../domain/query/mutation.ts'
import type { Received } from '../batch/received.ts'
import { filesCollection } from '../guards/guard-files.ts'
import { hasRow } from '../rows/has-row.ts'
import { keyFilter, systemCollection } from '../rows/keys.ts'
import { assertCovered, assertStorable, textOf, without } from './file-rights.ts'
import { receiveAs } from './files.ts'

type Import = {
  readonly changes: Changes
  /** The file whose contents are replaced; null for a new file. */
  readonly replaced: string | null
  /** Patterns of the media types to accept; none = all that the server allows. */
  readonly types?: readonly string[] | null | undefined
}

/** Downloads a URL for a new file, or for an existing one. Without a name for downloads the file has that of its URL. */
export async function receiveFromUrl(ctx: Context, address: string, input: Import): Promise<Received> {
  const { changes: given, replaced, types } = input
  const replaces = replaced !== null
  if (!replaces) assertCovered(ctx, 'create', given)
  const named = textOf(given, 'filename_download')
  const changes = without(replaces ? without(given, 'id') : given, 'filename_download')
  const target = { id: replaced ?? ctx.ids.uuid(), replaces, changes }
  await assertStorable(ctx, target)
  const fetched = await fetchIncoming(ctx, address)
  const incoming = named === null ? fetched : { ...fetched, filename: named }
  return receiveAs(accepting(withImportLimit(ctx), types ?? []), incoming, target)
}

/** The id, if it is that of a file. */
export async function fileOf(ctx: ReadContext, id: unknown): Promise<string | null> {
  if (typeof id !== 'string') return null
  const files = systemCollection(ctx, filesCollection)
  return (await hasRow(ctx, files, keyFilter(files, id))) ? id : null
}

const accepting = (ctx: Context, accepted: readonly string[]): Context =>
  accepted.length === 0 ? ctx : { ...ctx, files: { ...ctx.files, accepted } }

/** Downloads a URL. The caller's permission to write has been checked. */
export async function fetchIncoming(ctx: Pick<Context, 'files' | 'outbound'>, address: string): Promise<Incoming> {
  const { url, type, stream } = await ctx.outbound.fetchFile(address, { timeout: ctx.files.import.timeout })
  return { filename: nameOf(url), type, stream }
}

export const withImportLimit = (ctx: Context): Context => ({
  ...ctx,
  files: { ...ctx.files, maxSize: ctx.files.import.maxSize },
})

/** The file name: the last segment of the path. */
function nameOf({ pathname, hostname }: URL): string {
  const last = pathname.split('/').findLast((each) => each !== '') ?? hostname
  const plain = decode(last)
    .replaceAll(/[\p{Cc}/\\]/gu, '')
    .toWellFormed()
  return plain === '' ? 'file' : plain.slice(-255).toWellFormed()
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
