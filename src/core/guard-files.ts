/** What no write does to files, by whichever path it comes. */
import type { Context } from '../domain/context.ts'
import { TandemError } from '../domain/errors.ts'
import type { Changes } from '../domain/mutation.ts'

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
])

/** Columns that speak of the bytes that a file has now; its earlier states do not bring them back. */
const ofContents: ReadonlySet<string> = new Set([
  ...contentFields,
  'type',
  'width',
  'height',
  'duration',
  'embed',
  'private_hash',
])

/** Whether an earlier state of the row says what the field should be again. */
export const isOfRow = (collection: string, field: string): boolean =>
  collection !== filesCollection || !ofContents.has(field)

/** Refuses changes that would part a row from its bytes. */
export function assertKeepsContents({ actor }: Pick<Context, 'actor'>, changes: Changes): void {
  if (actor.kind === 'system') return
  for (const name of changes.keys()) if (contentFields.has(name)) throw givenByServer(name)
}

/** What is said of a field that clients cannot set. */
export const givenByServer = (name: string): TandemError =>
  new TandemError({ kind: 'invalid-payload', name, reason: `"${name}" is given by the server and cannot be set` })
