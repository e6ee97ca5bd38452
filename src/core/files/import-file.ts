import type { Context } from '../../domain/ports/context.ts'
import type { Incoming } from '../../domain/ports/uploads.ts'
import type { Changes } from '../../domain/query/mutation.ts'
import type { Received } from '../batch/received.ts'
import { assertCovered, assertCreatable, textOf, without } from './file-rights.ts'
import { receiveIncoming } from './files.ts'

/** Downloads a URL for a new file. Without a name for downloads the file has that of its URL. */
export async function receiveFromUrl(ctx: Context, address: string, input: Changes): Promise<Received> {
  assertCovered(ctx, 'create', input)
  const named = textOf(input, 'filename_download')
  const changes = without(input, 'filename_download')
  assertCreatable(ctx, changes)
  const incoming = await fetchIncoming(ctx, address)
  return receiveIncoming(withImportLimit(ctx), named === null ? incoming : { ...incoming, filename: named }, {
    changes,
  })
}

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
