/** What no write does to files, by whichever path it comes. */
import type { Context } from '../../domain/ports/context.ts'
import type { Changes } from '../../domain/query/mutation.ts'
import { invalidPayload, TandemError } from '../../domain/rights/errors.ts'
import { readFileRules } from './file-settings.ts'
import { assertAllowed } from './file-types.ts'

/** Collection of the files. */
export const filesCollection = 'platform_files'

/** Fields that say where the bytes are and how many: nobody's to write. */
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

/** Fields that go with the bytes, wherever else their row is put back to. */
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

/** Refuses rows that would part from their bytes, and types that no upload may have. */
export async function assertFiles(ctx: Context, items: readonly { readonly changes: Changes }[]): Promise<void> {
  for (const { changes } of items) {
    assertKeepsContents(ctx, changes)
    const type = changes.get('type')
    if (ctx.actor.kind === 'system' || type?.kind !== 'value' || typeof type.value !== 'string') continue
    assertAllowed(ctx, await readFileRules(ctx), type.value)
  }
}

/** Refuses changes that would part a row from its bytes. */
export function assertKeepsContents({ actor }: Pick<Context, 'actor'>, changes: Changes): void {
  if (actor.kind === 'system') return
  for (const name of changes.keys()) if (contentFields.has(name)) throw givenByServer(name)
}

/** What is said of a field that clients cannot set. */
export const givenByServer = (name: string): TandemError =>
  invalidPayload(name, `"${name}" is given by the server and cannot be set`)
