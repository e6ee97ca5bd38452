import type { Context } from '../../domain/ports/context.ts'
import { invalidPayload } from '../../domain/rights/errors.ts'
import { isAllowedType, isMediaType } from '../../metadata/media-type.ts'
import { readFileSettings } from '../../sql/statements/settings.ts'

export type FileRules = {
  /** Names of new objects in storage: the id of the file, or the name of the uploaded file. */
  readonly naming: 'uuid' | 'file_name'
  /** The identifier of a file in URLs. */
  readonly addresses: 'private_hash' | 'filename_download'
  /** Patterns of allowed media types; empty = all types that the server allows. */
  readonly types: readonly string[]
  /** Folder of new files without a folder; null = none. */
  readonly folder: string | null
}

export async function readFileRules({ db }: Pick<Context, 'db'>): Promise<FileRules> {
  const [naming, addresses, types, folder] = (await readFileSettings(db)) ?? []
  const patterns = (types ?? '').split(',').map((each) => each.trim())
  return {
    naming: naming === 'file_name' ? 'file_name' : 'uuid',
    addresses: addresses === 'filename_download' ? 'filename_download' : 'private_hash',
    types: patterns.filter((each) => each !== ''),
    folder: folder ?? null,
  }
}

export function assertAllowed({ files }: Pick<Context, 'files'>, rules: FileRules, type: string): void {
  if (!isMediaType(type)) throw invalidPayload('type', 'Expected a media type such as image/png for "type"')
  const own = rules.types.length === 0 ? [] : [rules.types]
  for (const types of [files.types, ...own, ...(files.accepted === undefined ? [] : [files.accepted])]) {
    if (isAllowedType(type, types)) continue
    throw invalidPayload('type', `Expected a file of type ${types.join(', ')} but received ${type}`)
  }
}
