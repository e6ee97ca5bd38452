import type { Context } from '../../domain/ports/context.ts'
import type { Changes } from '../../domain/query/mutation.ts'
import { invalidPayload, TandemError } from '../../domain/rights/errors.ts'
import { assertAllowed, readFileRules } from './file-settings.ts'

export const filesCollection = 'platform_files'

/** Fields about location and size of the contents. Clients cannot set them. */
const contentFields: ReadonlySet<string> = new Set([
  'storage',
  'filename_disk',
  'filesize',
  'uploaded_on',
  'tus_id',
  'tus_data',
  'checksum',
  'seconds',
])

/** Fields that belong to the contents. They are kept when the row is reverted. */
export const fileFacts: ReadonlySet<string> = new Set([
  ...contentFields,
  'type',
  'width',
  'height',
  'duration',
  'embed',
  'charset',
  'private_hash',
])

/** Rejects changes that would separate a row from its contents, and disallowed media types. */
export async function assertFiles(
  ctx: Pick<Context, 'actor' | 'db' | 'files'>,
  items: readonly { readonly changes: Changes }[],
): Promise<void> {
  for (const { changes } of items) {
    assertKeepsContents(ctx, changes)
    const type = changes.get('type')
    if (ctx.actor.kind === 'system' || type?.kind !== 'value' || typeof type.value !== 'string') continue
    assertAllowed(ctx, await readFileRules(ctx), type.value)
  }
}

/** Rejects changes that would separate a row from its contents. */
export function assertKeepsContents({ actor }: Pick<Context, 'actor'>, changes: Changes): void {
  if (actor.kind === 'system') return
  for (const name of changes.keys()) if (contentFields.has(name)) throw setByServer(name)
}

/** The error for a field that clients cannot set. */
export const setByServer = (name: string): TandemError =>
  invalidPayload(name, `"${name}" is given by the server and cannot be set`)
