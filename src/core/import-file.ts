/** Files from elsewhere on the web. */
import type { Context } from '../domain/context.ts'
import type { Changes, Key } from '../domain/mutation.ts'
import type { Incoming } from '../domain/upload.ts'
import { assertCreatable } from './file-rights.ts'
import { createFromIncoming } from './files.ts'

/** Fetches the contents of an address, and makes a file of them. */
export async function importFile(ctx: Context, address: string, changes: Changes): Promise<readonly Key[]> {
  assertCreatable(ctx, changes)
  return createFromIncoming(withImportLimit(ctx), await fetchIncoming(ctx, address), { changes })
}

/** The contents of an address, for a caller whose right to write them was checked. */
export async function fetchIncoming(ctx: Context, address: string): Promise<Incoming> {
  const { url, type, stream } = await ctx.outbound.fetchFile(address, { timeout: ctx.files.import.timeout })
  return { filename: nameOf(url), type, stream }
}

/** Fetched contents have a limit of their own. */
export const withImportLimit = (ctx: Context): Context => ({
  ...ctx,
  files: { ...ctx.files, maxSize: ctx.files.import.maxSize },
})

/** The last part of the path, as a name. */
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
