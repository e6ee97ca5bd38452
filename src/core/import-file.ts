/** Files from elsewhere on the web. */
import type { Context } from '../domain/context.ts'
import type { Changes, Key } from '../domain/mutation.ts'
import { assertCreatable, createFromIncoming } from './files.ts'

/** Fetches the contents of an address, and makes a file of them. */
export async function importFile(ctx: Context, address: string, changes: Changes): Promise<readonly Key[]> {
  const { timeout, maxSize } = ctx.files.import
  assertCreatable(ctx, changes)
  const { url, type, stream } = await ctx.outbound.fetchFile(address, { timeout })
  const bounded: Context = { ...ctx, files: { ...ctx.files, maxSize } }
  return createFromIncoming(bounded, { filename: nameOf(url), type, stream }, changes)
}

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
